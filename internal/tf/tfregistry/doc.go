// Package tfregistry turns a provider's address into the path of a provider
// binary on this machine: it finds, downloads, verifies and caches provider
// packages. It does not run them (tfprovider does) and never prints.
//
// Where a package may come from, first match wins:
//
//   - a local path given by the user;
//   - a dev_overrides entry of the CLI configuration;
//   - the installation methods of the CLI configuration in their order, or
//     without them the implied local mirror directories and then the registry.
//     Before a method that needs the network is asked for an exact version,
//     the plugin_cache_dir and the shared cache are.
//
// [LoadCLIConfig] reads the configuration that terraform and tofu read,
// [New] makes a [Registry] of it, [Registry.Ensure] answers requests and
// [LockFile] reads and writes dependency lock files.
//
// Packages are unpacked under CacheDir/host/namespace/type/version/os_arch,
// the layout of plugin_cache_dir. Beside each stand a record of its hashes
// (os_arch.json), a lock (os_arch.lock), and while a download runs what has
// come so far (os_arch.partial). A package appears by rename, so that it is
// whole or absent however its maker ended.
package tfregistry
