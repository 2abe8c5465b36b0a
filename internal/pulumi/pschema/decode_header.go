package pschema

// headerMember reads what a schema says of the package itself.
func (c *cursor) headerMember(spec *PackageSpec, key string) {
	if text := headerText(spec, key); text != nil {
		*text = c.string()
		return
	}
	switch key {
	case "keywords":
		spec.Keywords = c.strings()
	case "meta":
		spec.Meta = maybe(c, c.meta)
	case "allowedPackageNames":
		spec.AllowedPackageNames = c.strings()
	case "language":
		spec.Language = c.language()
	case "config":
		spec.Config = c.config()
	case "provider":
		spec.Provider = maybe(c, c.resource)
	case "dependencies":
		spec.Dependencies = list(c, c.dependency)
	case "parameterization":
		spec.Parameterization = maybe(c, c.parameterization)
	case "extensionParameterization":
		spec.ExtensionParameterization = maybe(c, c.extensionParameterization)
	case "$schema":
		c.skip()
	default:
		c.unknown("a package", key)
	}
}

// headerText is where a member goes that is a string, or nil.
func headerText(spec *PackageSpec, key string) *string {
	switch key {
	case "name":
		return &spec.Name
	case "displayName":
		return &spec.DisplayName
	case "version":
		return &spec.Version
	case "description":
		return &spec.Description
	case "homepage":
		return &spec.Homepage
	case "license":
		return &spec.License
	case "attribution":
		return &spec.Attribution
	case "repository":
		return &spec.Repository
	case "logoUrl":
		return &spec.LogoURL
	case "pluginDownloadURL":
		return &spec.PluginDownloadURL
	case "publisher":
		return &spec.Publisher
	case "namespace":
		return &spec.Namespace
	case "requiredPulumiVersion":
		return &spec.RequiredPulumiVersion
	}
	return nil
}

func (c *cursor) meta() MetaSpec {
	spec := MetaSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "moduleFormat":
			spec.ModuleFormat = c.string()
		case "supportPack":
			spec.SupportPack = c.bool()
		default:
			c.unknown("meta", key)
		}
	})
	return spec
}

func (c *cursor) config() ConfigSpec {
	spec := ConfigSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "variables":
			spec.Variables = c.properties()
		case "defaults":
			spec.Required = c.strings()
		default:
			c.unknown("config", key)
		}
	})
	return spec
}

func (c *cursor) dependency() DependencySpec {
	spec := DependencySpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "name":
			spec.Name = c.string()
		case "version":
			spec.Version = c.string()
		case "downloadURL", "pluginDownloadURL":
			spec.PluginDownloadURL = c.string()
		case "parameterization":
			spec.Parameterization = maybe(c, c.dependencyParameterization)
		default:
			c.unknown("a dependency", key)
		}
	})
	return spec
}

func (c *cursor) dependencyParameterization() DependencyParameterizationSpec {
	var spec DependencyParameterizationSpec
	c.members(func(key string) {
		switch key {
		case "name":
			spec.Name = c.string()
		case "version":
			spec.Version = c.string()
		case "value":
			spec.Value = c.bytes()
		default:
			c.unknown("the parameterization of a dependency", key)
		}
	})
	return spec
}

func (c *cursor) parameterization() ParameterizationSpec {
	var spec ParameterizationSpec
	c.members(func(key string) {
		switch key {
		case "baseProvider":
			spec.BaseProvider = c.baseProvider()
		case "parameter":
			spec.Parameter = c.bytes()
		default:
			c.unknown("parameterization", key)
		}
	})
	return spec
}

func (c *cursor) baseProvider() BaseProviderSpec {
	spec := BaseProviderSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "name":
			spec.Name = c.string()
		case "version":
			spec.Version = c.string()
		default:
			c.unknown("a base provider", key)
		}
	})
	return spec
}

func (c *cursor) extensionParameterization() ExtensionParameterizationSpec {
	var spec ExtensionParameterizationSpec
	c.members(func(key string) {
		switch key {
		case "baseProvider":
			spec.BaseProvider = c.extendedProvider()
		case "parameter":
			spec.Parameter = c.bytes()
		default:
			c.unknown("extensionParameterization", key)
		}
	})
	return spec
}

func (c *cursor) extendedProvider() ExtendedProviderSpec {
	spec := ExtendedProviderSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "name":
			spec.Name = c.string()
		case "version":
			spec.Version = c.string()
		case "parameterization":
			spec.Parameterization = maybe(c, c.extendedParameterization)
		default:
			c.unknown("the base provider of an extension", key)
		}
	})
	return spec
}

func (c *cursor) extendedParameterization() ExtendedParameterizationSpec {
	var spec ExtendedParameterizationSpec
	c.members(func(key string) {
		switch key {
		case "basePlugin":
			spec.BasePlugin = c.baseProvider()
		case "parameter":
			spec.Parameter = c.bytes()
		default:
			c.unknown("the parameterization of a base provider", key)
		}
	})
	return spec
}
