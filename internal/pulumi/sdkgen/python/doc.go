// Package python writes the Python SDK of a Pulumi package: one Python package
// for each module, with a class for each resource, argument and object type,
// and a function in two forms for each function.
//
// Names and shapes are those that programs written against other generators of
// Python SDKs rely on. What generated code may call is in the published
// `pulumi` package.
//
// Modules load their members when these are first used: what a program does not
// touch costs it nothing, however large the package.
package python
