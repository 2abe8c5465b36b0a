package secret

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ident"
)

// ForImport returns the variable for a value that owner is imported by and that
// tells a secret. path is its place: id, or an attribute of identity.
func (e *Extractor) ForImport(owner Owner, path string, value cty.Value) Variable {
	words := strings.TrimPrefix(path, "identity.")
	return Variable{
		Name: e.name(ident.Slug(owner.Prefix + "_import_" + words)), Type: value.Type(), Value: value,
		Sensitive: true, Import: true, Owner: owner.Address, Path: path,
	}
}
