package tfplan

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func TestCheckPlanned(t *testing.T) {
	t.Parallel()
	unknown := cty.UnknownVal(cty.String)
	leaf := block(attrs(optional("o", cty.String), computed("c", cty.String), optionalComputed("oc", cty.String),
		&tfschema.Attribute{Name: "w", Type: cty.String, Optional: true, WriteOnly: true}))
	val := func(o, c, oc cty.Value) cty.Value { return obj("o", o, "c", c, "oc", oc, "w", nullStr) }
	in := func(n tfschema.Nesting) *tfschema.Block {
		return block(nil, nestedBlock("b", n, optional("o", cty.String)))
	}
	inAttr := func(n tfschema.Nesting) *tfschema.Block {
		return block(attrs(nestedAttr(optional("b", cty.NilType), n, optional("o", cty.String))))
	}
	e := func(s string) cty.Value { return obj("o", str(s)) }
	ty := e("").Type()

	tests := map[string]struct {
		block                  *tfschema.Block
		prior, config, planned cty.Value
		want                   []string
	}{
		"as written":          {leaf, cty.NilVal, val(str("a"), nullStr, nullStr), val(str("a"), unknown, str("d")), nil},
		"prior instead":       {leaf, val(str("A"), str("i"), str("z")), val(str("a"), nullStr, nullStr), val(str("A"), str("i"), str("z")), nil},
		"default not allowed": {leaf, cty.NilVal, val(nullStr, nullStr, nullStr), val(str("d"), unknown, unknown), []string{"o: The plan has a value for an attribute that is neither written nor computed"}},
		"other than written":  {leaf, cty.NilVal, val(str("a"), nullStr, nullStr), val(str("b"), unknown, unknown), []string{"o: The planned value is not the configured one"}},
		"neither":             {leaf, val(str("c"), nullStr, nullStr), val(str("a"), nullStr, nullStr), val(str("b"), unknown, unknown), []string{"o: The planned value is neither the configured nor the prior one"}},
		"computed overridden": {leaf, cty.NilVal, val(nullStr, nullStr, str("z")), val(nullStr, unknown, str("y")), []string{"oc: The planned value is not the configured one"}},
		"write-only nulled":   {leaf, cty.NilVal, obj("o", nullStr, "c", nullStr, "oc", nullStr, "w", str("s")), val(nullStr, unknown, unknown), nil},
		"vanished":            {leaf, cty.NilVal, val(nullStr, nullStr, nullStr), cty.NullVal(leaf.ImpliedType()), []string{": The configuration wants this object, but the plan has none"}},
		"appeared":            {leaf, cty.NilVal, cty.NilVal, val(nullStr, nullStr, nullStr), []string{": The configuration does not have this object, but the plan does"}},

		"list block shorter":  {in(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"), e("2"))), obj("b", list(e("1"))), []string{"b[1]: The plan lacks an element that configuration has"}},
		"list block longer":   {in(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", list(e("1"), e("2"))), []string{"b[1]: The plan has an element that configuration does not have"}},
		"list block null":     {in(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", cty.NullVal(cty.List(ty))), []string{"b: The plan is null for nested blocks, where none is an empty collection"}},
		"list block of null":  {in(tfschema.NestingList), cty.NilVal, obj("b", cty.NullVal(cty.List(ty))), obj("b", cty.ListValEmpty(ty)), nil},
		"list block element":  {in(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", list(e("x"))), []string{"b[0].o: The planned value is not the configured one"}},
		"unknown blocks":      {in(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", cty.UnknownVal(cty.List(ty))), []string{"b: The plan is unknown for nested blocks, of which only attributes may be unknown"}},
		"unknown block":       {in(tfschema.NestingSet), cty.NilVal, obj("b", set(e("1"))), obj("b", set(cty.UnknownVal(ty))), []string{"b[*]: The plan is unknown for a nested block, of which only attributes may be unknown"}},
		"set blocks trusted":  {in(tfschema.NestingSet), cty.NilVal, obj("b", set(e("1"))), obj("b", set(e("2"), e("3"))), nil},
		"dynamic block known": {in(tfschema.NestingSet), cty.NilVal, obj("b", cty.UnknownVal(cty.Set(ty))), obj("b", set(e("2"))), []string{"b: The plan has blocks where configuration does not know how many there are"}},
		"map block keys": {in(tfschema.NestingMap), cty.NilVal, obj("b", mapOf("k", e("1"))), obj("b", mapOf("l", e("1"))),
			[]string{`b["l"]: The plan has an element that configuration does not have`, `b["k"]: The plan lacks an element that configuration has`}},
		"single block gone": {in(tfschema.NestingSingle), cty.NilVal, obj("b", e("1")), obj("b", cty.NullVal(ty)), []string{"b: The configuration wants this object, but the plan has none"}},

		"attribute unknown":       {inAttr(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", cty.UnknownVal(cty.List(ty))), []string{"b: The plan is unknown for an attribute that is written"}},
		"attribute element":       {inAttr(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", list(e("2"))), []string{"b[0].o: The planned value is not the configured one"}},
		"attribute element null":  {inAttr(tfschema.NestingList), cty.NilVal, obj("b", list(e("1"))), obj("b", list(cty.NullVal(ty))), []string{"b[0]: The configuration wants this object, but the plan has none"}},
		"set attribute count":     {inAttr(tfschema.NestingSet), cty.NilVal, obj("b", set(e("1"))), obj("b", set(e("2"), e("3"))), []string{"b: The number of elements in the plan is not the configured one"}},
		"set attribute same size": {inAttr(tfschema.NestingSet), cty.NilVal, obj("b", set(e("1"))), obj("b", set(e("2"))), nil},
		"count unknown":           {inAttr(tfschema.NestingMap), cty.NilVal, obj("b", cty.UnknownVal(cty.Map(ty))), obj("b", mapOf("a", e("1"))), []string{"b: The plan has elements where configuration does not know how many there are"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblems(t, tt.want, CheckPlanned(tt.block, tt.prior, tt.config, tt.planned, false))
			wantProblems(t, nil, CheckPlanned(tt.block, tt.prior, tt.config, tt.planned, true))
		})
	}
}

func TestCheckPlannedType(t *testing.T) {
	t.Parallel()
	b := block(attrs(optional("o", cty.String)))
	config := obj("o", str("a"))
	wantProblems(t, []string{"o: The value does not fit the provider's own schema: string required, but received bool"},
		CheckPlanned(b, cty.NilVal, config, obj("o", cty.True), true))
	wantProblems(t, []string{": The value does not fit the provider's own schema: there is no value"},
		CheckPlanned(b, cty.NilVal, config, cty.NilVal, false))
}

func TestCheckApplied(t *testing.T) {
	t.Parallel()
	unknown := cty.UnknownVal(cty.String)
	b := block(attrs(optional("o", cty.String), optional("l", cty.List(cty.String)), optional("s", cty.Set(cty.String)), optional("d", cty.DynamicPseudoType)),
		nestedBlock("bl", tfschema.NestingList, optional("x", cty.String)), nestedBlock("bs", tfschema.NestingSet, optional("x", cty.String)))
	base := obj("o", str("a"), "l", list(str("1")), "s", set(str("p"), str("q")), "d", cty.True,
		"bl", list(obj("x", str("1"))), "bs", set(obj("x", str("1"))))
	with := func(name string, v cty.Value) cty.Value {
		vals := base.AsValueMap()
		vals[name] = v
		return cty.ObjectVal(vals)
	}
	x := func(v cty.Value) cty.Value { return obj("x", v) }
	tests := map[string]struct {
		planned, actual cty.Value
		want            []string
	}{
		"equal":              {base, base, nil},
		"unknown fulfilled":  {with("o", unknown), base, nil},
		"null may stay out":  {with("o", unknown), with("o", nullStr), nil},
		"refinement broken":  {with("o", unknown.RefineNotNull()), with("o", nullStr), []string{"o: The value is outside of what the plan promised"}},
		"changed":            {base, with("o", str("b")), []string{"o: The value is not the planned one"}},
		"now null":           {base, with("o", nullStr), []string{"o: The value was planned and is now null"}},
		"was null":           {with("o", nullStr), base, []string{"o: The value was planned to be null and is not"}},
		"now unknown":        {base, with("o", unknown), []string{"o: The value was known in the plan and is now unknown"}},
		"list element":       {base, with("l", list(str("2"))), []string{"l[0]: The value is not the planned one"}},
		"list grew":          {base, with("l", list(str("1"), str("2"))), []string{"l[1]: The element was not planned"}},
		"list shrank":        {base, with("l", cty.ListValEmpty(cty.String)), []string{"l[0]: The planned element is not there"}},
		"set changed":        {base, with("s", set(str("p"), str("r"))), []string{"s: The elements of the set are not the planned ones"}},
		"set unknowns merge": {with("s", set(str("p"), unknown)), with("s", set(str("p"))), nil},
		"set grew":           {with("s", set(unknown)), with("s", set(str("p"), str("q"))), []string{"s: The set grew from 1 to 2 elements"}},
		"dynamic type":       {base, with("d", str("x")), []string{"d: The type of the value is not the planned one"}},
		"block changed":      {base, with("bl", list(x(str("2")))), []string{"bl[0].x: The value is not the planned one"}},
		"block unknown":      {with("bl", list(x(unknown))), base, nil},
		"set block":          {with("bs", set(x(unknown))), base, nil},
		"set block changed":  {base, with("bs", set(x(str("2")))), []string{"bs: The elements of the set are not the planned ones"}},
		"dynamic blocks":     {with("bs", cty.UnknownVal(cty.Set(x(unknown).Type()))), base, nil},
		"gone":               {base, cty.NullVal(b.ImpliedType()), []string{": The value was planned and is now null"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wantProblems(t, tt.want, CheckApplied(b, tt.planned, tt.actual, false, tfprovider.Kept{}))
			wantProblems(t, nil, CheckApplied(b, tt.planned, tt.actual, true, tfprovider.Kept{}))
		})
	}
}

func TestNormalizeLegacy(t *testing.T) {
	t.Parallel()
	inner := nestedBlock("in", tfschema.NestingSet, optional("x", cty.String))
	b := block(attrs(optional("o", cty.List(cty.String))),
		&tfschema.NestedBlock{Name: "l", Nesting: tfschema.NestingList, Block: block(nil, inner)},
		nestedBlock("s", tfschema.NestingSet, optional("x", cty.String)),
		nestedBlock("g", tfschema.NestingGroup, optional("x", cty.String)),
		nestedBlock("one", tfschema.NestingSingle, optional("x", cty.String)))
	x := func(v cty.Value) cty.Value { return obj("x", v) }
	ty := x(nullStr).Type()
	noAttr := cty.NullVal(cty.List(cty.String))
	normal := obj("o", noAttr, "l", list(obj("in", cty.SetValEmpty(ty))), "s", cty.SetValEmpty(ty), "g", x(nullStr), "one", cty.NullVal(ty))

	wantValue(t, normal, NormalizeLegacy(b, normal))
	wantValue(t, normal, NormalizeLegacy(b, obj("o", noAttr, "l", list(obj("in", cty.NullVal(cty.Set(ty)))),
		"s", cty.NullVal(cty.Set(ty)), "g", cty.NullVal(ty), "one", cty.NullVal(ty))))
	unknownX := x(cty.UnknownVal(cty.String))
	wantValue(t, obj("o", noAttr, "l", list(obj("in", set(unknownX))), "s", set(unknownX), "g", unknownX, "one", unknownX),
		NormalizeLegacy(b, obj("o", noAttr, "l", cty.UnknownVal(cty.List(obj("in", cty.SetValEmpty(ty)).Type())),
			"s", cty.UnknownVal(cty.Set(ty)), "g", cty.UnknownVal(ty), "one", cty.UnknownVal(ty))))
	wantValue(t, cty.NullVal(b.ImpliedType()), NormalizeLegacy(b, cty.NilVal))
}
