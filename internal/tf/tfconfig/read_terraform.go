package tfconfig

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// builtinHost and builtinNamespace address the provider inside the clients.
const (
	builtinHost      = "terraform.io"
	builtinNamespace = "builtin"
)

func (r *reader) terraformBlock(b *hcl.Block) {
	content, diags := b.Body.Content(&hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "required_version"}, {Name: "experiments"}, {Name: "language"}},
		Blocks: []hcl.BlockHeaderSchema{
			{Type: "backend", LabelNames: []string{"type"}}, {Type: "cloud"}, {Type: "required_providers"},
			{Type: "provider_meta", LabelNames: []string{"provider"}}, {Type: "encryption"},
		},
	})
	r.hcl(diags)
	r.requiredVersion(content)
	for _, inner := range content.Blocks {
		switch inner.Type {
		case "backend":
			r.backend(inner, inner.Labels[0])
		case "cloud":
			r.backend(inner, "cloud")
		case "encryption":
			r.module.Encryption = &inner.DefRange
		case "required_providers":
			r.requiredProviders(inner)
		case "provider_meta":
			r.providerMeta(inner)
		}
	}
}

func (r *reader) backend(b *hcl.Block, ty string) {
	if old := r.module.Backend; old != nil && !r.overriding {
		r.report(duplicate("backend", old.Range, b.DefRange))
		return
	}
	r.module.Backend = &Backend{Type: ty, Config: b.Body, Range: b.DefRange}
}

func (r *reader) providerMeta(b *hcl.Block) {
	name := b.Labels[0]
	if !r.providerName(name, b.LabelRanges[0]) {
		return
	}
	attrs, diags := b.Body.JustAttributes()
	r.hcl(diags)
	for _, key := range sortedNames(attrs) {
		_, diags := attrs[key].Expr.Value(nil)
		r.hcl(diags)
	}
	if r.module.ProviderMeta[name] != nil && !r.overriding {
		r.report(duplicate("provider_meta "+name, r.module.ProviderMeta[name].MissingItemRange(), b.DefRange))
		return
	}
	r.module.ProviderMeta[name] = b.Body
}

// providerName reports whether a local name is one that providers can have.
func (r *reader) providerName(name string, at hcl.Range) bool {
	addr, err := tfaddr.ParseProvider(name)
	switch {
	case err != nil:
		r.report(invalidSource(err, at))
	case addr.Type != name:
		r.report(otherCase(name, addr.Type, at))
	default:
		return true
	}
	return false
}

func (r *reader) requiredProviders(b *hcl.Block) {
	if !r.overriding {
		if r.required != nil {
			r.report(duplicate("required_providers block", *r.required, b.DefRange))
			return
		}
		r.required = &b.DefRange
	}
	attrs, diags := b.Body.JustAttributes()
	r.hcl(diags)
	for _, name := range sortedNames(attrs) {
		if old := r.module.Required[name]; old != nil && !r.overriding {
			r.report(duplicate("required provider "+name, old.Range, attrs[name].NameRange))
			continue
		}
		if p := r.requiredProvider(attrs[name]); p != nil {
			r.module.Required[name] = p
		}
	}
}

func (r *reader) requiredProvider(attr *hcl.Attribute) *RequiredProvider {
	p := &RequiredProvider{Name: attr.Name, Range: attr.Range}
	pairs, diags := hcl.ExprMap(attr.Expr)
	if diags.HasErrors() { // the form of Terraform 0.12: the constraint alone
		p.Constraints, _ = r.constraint(attr.Expr)
		return r.resolveSource(p, true)
	}
	ok := r.providerName(p.Name, attr.NameRange)
	for _, pair := range pairs {
		key, good := r.literalString(pair.Key)
		switch {
		case !good:
			ok = false
		case key == "source":
			p.Source, good = r.literalString(pair.Value)
			ok = ok && good
			if good && p.Source == "" {
				r.report(wantLiteral("an address", pair.Value.Range()))
			}
		case key == "version":
			if p.Constraints, good = r.literalString(pair.Value); good {
				_, _ = r.constraint(pair.Value)
			}
			ok = ok && good
		case key == "configuration_aliases":
			p.Aliases = r.configurationAliases(p.Name, pair.Value)
		default:
			r.report(unknownProviderArgument(key, pair.Key.Range()))
		}
	}
	return r.resolveSource(p, ok)
}

