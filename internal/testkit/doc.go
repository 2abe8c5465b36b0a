// Package testkit is the roof over what tests share; it holds no code itself.
//
//   - estate, estateapi: the synthetic estate (a made-up cloud) and its client
//   - providers/estateprovider, classicprovider: test providers over it, in the
//     plugin framework (protocol 6) and SDKv2 (protocol 5)
//   - providers/brokenprovider: a provider that misbehaves on demand
//   - cmd: these as binaries, and estate-server
//   - truth: root modules whose every attribute and reference is known, and the
//     accuracy of an import of them
//   - build: compiles commands of this module for tests
//   - tfcli: runs the real terraform and tofu
//   - registrytest: a provider registry over HTTPS, with faults
//   - measure: takes the figures of speed and accuracy; cmd/bench prints them
//   - e2e: the whole program as real processes, judged by the real clients
//
// The providers use terraform-plugin-go, whose protobuf names are those of this
// project's own stubs: never import providers/... next to internal/tf. Run the
// binaries instead, through build.Binary.
package testkit
