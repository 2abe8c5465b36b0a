package broker

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// InstalledMappings asks resource plugins on this machine for their mappings:
// first the one that is expected to know, then the others, the newest version
// of each. A plugin that cannot be asked is passed over and reported, once.
type InstalledMappings struct {
	host    *host.Host
	store   Store
	install func(ctx context.Context, name string) diag.List
	turns   turns

	mu      sync.Mutex // guards the fields below
	sources map[string]*source
	tried   map[string]diag.List // what came of installing plugins, by name
}

var _ Mappings = (*InstalledMappings)(nil)

// NewInstalledMappings makes a source of mappings. install brings an expected
// plugin that is not there; it may be nil.
func NewInstalledMappings(h *host.Host, store Store, install func(ctx context.Context, name string) diag.List) *InstalledMappings {
	return &InstalledMappings{host: h, store: store, install: install, sources: map[string]*source{}, tried: map[string]diag.List{}}
}

// atOnce is how many plugins are asked at the same time.
const atOnce = 4

// Mapping implements [Mappings]. The answer depends on the plugins alone, not
// on who answers first.
func (m *InstalledMappings) Mapping(ctx context.Context, q Question) ([]byte, diag.List) {
	q.Ecosystem = cmp.Or(q.Ecosystem, "terraform")
	expected, ok, diags := m.expected(ctx, q)
	q.Plugin = cmp.Or(q.Plugin, q.Provider)
	if ok {
		answer := m.ask(ctx, expected, q.Parameterization, q)
		if diags = append(diags, answer.diags...); answer.found {
			return answer.data, diags
		}
	}
	others, more := m.others(q.Plugin)
	diags = append(diags, more...)
	for batch := range slices.Chunk(others, atOnce) {
		answers := parallel.Map(ctx, atOnce, batch, func(ctx context.Context, found host.Found) answer {
			return m.ask(ctx, found, plugin.Parameterization{}, q)
		})
		for _, answer := range answers { // those after the one that counts are not asked again
			diags = append(diags, answer.diags...)
		}
		if at := slices.IndexFunc(answers, func(a answer) bool { return a.found }); at >= 0 {
			return answers[at].data, diags
		}
	}
	if ctx.Err() != nil {
		diags = append(diags, gaveUp(context.Cause(ctx)))
	}
	return nil, diags
}

// expected finds the plugin that should know, and installs it if need be. ok
// is false where it is not to be had, which is worth a word only where the
// question names it.
func (m *InstalledMappings) expected(ctx context.Context, q Question) (found host.Found, ok bool, diags diag.List) {
	w := host.Wanted{Name: cmp.Or(q.Plugin, q.Provider)}
	found, diags = m.host.Finder().Find(plugin.Resource, w)
	if diags.HasErrors() && m.install != nil {
		if diags = m.installOnce(ctx, w.Name); !diags.HasErrors() {
			found, diags = m.host.Finder().Find(plugin.Resource, w)
		}
	}
	switch {
	case !diags.HasErrors():
		return found, true, diags
	case q.Plugin == "":
		return found, false, nil
	}
	return found, false, asWarnings(w.Name, diags)
}

// installOnce installs a plugin, or tells what came of that before.
func (m *InstalledMappings) installOnce(ctx context.Context, name string) diag.List {
	done, err := m.turns.take(ctx, name)
	if err != nil {
		return diag.List{gaveUp(err)}
	}
	defer done()
	m.mu.Lock()
	diags, tried := m.tried[name]
	m.mu.Unlock()
	if tried {
		return diags
	}
	diags = m.install(ctx, name)
	if ctx.Err() == nil {
		m.mu.Lock()
		m.tried[name] = diags
		m.mu.Unlock()
	}
	return diags
}

// others are all plugins but the one that was asked.
func (m *InstalledMappings) others(asked string) ([]host.Found, diag.List) {
	all, diags := m.host.Finder().All(plugin.Resource)
	return slices.DeleteFunc(all, func(f host.Found) bool { return f.Name == asked }), unusable(diags)
}

// answer is what one plugin has to say to a question.
type answer struct {
	data  []byte
	found bool
	diags diag.List
}

func (m *InstalledMappings) ask(ctx context.Context, found host.Found, p plugin.Parameterization, q Question) answer {
	return m.source(found, p, q.Ecosystem).ask(ctx, q.Provider)
}

// source returns what is known of a plugin's mappings, under one
// parameterization.
func (m *InstalledMappings) source(found host.Found, p plugin.Parameterization, ecosystem string) *source {
	shelf := m.store.shelf(found)
	if len(p.Args) > 0 {
		shelf = "" // what a plugin makes of them may change
	}
	key := digest(string(shelf), found.Path, found.Name, p.Key(), ecosystem)
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.sources[key]
	if s == nil {
		s = newSource(m.host, shelf, found, p, ecosystem)
		m.sources[key] = s
	}
	return s
}