func (r *reader) configurationAliases(of string, expr hcl.Expression) []ProviderRef {
	exprs, diags := hcl.ExprList(expr)
	r.hcl(diags)
	var refs []ProviderRef
	for _, e := range exprs {
		ref, ok := r.providerRef(e)
		switch {
		case !ok:
		case ref.Name != of || ref.Key != nil:
			r.report(foreignAlias(of, e.Range()))
		default:
			refs = append(refs, *ref)
		}
	}
	return refs
}

func (r *reader) resolveSource(p *RequiredProvider, ok bool) *RequiredProvider {
	if !ok {
		return nil
	}
	source := p.Source
	if source == "" {
		source = p.Name
	}
	addr, err := r.sourceAddress(source)
	if err != nil {
		r.report(invalidSource(err, p.Range))
		return nil
	}
	if p.Source != "" && strings.HasPrefix(addr.Type, "terraform-") {
		r.report(redundantPrefix(addr.Type, p.Range))
		return nil
	}
	p.Provider = addr
	return p
}

func (r *reader) sourceAddress(source string) (tfaddr.Provider, error) {
	if source == "terraform" || source == builtinHost+"/"+builtinNamespace+"/terraform" {
		return tfaddr.Provider{Host: builtinHost, Namespace: builtinNamespace, Type: "terraform"}, nil
	}
	addr, err := tfaddr.ParseProvider(source)
	if err == nil && r.opts.DefaultHost != "" && strings.Count(source, "/") < 2 {
		addr.Host = r.opts.DefaultHost
	}
	return addr, err
}

// IsBuiltin reports whether p is the provider that Terraform itself contains.
func IsBuiltin(p tfaddr.Provider) bool {
	return p.Host == builtinHost && p.Namespace == builtinNamespace
}

// providerNames are the local names that blocks use, sorted by nothing.
func (r *reader) providerNames() []ProviderRef {
	var out []ProviderRef
	for _, p := range r.module.Providers {
		out = append(out, ProviderRef{Name: p.Name, Range: p.Range})
	}
	for _, group := range []map[tfaddr.Resource]*ResourceBlock{r.module.Resources, r.module.Ephemerals} {
		for _, res := range group {
			out = append(out, ProviderRef{Name: res.ProviderName(), Range: res.Range})
		}
	}
	for _, check := range r.module.Checks {
		if check.Data != nil {
			out = append(out, ProviderRef{Name: check.Data.ProviderName(), Range: check.Range})
		}
	}
	return out
}

// impliedProvider is what a local name means that is not declared.
func (r *reader) impliedProvider(ref ProviderRef) *RequiredProvider {
	addr, err := r.sourceAddress(ref.Name)
	if err != nil {
		r.report(invalidSource(err, ref.Range))
	}
	return &RequiredProvider{Name: ref.Name, Provider: addr, Implied: true, Range: ref.Range}
}

// typePrefix is the provider name in a resource type: all before the first
// underscore.
func typePrefix(resourceType string) string {
	name, _, _ := strings.Cut(resourceType, "_")
	return name
}

// literalString evaluates what must be a plain string.
func (r *reader) literalString(expr hcl.Expression) (string, bool) {
	v, diags := expr.Value(nil)
	r.hcl(diags)
	if diags.HasErrors() {
		return "", false
	}
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		r.report(wantLiteral("a string", expr.Range()))
		return "", false
	}
	return v.AsString(), true
}

func (r *reader) literalBool(expr hcl.Expression) bool {
	v, diags := expr.Value(nil)
	r.hcl(diags)
	if diags.HasErrors() {
		return false
	}
	switch {
	case v.RawEquals(cty.True) || v.RawEquals(cty.StringVal("true")):
		return true
	case v.RawEquals(cty.False) || v.RawEquals(cty.StringVal("false")):
		return false
	}
	r.report(wantLiteral("true or false", expr.Range()))
	return false
}
