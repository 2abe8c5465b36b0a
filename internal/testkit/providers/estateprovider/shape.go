package estateprovider

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// shape says what the conversion between Terraform values and the API's JSON
// must know about an object: what the API alone sets, and which members are
// blocks, whose absence is an empty collection rather than null.
type shape struct {
	members map[string]*shape
	// answered members are set by the API and never sent.
	answered bool
	// repeated members are blocks that come in lists or sets.
	repeated bool
}

func shapeOf(s schema.Schema) *shape {
	return &shape{members: membersOf(s.Attributes, s.Blocks)}
}

func membersOf(attributes map[string]schema.Attribute, blocks map[string]schema.Block) map[string]*shape {
	members := map[string]*shape{}
	for name, attribute := range attributes {
		members[name] = &shape{
			members:  attributeMembers(attribute),
			answered: attribute.IsComputed() && !attribute.IsOptional(),
		}
	}
	for name, block := range blocks {
		switch b := block.(type) {
		case schema.ListNestedBlock:
			members[name] = &shape{repeated: true, members: membersOf(b.NestedObject.Attributes, b.NestedObject.Blocks)}
		case schema.SetNestedBlock:
			members[name] = &shape{repeated: true, members: membersOf(b.NestedObject.Attributes, b.NestedObject.Blocks)}
		case schema.SingleNestedBlock:
			members[name] = &shape{members: membersOf(b.Attributes, b.Blocks)}
		}
	}
	return members
}

func attributeMembers(attribute schema.Attribute) map[string]*shape {
	switch a := attribute.(type) {
	case schema.SingleNestedAttribute:
		return membersOf(a.Attributes, nil)
	case schema.ListNestedAttribute:
		return membersOf(a.NestedObject.Attributes, nil)
	case schema.SetNestedAttribute:
		return membersOf(a.NestedObject.Attributes, nil)
	case schema.MapNestedAttribute:
		return membersOf(a.NestedObject.Attributes, nil)
	}
	return nil
}
