// Package golang writes the Go SDK of a Pulumi package: one Go package for
// each module, with a struct for each resource and object type, its
// arguments and outputs, and a function for each function.
//
// The names and shapes are those that programs written against other
// generators of Go SDKs rely on. What the runtime of an SDK may call is in
// github.com/pulumi/pulumi/sdk/v3/go/pulumi; no reflection goes beyond it.
package golang
