package broker

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// source is one plugin's mappings for one ecosystem, as far as they are known.
// Only its first questions start the plugin.
type source struct {
	host             *host.Host
	shelf            shelf
	found            host.Found
	parameterization plugin.Parameterization
	ecosystem        string

	turn chan struct{} // holds one value while nobody uses the fields below
	// catalog is nil where the plugin was not asked for it yet.
	catalog *catalog
	data    map[string][]byte
	// failed is set when the plugin could not be asked. It is not asked again.
	failed bool
}

// catalog lists the mappings of a plugin.
type catalog struct {
	// Providers are those that it says it has mappings for.
	Providers []string `json:"providers,omitempty"`
	// Sole is the provider of its one mapping, of a plugin that does not say.
	Sole string `json:"sole,omitempty"`
}

func newSource(h *host.Host, s shelf, found host.Found, p plugin.Parameterization, ecosystem string) *source {
	turn := make(chan struct{}, 1)
	turn <- struct{}{}
	return &source{host: h, shelf: s, found: found, parameterization: p, ecosystem: ecosystem, turn: turn, data: map[string][]byte{}}
}

// ask returns the plugin's mapping for a provider.
func (s *source) ask(ctx context.Context, provider string) answer {
	select {
	case <-s.turn:
		defer func() { s.turn <- struct{}{} }()
	case <-ctx.Done():
		return answer{}
	}
	if s.failed {
		return answer{}
	}
	s.recall(provider)
	if s.settled(provider) {
		return s.known(provider)
	}
	diags := s.consult(ctx, provider)
	if diags.HasErrors() {
		s.failed = ctx.Err() == nil
		return answer{diags: asWarnings(s.found.Name, diags)}
	}
	a := s.known(provider)
	a.diags = diags
	return a
}

// settled reports whether the plugin need not be asked about a provider.
func (s *source) settled(provider string) bool {
	if s.catalog == nil {
		return false
	}
	_, ok := s.data[provider]
	return ok || !s.catalog.has(provider)
}

func (c catalog) has(provider string) bool {
	return c.Sole == provider && provider != "" || slices.Contains(c.Providers, provider)
}

func (s *source) known(provider string) answer {
	data, ok := s.data[provider]
	return answer{data: data, found: ok && len(data) > 0}
}

// recall takes over what the plugin said in an earlier run.
func (s *source) recall(provider string) {
	if s.catalog == nil {
		var c catalog
		if text, ok := s.shelf.get(s.question("mappings")...); ok && json.Unmarshal([]byte(text), &c) == nil {
			s.catalog = &c
		}
	}
	if _, ok := s.data[provider]; ok || s.catalog == nil || !s.catalog.has(provider) {
		return
	}
	if data, ok := s.shelf.get(s.question("mapping", provider)...); ok {
		s.data[provider] = []byte(data)
	}
}

func (s *source) question(words ...string) []string {
	return append(words, s.ecosystem, s.parameterization.Key())
}

// consult starts the plugin and asks it for its catalog, where that is not
// known, and for the mapping of a provider that is in it.
func (s *source) consult(ctx context.Context, provider string) diag.List {
	r, diags := s.host.OpenResource(ctx, s.found, s.parameterization)
	if r == nil {
		return diags
	}
	defer r.Close()
	if s.catalog == nil {
		if diags = append(diags, s.learnCatalog(ctx, r)...); diags.HasErrors() {
			return diags
		}
	}
	if s.settled(provider) {
		return diags
	}
	name := provider
	if s.catalog.Sole == provider {
		name = ""
	}
	mapping, more := r.Mapping(ctx, s.ecosystem, name)
	if diags = append(diags, more...); diags.HasErrors() {
		return diags
	}
	if mapping.Provider != provider {
		diags = append(diags, otherProvider(s.found, provider, mapping.Provider))
		mapping.Data = nil
	}
	s.learn(provider, mapping.Data)
	return diags
}

// learnCatalog asks what there is. A plugin that does not list its mappings is
// asked for the one that it may have.
func (s *source) learnCatalog(ctx context.Context, r *host.Resource) diag.List {
	var c catalog
	providers, diags := r.MappedProviders(ctx, s.ecosystem)
	if diags.HasErrors() {
		return diags
	}
	if c.Providers = providers; len(providers) == 0 {
		mapping, more := r.Mapping(ctx, s.ecosystem, "")
		if diags = append(diags, more...); diags.HasErrors() {
			return diags
		}
		if c.Sole = mapping.Provider; c.Sole != "" {
			s.learn(c.Sole, mapping.Data)
		}
	}
	s.catalog = &c
	if text, err := json.Marshal(c); err == nil {
		s.shelf.put(string(text), s.question("mappings")...)
	}
	return diags
}

func (s *source) learn(provider string, data []byte) {
	s.data[provider] = data
	s.shelf.put(string(data), s.question("mapping", provider)...)
}
