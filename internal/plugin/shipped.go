package plugin

import "slices"

// Shipped is a program that stands beside another one, which brings it along,
// and the plugins that it is.
type Shipped struct {
	Kind Kind
	// Program is the executable's name, without the extension that Windows
	// wants.
	Program string
	// Names are those under which others look for it.
	Names []string
}

// Is reports whether one of s's plugins has that kind and name.
func (s Shipped) Is(kind Kind, name string) bool {
	return s.Kind == kind && slices.Contains(s.Names, name)
}

// NodeDynamicProvider runs resources that are written in a TypeScript program.
const NodeDynamicProvider = "pulumi-nodejs"

// ShippedWithPulumi are the plugins that come with the pulumi program, and
// from nowhere else.
func ShippedWithPulumi() []Shipped {
	list := []Shipped{namesake(Resource, NodeDynamicProvider), namesake(Resource, "pulumi-python")}
	for _, language := range []string{"nodejs", "bun", "python", "go", "dotnet", "java", "yaml", "pcl"} {
		list = append(list, namesake(Language, language))
	}
	return list
}

// ShippedWithFormation are the plugins that come with this program.
func ShippedWithFormation() []Shipped {
	const bridge = "terraform-bridge"
	return []Shipped{
		// The second name is that of the bridge which projects and stacks of
		// others were made with.
		{Kind: Resource, Program: Executable(Resource, bridge), Names: []string{bridge, "terraform-provider"}},
	}
}

// namesake is called after its plugin.
func namesake(kind Kind, name string) Shipped {
	return Shipped{Kind: kind, Program: Executable(kind, name), Names: []string{name}}
}
