// Package tfconfig is Terraform configuration as a program: it reads modules
// with the ranges of everything in them, and writes configuration that people
// would have written.
//
// Reading (module.go, read*.go) parses; evaluating what it finds is the work
// of package tflang. Writing goes in two steps: [Lower] decides what is said
// (attributes or blocks, documents, order) and gives a [Body] of expressions,
// which later stages may change, for instance to replace a literal by a
// reference; [Print] lays it out and decides nothing.
package tfconfig
