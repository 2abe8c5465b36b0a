package tfplan

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func TestProposedNew(t *testing.T) {
	t.Parallel()
	leaf := block(attrs(required("name", cty.String), optional("size", cty.String),
		computed("id", cty.String), optionalComputed("zone", cty.String)))
	ruleAttrs := func() []*tfschema.Attribute {
		return attrs(required("port", cty.String), computed("id", cty.String), optionalComputed("proto", cty.String))
	}
	withBlock := func(n tfschema.Nesting) *tfschema.Block {
		return block(nil, nestedBlock("rule", n, ruleAttrs()...))
	}
	withNested := func(n tfschema.Nesting) *tfschema.Block {
		return block(attrs(nestedAttr(optional("rule", cty.NilType), n, ruleAttrs()...)))
	}
	before := obj("port", str("80"), "id", str("r1"), "proto", str("tcp"))
	written := obj("port", str("80"), "id", nullStr, "proto", nullStr)
	other := obj("port", str("443"), "id", nullStr, "proto", nullStr)
	otherBefore := obj("port", str("443"), "id", str("r2"), "proto", str("udp"))

	tests := map[string]struct {
		block               *tfschema.Block
		prior, config, want cty.Value
	}{
		"create": {leaf, cty.NilVal,
			obj("name", str("a"), "size", nullStr, "id", nullStr, "zone", nullStr),
			obj("name", str("a"), "size", nullStr, "id", nullStr, "zone", nullStr)},
		"null and nothing": {leaf, cty.NilVal, cty.NilVal, cty.NullVal(leaf.ImpliedType())},
		"computed kept, optional dropped": {leaf,
			obj("name", str("a"), "size", str("big"), "id", str("i"), "zone", str("z")),
			obj("name", str("b"), "size", nullStr, "id", nullStr, "zone", nullStr),
			obj("name", str("b"), "size", nullStr, "id", str("i"), "zone", str("z"))},
		"optional computed written": {leaf,
			obj("name", str("a"), "size", nullStr, "id", str("i"), "zone", str("z")),
			obj("name", str("a"), "size", nullStr, "id", nullStr, "zone", cty.UnknownVal(cty.String)),
			obj("name", str("a"), "size", nullStr, "id", str("i"), "zone", cty.UnknownVal(cty.String))},

		"single block": {withBlock(tfschema.NestingSingle), obj("rule", before), obj("rule", written), obj("rule", before)},
		"single block gone": {withBlock(tfschema.NestingSingle), obj("rule", before),
			obj("rule", cty.NullVal(written.Type())), obj("rule", cty.NullVal(written.Type()))},
		"group block": {withBlock(tfschema.NestingGroup), obj("rule", before), obj("rule", written), obj("rule", before)},
		"list block by index": {withBlock(tfschema.NestingList),
			obj("rule", list(before, otherBefore)), obj("rule", list(other, written, other)),
			obj("rule", list(
				obj("port", str("443"), "id", str("r1"), "proto", str("tcp")),
				obj("port", str("80"), "id", str("r2"), "proto", str("udp")), other))},
		"list block emptied": {withBlock(tfschema.NestingList),
			obj("rule", list(before)), obj("rule", cty.ListValEmpty(before.Type())), obj("rule", cty.ListValEmpty(before.Type()))},
		"unknown dynamic block": {withBlock(tfschema.NestingList),
			obj("rule", list(before)), obj("rule", cty.UnknownVal(cty.List(before.Type()))), obj("rule", cty.UnknownVal(cty.List(before.Type())))},
		"map block by key": {withBlock(tfschema.NestingMap),
			obj("rule", mapOf("a", before, "b", otherBefore)), obj("rule", mapOf("a", written, "c", other)),
			obj("rule", mapOf("a", before, "c", other))},
		"set block by what is written": {withBlock(tfschema.NestingSet),
			obj("rule", set(before, otherBefore)), obj("rule", set(other, written)), obj("rule", set(otherBefore, before))},
		"set block changed": {withBlock(tfschema.NestingSet),
			obj("rule", set(before)), obj("rule", set(other)), obj("rule", set(other))},

		"single attribute": {withNested(tfschema.NestingSingle), obj("rule", before), obj("rule", written), obj("rule", before)},
		"single attribute unset": {withNested(tfschema.NestingSingle), obj("rule", before),
			obj("rule", cty.NullVal(before.Type())), obj("rule", cty.NullVal(before.Type()))},
		"list attribute": {withNested(tfschema.NestingList), obj("rule", list(before)), obj("rule", list(written, other)), obj("rule", list(before, other))},
		"map attribute": {withNested(tfschema.NestingMap),
			obj("rule", mapOf("a", before)), obj("rule", mapOf("a", written, "b", other)), obj("rule", mapOf("a", before, "b", other))},
		"set attribute": {withNested(tfschema.NestingSet),
			obj("rule", set(before, otherBefore)), obj("rule", set(written)), obj("rule", set(before))},
		"unknown attribute": {withNested(tfschema.NestingSet),
			obj("rule", set(before)), obj("rule", cty.UnknownVal(cty.Set(before.Type()))), obj("rule", cty.UnknownVal(cty.Set(before.Type())))},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantValue(t, tt.want, ProposedNew(tt.block, tt.prior, tt.config))
		})
	}
}

