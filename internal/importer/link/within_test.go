package link

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestLinkWithin looks for names where they are unique.
func TestLinkWithin(t *testing.T) {
	t.Parallel()
	secret := &tfschema.Attribute{Name: "token", Type: cty.String, Optional: true, Sensitive: true}
	shelf := schema([]*tfschema.Attribute{text("name"), text("database"), typed("region", cty.Number), typed("tags", cty.Set(cty.String)), secret})
	grant := schema([]*tfschema.Attribute{text("shelf"), text("database"), text("db"), typed("region", cty.Number), typed("tags", cty.Set(cty.String)), secret})
	num := func(n int64) cty.Value { return cty.NumberIntVal(n) }
	shelves := []Resource{
		resource(t, "x_shelf.a", shelf, values{"id": str("1"), "name": str("public"), "database": str("a"), "region": num(1)}),
		resource(t, "x_shelf.b", shelf, values{"id": str("2"), "name": str("public"), "database": str("b"), "region": num(1)}),
		resource(t, "x_shelf.b2", shelf, values{"id": str("3"), "name": str("public"), "database": str("b"), "region": num(2)}),
		resource(t, "x_shelf.none", shelf, values{"id": str("4"), "name": str("public")}),
		resource(t, "x_shelf.known", shelf, values{"id": str("5"), "name": str("public"), "token": str("s"), "tags": cty.SetVal(strs("t"))}),
	}
	shelves[4].State = without(shelves[4].State, "database")
	shelves[4].Identity = values{"database": str("of-identity")}.object()

	cases := map[string]struct {
		rule  string
		state values
		want  string // the link, or why there is none
	}{
		"same name":      {`x_shelf[database].name`, values{"database": str("a")}, "x_shelf.a.name"},
		"own name":       {`x_shelf[{ database = db }].name`, values{"db": str("a"), "database": str("b")}, "x_shelf.a.name"},
		"two":            {`x_shelf[{ database = database, region = region }].name`, values{"database": str("b"), "region": num(2)}, "x_shelf.b2.name"},
		"not enough":     {`x_shelf[database].name`, values{"database": str("b")}, "several resources have the value: x_shelf.b, x_shelf.b2"},
		"nowhere":        {`x_shelf[database].name`, values{"database": str("c")}, "no imported resource has the value"},
		"unset in both":  {`x_shelf[database].name`, values{}, "x_shelf.none.name"},
		"empty is unset": {`x_shelf[database].name`, values{"database": str("")}, "x_shelf.none.name"},
		"of an identity": {`x_shelf[database].name`, values{"database": str("of-identity")}, "x_shelf.known.name"},
		"the next":       {`[x_shelf[{ database = db }].name, x_shelf[database].name]`, values{"db": str("z"), "database": str("a")}, "x_shelf.a.name"},
		"in a text":      {`"${x_shelf[database].name}.${any}"`, values{"shelf": str("public.x"), "database": str("a")}, `"${x_shelf.a.name}.x"`},
		"a secret":       {`x_shelf[token].name`, values{"token": str("s")}, "no imported resource has the value"},
		"a set":          {`x_shelf[tags].name`, values{"tags": cty.SetVal(strs("t"))}, "no imported resource has the value"},
		"no such":        {`x_shelf[{ database = nothing }].name`, values{"database": str("a")}, "no imported resource has the value"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tc.state["shelf"] == cty.NilVal {
				tc.state["shelf"] = str("public")
			}
			from := resource(t, "x_grant.g", grant, tc.state)
			result, _ := Link(t.Context(), append(shelves[:len(shelves):len(shelves)], from), parse(t, "x_grant = { shelf = "+tc.rule+" }"))
			got := printed(result.Resources[len(shelves)])
			for _, s := range result.Skipped {
				got = s.Why()
			}
			if !strings.Contains(got, tc.want) {
				t.Errorf("got:\n%s\nwant in it:\n%s", got, tc.want)
			}
		})
	}
}

// TestWithinAndWithout asks for one attribute in two ways.
func TestWithinAndWithout(t *testing.T) {
	t.Parallel()
	s := schema([]*tfschema.Attribute{text("name"), text("space"), text("near"), text("far")})
	resources := []Resource{
		resource(t, "x_thing.a", s, values{"name": str("n"), "space": str("one")}),
		resource(t, "x_thing.b", s, values{"name": str("m"), "space": str("two"), "near": str("n"), "far": str("n")}),
	}
	result, _ := Link(t.Context(), resources, parse(t, `x_thing = {
  near = x_thing[space].name
  far  = x_thing.name
}`))
	if diff := cmp.Diff([]string{"x_thing.b: far = x_thing.a.name (rules.hcl:3)"}, madeLines(result)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func without(object cty.Value, name string) cty.Value {
	members := object.AsValueMap()
	delete(members, name)
	return cty.ObjectVal(members)
}
