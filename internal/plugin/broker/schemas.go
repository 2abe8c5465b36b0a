package broker

import (
	"context"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// InstalledSchemas asks plugins on this machine for their schemas.
type InstalledSchemas struct {
	host  *host.Host
	store Store
	turns turns
}

var _ Schemas = (*InstalledSchemas)(nil)

// NewInstalledSchemas makes a source of schemas that installs nothing.
func NewInstalledSchemas(h *host.Host, store Store) *InstalledSchemas {
	return &InstalledSchemas{host: h, store: store}
}

// Schema implements [Schemas]. What a plugin makes of arguments may depend on
// more than these, so only answers to the value form are kept.
func (s *InstalledSchemas) Schema(ctx context.Context, d plugin.Descriptor) (string, diag.List) {
	found, diags := s.host.Finder().Find(plugin.Resource, wanted(d))
	if diags.HasErrors() {
		return "", diags
	}
	shelf := s.store.shelf(found)
	if argued(d) {
		shelf = ""
	}
	question := []string{"schema", d.Parameterization.Key(), d.Extension.Key()}
	done, err := s.turns.take(ctx, digest(append(question, found.Path, found.Name)...))
	if err != nil {
		return "", diag.List{gaveUp(err)}
	}
	defer done()
	if schema, ok := shelf.get(question...); ok {
		return schema, nil
	}
	schema, diags := s.ask(ctx, found, d, "")
	if !diags.HasErrors() {
		shelf.put(schema.Text, question...)
	}
	return schema.Text, diags
}

// ask asks the plugin, of whose schema the edition that held names is here.
func (s *InstalledSchemas) ask(ctx context.Context, found host.Found, d plugin.Descriptor, held string) (host.Schema, diag.List) {
	r, diags := s.host.OpenResource(ctx, found, d.Parameterization, d.Extension)
	if r == nil {
		return host.Schema{}, diags
	}
	defer r.Close()
	schema, more := r.SchemaUnless(ctx, held)
	return schema, append(diags, more...)
}

// argued reports whether d has arguments, of which a plugin may make something
// else tomorrow.
func argued(d plugin.Descriptor) bool {
	return len(d.Parameterization.Args)+len(d.Extension.Args) > 0
}

// wanted is the plugin that a descriptor names.
func wanted(d plugin.Descriptor) host.Wanted {
	return host.Wanted{Name: d.Source, Constraint: d.Constraint, Server: d.Server}
}
