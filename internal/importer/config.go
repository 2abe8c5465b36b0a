package importer

import (
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// ProviderConfig is the provider block to write. The zero value writes an
// empty one: the provider takes all from its environment.
type ProviderConfig struct {
	// LocalName is the block's label.
	LocalName string
	Schema    *tfschema.Block
	// Body holds what the user configured, secrets included; nil is nothing.
	Body *tfconfig.Body
}

// extract returns the body to write and the secrets that were in it.
func (c ProviderConfig) extract(extractor *secret.Extractor) (*tfconfig.Body, []secret.Variable, diag.List) {
	if c.Body == nil {
		return nil, nil, nil
	}
	owner := secret.Owner{Address: `provider "` + c.LocalName + `"`, Prefix: c.LocalName}
	return extractor.Extract(owner, secret.Named(c.Schema), c.Body, nil)
}
