package link

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Check says where rules do not fit a provider's schemas: types, attributes
// and paths that do not exist are errors, places where no link can ever be
// are warnings. Types of other providers cannot be checked and are a warning
// each. What lies inside a JSON document is not checked.
func Check(rules *Rules, catalog *tfschema.Catalog) diag.List {
	c := &checker{catalog: catalog, types: catalog.Names(tfschema.KindResource), seen: map[string]bool{}}
	for _, name := range rules.Types() {
		for _, rule := range rules.For(name) {
			if block := c.schema(rule.Type, rule.Range); block != nil {
				c.block(rule, rule.Path, block)
			}
			for _, target := range rule.Targets {
				c.target(target)
				c.within(rule, target)
			}
		}
	}
	return c.diags
}

type checker struct {
	catalog *tfschema.Catalog
	types   []string
	seen    map[string]bool // types that were found missing
	diags   diag.List
}

func (c *checker) report(d *diag.Diagnostic) { c.diags = append(c.diags, d) }

// schema returns the schema of a resource type, or nil after saying why there
// is none. Each type is said once.
func (c *checker) schema(resourceType string, at hcl.Range) *tfschema.Block {
	schema, err := c.catalog.Resource(resourceType)
	if err == nil {
		return schema.Block
	}
	if c.seen[resourceType] {
		return nil
	}
	c.seen[resourceType] = true
	var unknown *tfschema.UnknownTypeError
	switch {
	case !errors.As(err, &unknown):
		c.report(unreadableSchema(resourceType, err, at))
	case c.isForeign(resourceType):
		c.report(foreignType(resourceType, at))
	default:
		c.report(unknownType(resourceType, c.types, at))
	}
	return nil
}

// isForeign reports whether a type belongs to another provider: types begin
// with the provider's name and an underscore.
func (c *checker) isForeign(resourceType string) bool {
	prefix, _, _ := strings.Cut(resourceType, "_")
	for _, name := range c.types {
		if own, _, _ := strings.Cut(name, "_"); own == prefix {
			return false
		}
	}
	return true
}

// block follows a path into a block.
func (c *checker) block(rule *Rule, path Path, block *tfschema.Block) {
	step := path[0]
	if a := block.Attribute(step.Name); a != nil {
		c.attribute(rule, path, a)
		return
	}
	n := block.NestedBlock(step.Name)
	if n == nil {
		c.report(unknownStep(rule, step.Name, blockNames(block)))
		return
	}
	if len(path) == 1 {
		c.report(pathEndsEarly(rule, blockNames(n.Block)))
		return
	}
	c.block(rule, path[1:], n.Block)
}

func (c *checker) attribute(rule *Rule, path Path, a *tfschema.Attribute) {
	switch {
	case !a.Configurable():
		c.report(neverLinks(rule, a.Name+" is set by the provider alone and never written"))
	case a.Sensitive || a.WriteOnly:
		c.report(neverLinks(rule, a.Name+" is secret, and secrets are not looked at"))
	case a.Nested != nil:
		c.objects(rule, path, a.Nested)
	default:
		c.value(rule, path[0], path[1:], a.Type)
	}
}

// objects follows a path into the objects of a nested attribute.
func (c *checker) objects(rule *Rule, path Path, o *tfschema.Object) {
	if o.Nesting == tfschema.NestingMap && !path[0].Each {
		if path = path[1:]; len(path) == 0 { // a key, or nothing at all
			c.report(pathEndsEarly(rule, attributeNames(o.Attributes)))
			return
		}
	}
	if len(path) == 1 {
		c.report(pathEndsEarly(rule, attributeNames(o.Attributes)))
		return
	}
	a := o.Attribute(path[1].Name)
	if a == nil {
		c.report(unknownStep(rule, path[1].Name, attributeNames(o.Attributes)))
		return
	}
	c.attribute(rule, path[1:], a)
}

