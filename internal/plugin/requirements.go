package plugin

// Requirements are what a program needs beyond what its manifest names, as its
// language plugin tells (message GetRequiredPackagesResponse).
type Requirements struct {
	// Plugins are those of packages that the program has SDKs for.
	Plugins []Descriptor
	// Packages are those that an SDK is to be generated for.
	Packages []Descriptor
}