// An optional+computed object that is taken out of the configuration goes
// away only where configuration must have written it.
func TestProposedNewOptionalComputedObject(t *testing.T) {
	t.Parallel()
	b := block(attrs(nestedAttr(optionalComputed("o", cty.NilType), tfschema.NestingSingle,
		optional("written", cty.String), computed("made", cty.String))))
	ty := b.Attributes[0].Type
	config := obj("o", cty.NullVal(ty))

	made := obj("o", obj("written", nullStr, "made", str("x")))
	wantValue(t, made, ProposedNew(b, made, config))

	written := obj("o", obj("written", str("w"), "made", str("x")))
	wantValue(t, config, ProposedNew(b, written, config))
}

func TestProposedNewDynamicElements(t *testing.T) {
	t.Parallel()
	b := block(nil, nestedBlock("l", tfschema.NestingList, optional("v", cty.DynamicPseudoType), computed("id", cty.String)),
		nestedBlock("m", tfschema.NestingMap, optional("v", cty.DynamicPseudoType), computed("id", cty.String)))
	elem := func(v, id cty.Value) cty.Value { return obj("v", v, "id", id) }
	prior := obj("l", tuple(elem(str("a"), str("1"))), "m", obj("k", elem(cty.True, str("2"))))
	config := obj("l", tuple(elem(cty.True, nullStr), elem(str("b"), nullStr)), "m", obj("k", elem(str("x"), nullStr), "n", elem(cty.Zero, nullStr)))
	want := obj("l", tuple(elem(cty.True, str("1")), elem(str("b"), nullStr)), "m", obj("k", elem(str("x"), str("2")), "n", elem(cty.Zero, nullStr)))
	wantValue(t, want, ProposedNew(b, prior, config))
}

// Sets inside set elements must agree whole, and elements with the same
// written part are paired one to one.
func TestProposedNewSetCorrelation(t *testing.T) {
	t.Parallel()
	b := block(nil, &tfschema.NestedBlock{Name: "rule", Nesting: tfschema.NestingSet, Block: block(
		attrs(optional("cidrs", cty.Set(cty.String)), computed("id", cty.String)),
		nestedBlock("port", tfschema.NestingList, required("n", cty.String), computed("made", cty.String)))})
	rule := func(cidr, id cty.Value, n string, made cty.Value) cty.Value {
		return obj("cidrs", set(cidr), "id", id, "port", list(obj("n", str(n), "made", made)))
	}
	a := rule(str("10/8"), str("1"), "80", str("m"))
	c := rule(str("11/8"), str("3"), "81", str("n"))
	prior := obj("rule", set(a, c))
	config := obj("rule", set(rule(str("10/8"), nullStr, "80", nullStr), rule(str("12/8"), nullStr, "81", nullStr)))
	want := obj("rule", set(a, rule(str("12/8"), nullStr, "81", nullStr)))
	wantValue(t, want, ProposedNew(b, prior, config))
}

// With an unknown prior all that is computed is unknown: the placeholder of
// an object that cannot be read yet.
func TestProposedNewUnknownPrior(t *testing.T) {
	t.Parallel()
	b := block(attrs(required("name", cty.String), computed("id", cty.String)),
		nestedBlock("rule", tfschema.NestingList, optional("p", cty.String), computed("id", cty.String)))
	config := obj("name", str("a"), "id", nullStr, "rule", list(obj("p", str("1"), "id", nullStr)))
	want := obj("name", str("a"), "id", cty.UnknownVal(cty.String), "rule", list(obj("p", str("1"), "id", cty.UnknownVal(cty.String))))
	wantValue(t, want, ProposedNew(b, cty.UnknownVal(b.ImpliedType()), config))
}
