package pschema

import "reflect"

func (c *cursor) object() ObjectTypeSpec {
	spec := ObjectTypeSpec{At: c.place()}
	c.members(func(key string) {
		if !c.objectMember(&spec, key) {
			c.unknown("an object type", key)
		}
	})
	return spec
}

func (c *cursor) objectMember(spec *ObjectTypeSpec, key string) bool {
	switch key {
	case "description":
		spec.Description = c.string()
	case "properties":
		spec.Properties = c.properties()
	case "type":
		spec.Type = c.string()
	case "required":
		spec.Required = c.strings()
	case "plain":
		spec.Plain = c.strings()
	case "language":
		spec.Language = c.language()
	case "isOverlay":
		spec.IsOverlay = c.bool()
	case "overlaySupportedLanguages":
		spec.OverlaySupportedLanguages = c.strings()
	default:
		return false
	}
	return true
}

func (c *cursor) complexType() ComplexTypeSpec {
	var spec ComplexTypeSpec
	spec.At = c.place()
	c.members(func(key string) {
		switch {
		case key == "enum":
			spec.Enum = list(c, c.enumValue)
		case !c.objectMember(&spec.ObjectTypeSpec, key):
			c.unknown("a type", key)
		}
	})
	return spec
}

func (c *cursor) enumValue() EnumValueSpec {
	spec := EnumValueSpec{At: c.place()}
	c.members(func(key string) {
		switch key {
		case "name":
			spec.Name = c.string()
		case "description":
			spec.Description = c.string()
		case "value":
			spec.Value = c.scalar()
		case "deprecationMessage":
			spec.DeprecationMessage = c.string()
		default:
			c.unknown("an enum value", key)
		}
	})
	return spec
}

func (c *cursor) resource() ResourceSpec {
	var spec ResourceSpec
	spec.At = c.place()
	c.members(func(key string) {
		if !c.objectMember(&spec.ObjectTypeSpec, key) {
			c.resourceMember(&spec, key)
		}
	})
	return spec
}

func (c *cursor) resourceMember(spec *ResourceSpec, key string) {
	switch key {
	case "inputProperties":
		spec.InputProperties = c.properties()
	case "requiredInputs":
		spec.RequiredInputs = c.strings()
	case "plainInputs":
		spec.PlainInputs = c.strings()
	case "stateInputs":
		spec.StateInputs = maybe(c, c.object)
	case "listInputs":
		spec.ListInputs = maybe(c, c.object)
	case "aliases":
		spec.Aliases = list(c, c.alias)
	case "deprecationMessage":
		spec.DeprecationMessage = c.string()
	case "isComponent":
		spec.IsComponent = c.bool()
	case "methods":
		spec.Methods = table(c, c.string)
	default:
		c.unknown("a resource", key)
	}
}

// alias reads an object with a type, or the type alone. The members that an
// alias had once, name and project, count for nothing.
func (c *cursor) alias() AliasSpec {
	spec := AliasSpec{At: c.place()}
	if c.peek() == '"' {
		spec.Type, spec.Bare = c.quoted(), true
		return spec
	}
	c.members(func(key string) {
		switch key {
		case "type":
			spec.Type = c.string()
		case "name", "project":
			c.skip()
		default:
			c.unknown("an alias", key)
		}
	})
	return spec
}

func (c *cursor) function() FunctionSpec {
	spec := FunctionSpec{At: c.place()}
	c.members(func(key string) { c.functionMember(&spec, key) })
	return spec
}

func (c *cursor) functionMember(spec *FunctionSpec, key string) {
	switch key {
	case "description":
		spec.Description = c.string()
	case "inputs":
		spec.Inputs = maybe(c, c.object)
	case "multiArgumentInputs":
		spec.MultiArgumentInputs = c.strings()
	case "outputs":
		spec.Outputs = c.returns()
	case "deprecationMessage":
		spec.DeprecationMessage = c.string()
	case "language":
		spec.Language = c.language()
	case "isOverlay":
		spec.IsOverlay = c.bool()
	case "overlaySupportedLanguages":
		spec.OverlaySupportedLanguages = c.strings()
	case "plain":
		spec.Plain = maybe(c, c.bool)
	default:
		c.unknown("a function", key)
	}
}

// returns reads the outputs of a function: an object where it says what its
// properties are, else a type. An empty one is none.
func (c *cursor) returns() *ReturnSpec {
	ahead := *c
	ahead.report, ahead.keys = func(finding) {}, nil
	empty, isObject := true, false
	ahead.entries(func(key string, _ Place) {
		empty = false
		isObject = isObject || key == "properties" && ahead.peek() == '{'
		ahead.skip()
	})
	switch {
	case isObject:
		return c.returnsObject()
	case empty:
		c.members(func(string) {})
		return nil
	}
	return c.returnsType()
}

func (c *cursor) returnsObject() *ReturnSpec {
	spec := &ReturnSpec{Object: &ObjectTypeSpec{At: c.place()}}
	c.members(func(key string) {
		switch {
		case key == "plain" && c.peek() != '[':
			spec.ObjectIsPlain = c.bool()
		case !c.objectMember(spec.Object, key):
			c.unknown("an object type", key)
		}
	})
	return spec
}

// returnsType reads a type; nil where nothing says what it is. What an object
// may say besides is let pass: with no properties it describes nothing.
func (c *cursor) returnsType() *ReturnSpec {
	spec := &ReturnSpec{Type: &TypeSpec{At: c.place()}}
	var ignored ObjectTypeSpec
	c.members(func(key string) {
		if !c.typeMember(spec.Type, key) && !c.objectMember(&ignored, key) {
			c.unknown("a type", key)
		}
	})
	if reflect.DeepEqual(spec.Type, &TypeSpec{At: spec.Type.At}) {
		return nil
	}
	return spec
}
