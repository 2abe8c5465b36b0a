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

// Same reports whether two descriptors ask for the same package.
func (d Descriptor) Same(other Descriptor) bool {
	return d.Kind == other.Kind && d.Source == other.Source && d.Server == other.Server &&
		d.Constraint.String() == other.Constraint.String() &&
		d.Parameterization.Key() == other.Parameterization.Key() && d.Extension.Key() == other.Extension.Key()
}
