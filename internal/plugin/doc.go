// Package plugin holds the words that everything about Pulumi plugins shares:
// kinds, names, versions, descriptors, and the layout of the plugin cache. It
// does no work: source brings plugins onto this machine, install puts them
// into the cache, host runs them.
//
// The way of a plugin, in the terms of the specification (spec/plugins.md):
//
//   - a [Descriptor] says which package somebody wants;
//   - it is resolved into a [Concrete] plugin and a [Parameterization];
//   - the plugin is in one of three [State]s on this machine.
//
// The cache is shared with the pulumi program: [Cache] names the files.
package plugin
