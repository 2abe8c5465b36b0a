package plugin

import "slices"

// Shipped is a program that stands beside another one, which brings it along,
// and the plugins that it is.
type Shipped struct {
	Kind Kind
	// Program is the executable's name, without the extension that Windows
	// wants.
	Program string
	// Names are those under which others look for it: its own, and then those
	// of plugins that others publish, in whose place it can stand.
	Names []string
}

// Is reports whether one of s's plugins has that kind and name.
func (s Shipped) Is(kind Kind, name string) bool {
	return s.Kind == kind && slices.Contains(s.Names, name)
}

// StandsIn reports whether s can take the place of a plugin that others
// publish under that name. That one goes first where it is installed.
func (s Shipped) StandsIn(kind Kind, name string) bool { return s.Is(kind, name) && name != s.Names[0] }

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

// ShippedWithFormation are the plugins that come with this program. They
// stand for every version: by the path that they are called by, they take
// themselves for the plugin, and for the version, that a cache has there.
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
