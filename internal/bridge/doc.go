// Package bridge is the dynamic bridged provider: a Pulumi resource plugin
// that becomes any Terraform provider, by a parameter that names one.
//
// It is the wire side. Calls come in over gRPC (pserve), what the parameter
// says is in package parameter, the provider is found and started by tfhost,
// its names and types cross over in package mapping, and what is done with
// resources is in package lifecycle. Property values are decoded and encoded
// here, and errors become statuses.
//
// Nothing is started before something needs it: Parameterize finds a binary,
// GetSchema answers from a cache where it can, and the Terraform provider's
// process begins with the first call that only it can answer.
package bridge
