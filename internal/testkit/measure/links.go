package measure

import (
	"context"
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/link"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// links links resources in memory: the one stage that looks at all of them
// together.
func (s *suite) links(ctx context.Context) error {
	if s.Links == 0 {
		return nil
	}
	s.say("linking %s resources", count(s.Links))
	rules, diags := link.ParseRules("bench.hcl", []byte(chainRules))
	if diags.HasErrors() {
		return diags.Err()
	}
	resources := chain(s.Links)
	began := time.Now()
	result, diags := link.Link(ctx, resources, rules)
	took := time.Since(began)
	if diags.HasErrors() {
		return diags.Err()
	}
	group := "Linking " + count(s.Links) + " resources"
	s.report.add(group, "link", took.Seconds(), "s", target{})
	s.report.share(group, "links made of those there are", len(result.Links), 2*(s.Links-1), exactly(100))
	return nil
}

const chainRules = `link_item = {
  "parent"    = link_item.id
  "friends[]" = link_item.arn
}
`

// chain is n resources, each but the first with two references to those
// before it: one in an attribute, and one in a list beside a stranger.
func chain(n int) []link.Resource {
	schema := &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "arn", Type: cty.String, Computed: true},
		{Name: "friends", Type: cty.List(cty.String), Optional: true},
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "parent", Type: cty.String, Optional: true},
	}}
	out := make([]link.Resource, n)
	for i := range out {
		vals := map[string]cty.Value{
			"id": cty.StringVal(fmt.Sprintf("item-%d", i)), "arn": cty.StringVal(fmt.Sprintf("arn:item/%d", i)),
			"parent": cty.NullVal(cty.String), "friends": cty.ListValEmpty(cty.String),
		}
		if i > 0 {
			vals["parent"] = cty.StringVal(fmt.Sprintf("item-%d", i/2))
			vals["friends"] = cty.ListVal([]cty.Value{cty.StringVal("arn:stranger"), cty.StringVal(fmt.Sprintf("arn:item/%d", i-1))})
		}
		state := cty.ObjectVal(vals)
		body, _ := tfconfig.Lower(schema, state) // plain text cannot fail
		out[i] = link.Resource{
			Addr: tfaddr.Resource{Mode: tfaddr.Managed, Type: "link_item", Name: fmt.Sprintf("item_%d", i)},
			Body: body, Schema: schema, State: state,
		}
	}
	return out
}
