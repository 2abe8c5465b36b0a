package secret

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// Unmistakable is the length, in bytes, from which a value that is found in an
// attribute is the secret and not a word that happens to be a password, such as
// postgres.
const Unmistakable = 16

// Guard has attributes moved that hold one of the sensitive values of these
// variables, although their own schema does not say that they may: what opens
// the provider is written nowhere, whoever was given it as well.
func (e *Extractor) Guard(variables []Variable) {
	for _, v := range variables {
		if !v.Sensitive {
			continue
		}
		for _, text := range Texts(v.Value) {
			if len(text) >= Unmistakable {
				e.guarded = append(e.guarded, text)
			}
		}
	}
}

// tells reports whether a string in an expression holds what is guarded.
func (x *extraction) tells(expr tfconfig.Expr) bool {
	if len(x.names.guarded) == 0 {
		return false
	}
	switch e := expr.(type) {
	case tfconfig.Literal:
		return e.Value.Type() == cty.String && !e.Value.IsNull() && Tells(e.Value.AsString(), x.names.guarded)
	case tfconfig.List:
		return slices.ContainsFunc(e.Items, x.tells)
	case tfconfig.Object:
		return slices.ContainsFunc(e.Items, func(item tfconfig.ObjectItem) bool { return x.tells(item.Value) })
	case tfconfig.JSONEncode:
		return x.tells(e.Value)
	case tfconfig.Template:
		return slices.ContainsFunc(e.Parts, x.tells)
	case tfconfig.Call:
		return slices.ContainsFunc(e.Args, x.tells)
	}
	return false
}
