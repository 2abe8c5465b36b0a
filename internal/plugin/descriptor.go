package plugin

// Descriptor says which package somebody wants, before anything is known
// about it: an entry of a project's `packages`, the arguments of a command, a
// provider in a stack's state (spec/plugins.md, "package descriptor"; message
// PackageSpec of the protocol).
type Descriptor struct {
	Kind Kind
	// Source is a name, publisher/name, registry/publisher/name, a git or
	// other URL, or a local path; without its version.
	Source string
	// Constraint says which versions will do.
	Constraint Constraint
	// Server is where to download from, for sources that are names
	// (pluginDownloadURL); or "".
	Server string
	// Checksums are those of the archives; or nil where they are not known.
	Checksums Checksums
	// Parameterization replaces the plugin's own package by another.
	Parameterization Parameterization
	// Extension adds to the package (extension parameterization).
	Extension Parameterization
}
