// Package lifecycle is what a Pulumi provider does, done by a Terraform one:
// it checks, compares, creates, reads, updates and deletes resources, calls
// functions and lists what exists. Property values go in and come out; what
// the engine sends and wants to hear on the wire is the business of package
// bridge, and names, types and values cross over in package mapping.
//
// Every operation on a resource has the same shape: the stored outputs become
// a Terraform state of the current schema (a prior), the inputs become
// configuration, the provider plans, and applies what it planned. Nothing is
// kept between operations but the open ephemeral resources and the lists
// whose next page may still be asked for, so that operations may run at once.
package lifecycle
