package discover

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// Key is what f is called among all objects of the provider: its type, then
// its identity or, without one, its id. Equal keys are the same object;
// objects are sorted by it.
func (f Found) Key() string {
	if f.Identity != cty.NilVal {
		return f.Type + "\x00" + identityText(f.Identity)
	}
	return f.Type + "\x00" + f.ID
}

// identityText writes an identity's non-null parts in the order of their
// names. An identity of one part is that part alone, so that it sorts among
// ids.
func identityText(identity cty.Value) string {
	identity = ctyx.Unmark(identity)
	parts := identity.AsValueMap()
	var names []string
	for name, v := range parts {
		if !v.IsNull() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 1 {
		return valueText(parts[names[0]])
	}
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name + "=" + valueText(parts[name]) + "\x00")
	}
	return b.String()
}

// valueText writes a known value without loss; strings as they are.
func valueText(v cty.Value) string {
	if v.IsKnown() && v.Type() == cty.String {
		return v.AsString()
	}
	data, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return v.GoString()
	}
	return string(data)
}

// listedID is the id that a listed object or an identity of one part says
// the object has; or "".
func listedID(f Found) string {
	if f.ID != "" {
		return f.ID
	}
	if f.Object != cty.NilVal && !f.Object.IsNull() && f.Object.Type().HasAttribute("id") {
		if id := stringOf(f.Object.GetAttr("id")); id != "" {
			return id
		}
	}
	if f.Identity != cty.NilVal && len(f.Identity.Type().AttributeTypes()) == 1 {
		for _, v := range f.Identity.AsValueMap() {
			return stringOf(v)
		}
	}
	return ""
}

func stringOf(v cty.Value) string {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}
