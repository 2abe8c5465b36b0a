// Package golang writes the Go SDK of a Pulumi package: one Go package for
// each module, with a struct for each resource and object type, its
// arguments and outputs, and a function for each function. A module with more
// than a compiler should be given at once is spread over several Go packages,
// below one that has names for all they declare.
//
// The names and shapes are those that programs written against other
// generators of Go SDKs rely on. What the runtime of an SDK may call is in
// github.com/pulumi/pulumi/sdk/v3/go/pulumi; no reflection goes beyond it.
package golang
