package importer

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/importer/link"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// resource is one object on its way to becoming a block.
type resource struct {
	minimise.Minimal
	addr   tfaddr.Resource
	schema *tfschema.Schema
	body   *tfconfig.Body
	links  []link.Made
	// unlinked are values that a rule speaks of and that stayed literals.
	unlinked []link.Skipped
}

// assembly is the resources that became blocks, and those that did not.
type assembly struct {
	catalog   *tfschema.Catalog
	secrets   secrets
	resources []resource // by type and name
	failed    []minimise.Minimal
	extractor *secret.Extractor
	variables []secret.Variable
	// providerBody is the provider block without secrets, or nil.
	providerBody *tfconfig.Body
}

// assemble gives resources their names, bodies and links.
func (r *run) assemble(ctx context.Context, minimal []minimise.Minimal) (*assembly, diag.List) {
	a := &assembly{catalog: r.catalog, secrets: r.secrets, extractor: secret.NewExtractor()}
	for _, m := range minimal {
		if m.Diagnostics.HasErrors() {
			a.failed = append(a.failed, m)
			continue
		}
		schema, err := r.catalog.Resource(m.Object.Type)
		if err != nil { // it was read by this schema
			return nil, diag.FromError("IM0002", "No schema for resource type", err)
		}
		a.resources = append(a.resources, resource{Minimal: m, schema: schema})
	}
	a.name(r.req.EarlierNames, r.req.Taken)
	body, variables, diags := r.req.Config.extract(a.extractor)
	a.extractor.Guard(variables)
	diags = append(diags, a.lower(ctx)...)
	if r.req.Rules != nil {
		diags = append(diags, a.link(ctx, r.req.Rules)...)
	}
	a.providerBody, a.variables = body, append(a.variables, variables...)
	return a, diags
}

// name gives addresses and puts the resources in their order.
func (a *assembly) name(earlier func([]Known) []string, taken func(tfaddr.Resource) bool) {
	hints := make([]write.NameHint, len(a.resources))
	kept := a.earlierNames(earlier)
	for i, r := range a.resources {
		values := a.secrets.of(r.Object.Found)
		hints[i] = write.NameHint{
			Type: r.Object.Type, DisplayName: r.Object.Found.DisplayName, State: r.Object.State,
			Schema: r.schema.Block, Secrets: values, Wanted: r.Object.Found.Name, Earlier: kept[i],
			Identity: secret.CoverIdentity(r.Object.Identity, values), ID: secret.Cover(r.Object.Found.ID, values),
		}
	}
	for i, name := range write.Names(hints, taken) {
		a.resources[i].addr = tfaddr.Resource{Mode: tfaddr.Managed, Type: a.resources[i].Object.Type, Name: name}
	}
	slices.SortFunc(a.resources, func(x, y resource) int {
		return cmp.Or(cmp.Compare(x.addr.Type, y.addr.Type), cmp.Compare(x.addr.Name, y.addr.Name))
	})
}

// earlierNames asks for the names that the resources have, "" being none.
func (a *assembly) earlierNames(earlier func([]Known) []string) []string {
	if earlier == nil {
		return make([]string, len(a.resources))
	}
	known := make([]Known, len(a.resources))
	for i := range a.resources {
		known[i] = a.resources[i].known(a.secrets)
	}
	return earlier(known)
}

// lower turns configurations into bodies without secrets.
func (a *assembly) lower(ctx context.Context) diag.List {
	var diags diag.List
	for i, low := range a.lowered(ctx) {
		r := &a.resources[i]
		body, more := low.body, low.diags
		standIns := map[string]bool{}
		for _, u := range r.Unreadable {
			standIns[ctyx.PathString(u.Path)] = true
		}
		owner := secret.Owner{Address: r.addr.String(), Prefix: variablePrefix(r.addr)}
		body, variables, secretDiags := a.extractor.Extract(owner, r.schema.Block, body, standIns)
		r.body = body
		a.variables = append(a.variables, variables...)
		diags = append(append(diags, more.ForAddress(r.addr.String())...), secretDiags...)
	}
	return diags
}

// lowered is a configuration as it came out of [tfconfig.Lower].
type lowered struct {
	body  *tfconfig.Body
	diags diag.List
}

func (a *assembly) lowered(ctx context.Context) []lowered {
	ctx = context.WithoutCancel(ctx) // all or nothing
	return parallel.Map(ctx, runtime.GOMAXPROCS(0), a.resources, func(_ context.Context, r resource) lowered {
		body, diags := tfconfig.Lower(r.schema.Block, r.Config)
		return lowered{body, diags}
	})
}

// variablePrefix is the type's noun and the name, or the name alone where it
// begins with the noun.
func variablePrefix(addr tfaddr.Resource) string {
	noun := addr.Type[providerPrefix(addr.Type):]
	if addr.Name == noun || strings.HasPrefix(addr.Name, noun+"_") {
		return addr.Name
	}
	return noun + "_" + addr.Name
}

// providerPrefix is how much of a type's name stands for the provider.
func providerPrefix(typeName string) int {
	for i, c := range typeName {
		if c == '_' {
			return i + 1
		}
	}
	return 0
}

func (a *assembly) link(ctx context.Context, rules *link.Rules) diag.List {
	in := make([]link.Resource, len(a.resources))
	place := make(map[tfaddr.Resource]int, len(a.resources))
	for i, r := range a.resources {
		in[i] = link.Resource{Addr: r.addr, Body: r.body, Schema: r.schema.Block, State: r.Object.State, Identity: r.Object.Identity}
		place[r.addr] = i
	}
	linked, diags := link.Link(ctx, in, rules)
	if diags.HasErrors() {
		return diags
	}
	// Its warnings are about values that stayed literals: the report has them.
	for i, l := range linked.Resources {
		a.resources[i].body = l.Body
	}
	for _, made := range linked.Links {
		r := &a.resources[place[made.From]]
		r.links = append(r.links, made)
	}
	for _, skipped := range linked.Skipped {
		r := &a.resources[place[skipped.From]]
		r.unlinked = append(r.unlinked, skipped)
	}
	return nil
}

// written is the body of the block, meta-arguments included.
func (r *resource) written() *tfconfig.Body {
	paths := r.ignored()
	if len(paths) == 0 {
		return r.body
	}
	var ignored tfconfig.List
	for _, path := range paths {
		ignored.Items = append(ignored.Items, tfconfig.Reference{Traversal: traversal(path)})
	}
	out := &tfconfig.Body{Attributes: r.body.Attributes, Blocks: slices.Clone(r.body.Blocks)}
	out.Blocks = append(out.Blocks, &tfconfig.Block{Type: "lifecycle", Body: &tfconfig.Body{
		Attributes: []tfconfig.Attribute{{Name: "ignore_changes", Expr: ignored}},
	}})
	return out
}

// ignored are the places whose changes plans must ignore.
func (r *resource) ignored() []cty.Path {
	var out []cty.Path
	for _, u := range r.Unreadable {
		out = append(out, u.Path)
	}
	return append(out, r.Wavering...)
}

// traversal is the path the way ignore_changes wants it.
func traversal(path cty.Path) hcl.Traversal {
	var out hcl.Traversal
	for i, step := range path {
		switch s := step.(type) {
		case cty.GetAttrStep:
			if i == 0 {
				out = append(out, hcl.TraverseRoot{Name: s.Name})
			} else {
				out = append(out, hcl.TraverseAttr{Name: s.Name})
			}
		case cty.IndexStep:
			out = append(out, hcl.TraverseIndex{Key: s.Key})
		}
	}
	return out
}
