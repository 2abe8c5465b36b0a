package importer

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// secrets are the sensitive values of every object that was seen, sorted:
// those of objects that failed as well, since what providers say of a failure
// may quote them.
func secrets(catalog *tfschema.Catalog, found []discover.Found, outcomes []read.Outcome, minimal []minimise.Minimal) []string {
	all := map[string]bool{}
	add := func(typeName string, object cty.Value) {
		if object == cty.NilVal {
			return
		}
		schema, err := catalog.Resource(typeName)
		if err != nil {
			return // without a schema it has not been read
		}
		for _, text := range secret.Values(schema.Block, object) {
			all[text] = true
		}
	}
	for _, f := range found {
		add(f.Type, f.Object)
	}
	for _, outcome := range outcomes {
		for _, o := range outcome.Objects {
			add(o.Type, o.State)
		}
	}
	for _, m := range minimal { // settling may add some
		add(m.Object.Type, m.Object.State)
	}
	return slices.Sorted(maps.Keys(all))
}
