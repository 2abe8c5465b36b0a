// Package sdkts writes the TypeScript SDK of a Pulumi package: a class for
// each resource, a function for each function, and interfaces for the types
// that they take and give.
//
// Names, modules and signatures are those that programs written against other
// generators of TypeScript SDKs rely on, so that a program can change SDKs and
// stay as it is. A package of many resources stays usable: files of resources
// and functions are loaded when they are first used, and types are split by
// module, and further where a module has many.
//
// What an SDK may call at run time is in @pulumi/pulumi on npm; see info.go for
// the versions.
package sdkts