// value follows the rest of a path, after step, into a value of type ty.
// Strings may hold documents, and open types anything.
func (c *checker) value(rule *Rule, step Step, rest Path, ty cty.Type) {
	switch {
	case ty == cty.DynamicPseudoType || ty == cty.String:
	case ty.IsMapType():
		c.mapValue(rule, step, rest, ty)
	case ty.IsCollectionType():
		c.value(rule, step, rest, ty.ElementType())
	case ty.IsObjectType() && len(rest) == 0:
		c.report(pathEndsEarly(rule, typeNames(ty)))
	case ty.IsObjectType() && !ty.HasAttribute(rest[0].Name):
		c.report(unknownStep(rule, rest[0].Name, typeNames(ty)))
	case ty.IsObjectType():
		c.value(rule, rest[0], rest[1:], ty.AttributeType(rest[0].Name))
	case len(rest) > 0:
		c.report(unknownStep(rule, rest[0].Name, nil))
	case ty == cty.Bool:
		c.report(neverLinks(rule, "it is true or false, which means no resource"))
	}
}

// mapValue goes on to all values, or to the value of the key that follows.
func (c *checker) mapValue(rule *Rule, step Step, rest Path, ty cty.Type) {
	switch {
	case step.Each:
		c.value(rule, Step{}, rest, ty.ElementType())
	case len(rest) > 0:
		c.value(rule, rest[0], rest[1:], ty.ElementType())
	default:
		c.report(wantsBrackets(rule, step.Name))
	}
}

// target checks what a rule refers to.
func (c *checker) target(target Target) {
	block := c.schema(target.Type, target.Range)
	if block == nil {
		return
	}
	a := block.Attribute(target.Attribute)
	switch {
	case a == nil && block.NestedBlock(target.Attribute) != nil:
		c.report(unusableTarget(target, "it is a block"))
	case a == nil:
		c.targetOfIdentity(target, block)
	default:
		if why := unsearchable(a); why != "" {
			c.report(unusableTarget(target, why))
		}
	}
}

// unsearchable says why no resource can be found by an attribute, or nothing.
func unsearchable(a *tfschema.Attribute) string {
	switch {
	case a.Sensitive || a.WriteOnly:
		return "it is secret"
	case a.Type != cty.String && a.Type != cty.Number && a.Type != cty.DynamicPseudoType:
		return "it is a " + a.Type.FriendlyName() + ", and only a string or a number can be looked up"
	}
	return ""
}

// targetOfIdentity accepts an attribute that only the identity has.
func (c *checker) targetOfIdentity(target Target, block *tfschema.Block) {
	if names := c.identityNames(target.Type); !slices.Contains(names, target.Attribute) {
		c.report(unknownTarget(target, append(attributeNames(block.Attributes), names...)))
	}
}

func (c *checker) identityNames(resourceType string) []string {
	identity, err := c.catalog.Identity(resourceType)
	if err != nil || identity == nil {
		return nil
	}
	var names []string
	for _, a := range identity.Attributes {
		names = append(names, a.Name)
	}
	return names
}

// within checks what stands in a target's brackets.
func (c *checker) within(rule *Rule, target Target) {
	for _, a := range target.Within {
		c.agreement(target.Type, a.Theirs, target.Range)
		if rule.Type != target.Type || a.Ours != a.Theirs {
			c.agreement(rule.Type, a.Ours, target.Range)
		}
	}
}

// agreement checks one attribute in brackets. That a type is unknown was said
// before.
func (c *checker) agreement(resourceType, name string, at hcl.Range) {
	schema, err := c.catalog.Resource(resourceType)
	if err != nil {
		return
	}
	if a := schema.Block.Attribute(name); a != nil {
		if why := unsearchable(a); why != "" {
			c.report(unusableAgreement(resourceType, name, why, at))
		}
		return
	}
	if names := c.identityNames(resourceType); !slices.Contains(names, name) {
		c.report(unknownAgreement(resourceType, name, append(attributeNames(schema.Block.Attributes), names...), at))
	}
}

func attributeNames(attributes []*tfschema.Attribute) []string {
	var names []string
	for _, a := range attributes {
		names = append(names, a.Name)
	}
	return names
}

func blockNames(block *tfschema.Block) []string {
	names := attributeNames(block.Attributes)
	for _, n := range block.Blocks {
		names = append(names, n.Name)
	}
	return names
}

func typeNames(ty cty.Type) []string {
	var names []string
	for name := range ty.AttributeTypes() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
