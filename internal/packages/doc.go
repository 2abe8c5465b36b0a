// Package packages works with Pulumi packages: a source and its arguments
// become an installed, parameterized plugin, its schema, and SDKs that are
// linked into a project.
//
// The way is the same for every command: [Packages.Open] installs what is
// missing (plugin/install), runs and parameterizes the plugin (plugin/host)
// and reads its schema; what follows works on the [Package] that comes out.
package packages
