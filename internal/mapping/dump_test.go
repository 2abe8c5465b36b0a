package mapping_test

import (
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/mapping"
)

// dump writes all of a package as text, a property to a line.
func dump(pkg *mapping.Package) (string, error) {
	d := &dumper{}
	provider, err := pkg.Provider()
	if err != nil {
		return "", err
	}
	d.line("%s %s prefix %s", pkg.Name, pkg.Version, pkg.Prefix)
	d.line("provider %s", provider.Token)
	d.object(provider.Object, "  ")
	config, err := pkg.BuildConfig()
	if err != nil {
		return "", err
	}
	d.line("config")
	d.object(config, "  ")
	for _, m := range pkg.Resources() {
		r, err := pkg.Resource(m.Token)
		if err != nil {
			return "", err
		}
		d.resource(r)
	}
	for _, m := range pkg.Functions() {
		f, err := pkg.Function(m.Token)
		if err != nil {
			return "", err
		}
		d.function(f)
	}
	return d.String(), nil
}

type dumper struct{ strings.Builder }

func (d *dumper) line(format string, args ...any) {
	d.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (d *dumper) resource(r *mapping.Resource) {
	d.line("resource %s is %s, ID from %q as %q", r.Token, r.Terraform, r.ID.Attribute, r.ID.Property)
	if r.Identity != nil {
		d.line("  has an identity")
	}
	d.object(r.Object, "  ")
	if r.List != nil {
		d.line("  listed by")
		d.object(r.List, "    ")
	}
}

func (d *dumper) function(f *mapping.Function) {
	kind := map[mapping.FunctionKind]string{
		mapping.FunctionDataSource: "data source", mapping.FunctionProvider: "function", mapping.FunctionEphemeral: "ephemeral",
	}[f.Kind]
	d.line("%s %s is %s", kind, f.Token, f.Terraform)
	d.object(f.Inputs, "  ")
	if f.Outputs != f.Inputs {
		d.line("  gives, wrapped %t", f.Wrapped)
		d.object(f.Outputs, "    ")
	}
}

func (d *dumper) object(o *mapping.Object, indent string) {
	for _, p := range o.Properties {
		d.line("%s%s is %s: %s %s", indent, p.Name, p.Terraform, d.typ(p.Type), strings.Join(traits(p), ", "))
		d.nested(p.Type, indent+"  ")
	}
}

func (d *dumper) nested(t *mapping.Type, indent string) {
	if t.Object != nil {
		d.object(t.Object, indent)
	}
	if t.Elem != nil {
		d.nested(t.Elem, indent)
	}
	for _, e := range t.Elems {
		d.nested(e, indent)
	}
}

func (d *dumper) typ(t *mapping.Type) string {
	flat := ""
	if t.Flat {
		flat = "flat "
	}
	switch t.Kind {
	case mapping.KindString, mapping.KindNumber, mapping.KindBool, mapping.KindAny:
		return []string{"string", "number", "bool", "any"}[t.Kind-mapping.KindString]
	case mapping.KindArray:
		if t.Elem == nil {
			return fmt.Sprintf("tuple of %d", len(t.Elems))
		}
		return t.Terraform.FriendlyName() + " as array of " + d.typ(t.Elem)
	case mapping.KindMap:
		return "map of " + d.typ(t.Elem)
	default:
		return flat + "object " + t.Object.TypeName
	}
}

func traits(p *mapping.Property) []string {
	var out []string
	for _, t := range []struct {
		has  bool
		name string
	}{
		{p.Required, "required"}, {p.Optional, "optional"}, {p.Computed, "computed"}, {p.Block, "block"},
		{p.Nesting != 0, p.Nesting.String()}, {p.Min > 0 || p.Max > 0, fmt.Sprintf("%d to %d", p.Min, p.Max)},
		{p.Secret, "secret"}, {p.WriteOnly, "write-only"}, {p.Autonamed, "autonamed"}, {p.Deprecated != "", "deprecated: " + p.Deprecated},
	} {
		if t.has {
			out = append(out, t.name)
		}
	}
	return out
}
