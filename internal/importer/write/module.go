package write

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/mod/semver"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// LocalName is what a module with resources of these types calls the
// provider: the word that all types begin with, so that none needs a
// `provider` argument (google, for google-beta), else the provider's type.
func LocalName(p tfaddr.Provider, types []string) string {
	common := ""
	for i, t := range types {
		word := impliedProvider(t)
		if i > 0 && word != common {
			return p.Type
		}
		common = word
	}
	if common == "" {
		return p.Type
	}
	return common
}

// impliedProvider is the local name that the tools assume for a type.
func impliedProvider(resourceType string) string {
	word, _, _ := strings.Cut(resourceType, "_")
	return word
}

// versions is the terraform block. The source is whole, host included, so
// that it equals the provider's address in the state for both tools, whose
// default hosts differ.
func versions(m Module) []*tfconfig.Block {
	requirement := tfconfig.Object{Items: []tfconfig.ObjectItem{{Key: "source", Value: tfconfig.Text(m.Provider.String())}}}
	if c := Constraint(m.Version); c != "" {
		requirement.Items = append(requirement.Items, tfconfig.ObjectItem{Key: "version", Value: tfconfig.Text(c)})
	}
	body := &tfconfig.Body{Blocks: []*tfconfig.Block{{
		Type: "required_providers",
		Body: &tfconfig.Body{Attributes: []tfconfig.Attribute{{Name: m.ProviderLocalName, Expr: requirement}}},
	}}}
	if needed := toolVersion(m.Imports); needed != "" {
		body.Attributes = []tfconfig.Attribute{{Name: "required_version", Expr: tfconfig.Text(needed)}}
	}
	return []*tfconfig.Block{{Type: "terraform", Body: body}}
}

// toolVersion is what the import blocks need: 1.5 knows them, 1.6 knows variables
// and 1.12 identities in them.
func toolVersion(imports []Import) string {
	needed := ""
	for _, i := range imports {
		switch {
		case i.ID == "":
			return ">= 1.12.0"
		case len(i.Variables) > 0:
			needed = ">= 1.6.0"
		case needed == "":
			needed = ">= 1.5.0"
		}
	}
	return needed
}

// Constraint accepts the version that the import was proven with and what
// semantic versioning calls compatible with it. It never accepts an older
// one, which could meet a state from its future. A prerelease is accepted by
// both tools only where it is asked for exactly. "" accepts everything.
func Constraint(version string) string {
	v := "v" + strings.TrimPrefix(version, "v")
	if !semver.IsValid(v) {
		return ""
	}
	canonical := strings.TrimPrefix(semver.Canonical(v), "v")
	if semver.Prerelease(v) != "" {
		return canonical
	}
	var major, minor, patch int
	if _, err := fmt.Sscanf(canonical, "%d.%d.%d", &major, &minor, &patch); err != nil {
		return canonical
	}
	if major == 0 {
		return fmt.Sprintf(">= %s, < 0.%d.0", canonical, minor+1)
	}
	return fmt.Sprintf(">= %s, < %d.0.0", canonical, major+1)
}

func provider(m Module) []*tfconfig.Block {
	return []*tfconfig.Block{{Type: "provider", Labels: []string{m.ProviderLocalName}, Body: m.ProviderConfig}}
}

// resourceBlock is the block of r, with the provider named where the type
// would imply another.
func resourceBlock(r Resource, localName string) *tfconfig.Block {
	body := r.Body
	if impliedProvider(r.Addr.Type) != localName {
		body = &tfconfig.Body{Attributes: []tfconfig.Attribute{{Name: "provider", Expr: tfconfig.Ref(localName)}}}
		if r.Body != nil {
			body.Attributes = append(body.Attributes, r.Body.Attributes...)
			body.Blocks = r.Body.Blocks
		}
	}
	kind := "resource"
	if r.Addr.Mode == tfaddr.Data {
		kind = "data"
	}
	return &tfconfig.Block{Type: kind, Labels: []string{r.Addr.Type, r.Addr.Name}, Body: body, Comment: r.Comment}
}

// imports are the import blocks, by address.
func imports(list []Import) []*tfconfig.Block {
	var out []*tfconfig.Block
	for _, i := range inOrder(list, func(a, b Import) int { return strings.Compare(a.To.String(), b.To.String()) }) {
		body := &tfconfig.Body{Attributes: []tfconfig.Attribute{{Name: "to", Expr: tfconfig.Ref(i.To.Type, i.To.Name)}}}
		if i.ID != "" {
			body.Attributes = append(body.Attributes, tfconfig.Attribute{Name: "id", Expr: i.part(ImportID, cty.StringVal(i.ID))})
		} else if i.Identity != cty.NilVal {
			body.Attributes = append(body.Attributes, tfconfig.Attribute{Name: "identity", Expr: i.identity()})
		}
		out = append(out, &tfconfig.Block{Type: "import", Body: body})
	}
	return out
}

// part is what the block says for a part of what it imports by.
func (i Import) part(name string, v cty.Value) tfconfig.Expr {
	if variable := i.Variables[name]; variable != "" {
		return tfconfig.Ref("var", variable)
	}
	return valueExpr(v)
}

// identity leaves out what an identity does not say.
func (i Import) identity() tfconfig.Expr {
	identity := ctyx.Unmark(i.Identity)
	var out tfconfig.Object
	for it := identity.ElementIterator(); it.Next(); {
		key, v := it.Element()
		if !v.IsNull() {
			out.Items = append(out.Items, tfconfig.ObjectItem{Key: key.AsString(), Value: i.part(key.AsString(), v)})
		}
	}
	return out
}
