package tfstate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// InstanceValue decodes an instance's attributes as a value of the type that
// the schema implies. Absent attributes are null; ones that the schema lacks
// are errors, as is an instance of another schema version, which the
// provider must upgrade. The value is cty.NilVal where the list has errors.
func InstanceValue(i Instance, schema *tfschema.Schema) (cty.Value, diag.List) {
	if schema.Version < 0 || i.SchemaVersion != uint64(schema.Version) {
		return cty.NilVal, diag.List{needsUpgrade(i.SchemaVersion, schema.Version)}
	}
	v, err := decodeAttributes(i, schema.Block.ImpliedType())
	if err != nil {
		return cty.NilVal, diag.List{badAttributes(pathOf(err), err)}
	}
	return v, nil
}

func pathOf(err error) cty.Path {
	var pathErr cty.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Path
	}
	return nil
}

func decodeAttributes(i Instance, ty cty.Type) (cty.Value, error) {
	switch {
	case i.Flatmap != nil:
		return DecodeFlatmap(i.Flatmap, ty)
	case i.Attributes != nil:
		return ctyx.DecodeJSON(i.Attributes, ty)
	default:
		return ctyx.DecodeJSON([]byte("{}"), ty)
	}
}

// NewInstance encodes an object of a resource under the schema that it is
// of. Sensitive attributes are those that the schema says, wherever they
// are nested, and those that bear a mark. The error says what a state cannot
// hold: a null object, unknown values, and values of write-only attributes.
func NewInstance(value cty.Value, schema *tfschema.Schema, private []byte) (Instance, error) {
	var marks []cty.PathValueMarks
	if ctyx.Marked(value) {
		value, marks = value.UnmarkDeepWithPaths()
	}
	switch {
	case value == cty.NilVal || value.IsNull():
		return Instance{}, errors.New("there is no object to write to the state")
	case schema.Version < 0:
		return Instance{}, fmt.Errorf("invalid schema version %d", schema.Version)
	}
	attributes, err := ctyx.EncodeJSON(value, schema.Block.ImpliedType())
	switch {
	case err != nil && !ctyx.WhollyKnown(value):
		return Instance{}, errors.New("a state cannot hold unknown values")
	case err != nil:
		return Instance{}, err
	}
	found := &schemaPaths{sensitive: []cty.Path{}}
	found.block(schema.Block, value, nil)
	if len(found.writeOnly) > 0 {
		return Instance{}, fmt.Errorf("write-only attribute %s has a value, which a state must not hold", ctyx.PathString(found.writeOnly[0]))
	}
	for _, mark := range marks {
		found.addSensitive(mark.Path)
	}
	return Instance{
		Key: cty.NilVal, ProviderKey: cty.NilVal, SchemaVersion: uint64(schema.Version),
		Attributes: attributes, SensitiveAttributes: found.sensitive, Private: private,
	}, nil
}

// SetIdentity encodes the object's identity; a null or absent one is none.
func (i *Instance) SetIdentity(identity cty.Value, schema *tfschema.Identity) error {
	if identity == cty.NilVal || identity.IsNull() || schema == nil {
		i.Identity = nil
		return nil
	}
	if !identity.IsWhollyKnown() || schema.Version < 0 {
		return errors.New("a state cannot hold an identity with unknown values, or of a negative schema version")
	}
	raw, err := ctyx.EncodeJSON(identity, schema.Type())
	if err != nil {
		return fmt.Errorf("identity: %w", err)
	}
	i.Identity = &Identity{SchemaVersion: uint64(schema.Version), JSON: raw}
	return nil
}

// IdentityValue decodes the object's identity: cty.NilVal where there is
// none. An identity of another schema version is an error, as in
// [InstanceValue].
func IdentityValue(i Instance, schema *tfschema.Identity) (cty.Value, diag.List) {
	if i.Identity == nil || i.Identity.JSON == nil || schema == nil {
		return cty.NilVal, nil
	}
	if schema.Version < 0 || i.Identity.SchemaVersion != uint64(schema.Version) {
		return cty.NilVal, diag.List{needsUpgrade(i.Identity.SchemaVersion, schema.Version)}
	}
	v, err := ctyx.DecodeJSON(i.Identity.JSON, schema.Type())
	if err != nil {
		return cty.NilVal, diag.List{badAttributes(nil, fmt.Errorf("identity: %w", err))}
	}
	return v, nil
}

// schemaPaths gathers the paths of sensitive attributes, null ones included,
// and of write-only attributes with values.
type schemaPaths struct {
	sensitive, writeOnly []cty.Path
}

func (p *schemaPaths) addSensitive(path cty.Path) {
	path = outsideSets(path)
	if !slices.ContainsFunc(p.sensitive, func(known cty.Path) bool { return known.Equals(path) }) {
		p.sensitive = append(p.sensitive, path)
	}
}

// outsideSets cuts a path at the first set that it leads into: an element
// of a set is its own key, so that sensitivity is the whole set's.
func outsideSets(path cty.Path) cty.Path {
	for i, step := range path {
		index, ok := step.(cty.IndexStep)
		if ok && index.Key.Type() != cty.String && index.Key.Type() != cty.Number {
			return path[:i]
		}
	}
	return path
}

func (p *schemaPaths) block(block *tfschema.Block, v cty.Value, path cty.Path) {
	p.attributes(block.Attributes, v, path)
	if v.IsNull() {
		return
	}
	for _, nested := range block.Blocks {
		each(nested.Nesting, v.GetAttr(nested.Name), extend(path, cty.GetAttrStep{Name: nested.Name}), func(elem cty.Value, path cty.Path) {
			p.block(nested.Block, elem, path)
		})
	}
}

func (p *schemaPaths) attributes(attrs []*tfschema.Attribute, v cty.Value, path cty.Path) {
	if v.IsNull() {
		return
	}
	for _, attr := range attrs {
		if !attr.Sensitive && !attr.WriteOnly && attr.Nested == nil {
			continue
		}
		path := extend(path, cty.GetAttrStep{Name: attr.Name})
		val := v.GetAttr(attr.Name)
		if attr.WriteOnly && !val.IsNull() {
			p.writeOnly = append(p.writeOnly, path)
		}
		switch {
		case attr.Sensitive:
			p.addSensitive(path)
		case attr.Nested != nil:
			each(attr.Nested.Nesting, val, path, func(elem cty.Value, path cty.Path) {
				p.attributes(attr.Nested.Attributes, elem, path)
			})
		}
	}
}

// each calls f for every object of a nested block or attribute. Elements of
// sets, which have no key, have a path that ends on an unknown index.
func each(nesting tfschema.Nesting, v cty.Value, path cty.Path, f func(cty.Value, cty.Path)) {
	switch {
	case v.IsNull():
	case nesting == tfschema.NestingSingle || nesting == tfschema.NestingGroup:
		f(v, path)
	default:
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			f(elem, extend(path, elementStep(v.Type(), key)))
		}
	}
}

func elementStep(ty cty.Type, key cty.Value) cty.PathStep {
	switch {
	case ty.IsObjectType():
		return cty.GetAttrStep{Name: key.AsString()}
	case ty.IsSetType():
		return cty.IndexStep{Key: cty.DynamicVal}
	default:
		return cty.IndexStep{Key: key}
	}
}

// extend returns path with one more step, never sharing its array.
func extend(path cty.Path, step cty.PathStep) cty.Path {
	return append(slices.Clip(path), step)
}
