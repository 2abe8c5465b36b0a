// Package install is the one way in which plugins get onto this machine, for
// every command and for whatever runs packages (spec/plugins.md, "Correctly
// installing plugins"). It takes a package descriptor to a plugin that is
// ready to run:
//
//  1. resolve the descriptor into a concrete plugin and parameterization
//     (resolve.go);
//  2. download the plugin into the cache, where it is present from then on
//     (present.go);
//  3. do the same with the packages that it depends on, recursively
//     (graph.go, order.go);
//  4. generate SDKs for these and link them in, by a [Linker] (finish.go);
//  5. install what its language needs, by a [Language]: it is installed
//     (finish.go).
//
// A plugin that is an executable is installed with the second step. A project
// is treated like a plugin that is there already.
//
// Every state of the cache that can be seen is right, whoever else works in it
// and however they end: a plugin's lock is held for as long as its directory
// changes, and its marker `.partial` stands from before that begins until the
// plugin is ready; to be removed, the directory moves away at once. No process
// waits for one lock while it holds another. The pulumi program does the same
// with the same files.
package install
