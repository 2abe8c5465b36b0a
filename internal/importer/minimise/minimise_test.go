package minimise_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfplan"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// subject is a provider process over an estate.
type subject struct {
	tfprovider.Provider
	catalog *tfschema.Catalog
	estate  *estate.Server
}

func start(t *testing.T, binary string, objects int) subject {
	t.Helper()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: objects, Listeners: objects / 4}})
	p := tfprovider.Launch(tfprovider.Config{
		Name: binary, Path: build.Binary(t, binary),
		Env: append(os.Environ(), "ESTATE_ENDPOINT="+server.URL, "ESTATE_TOKEN=t"),
	})
	t.Cleanup(func() { _ = p.Close() })
	catalog, diags := p.Schema(t.Context())
	fail(t, diags.Err())
	schema, err := catalog.Schema(tfschema.KindProvider, "")
	fail(t, err)
	fail(t, p.Configure(t.Context(), schema.Block.EmptyValue()).Err())
	return subject{p, catalog, server}
}

func fail(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// found lists every object of the estate under the type names of a provider,
// from the estate's own dump: some types cannot be listed.
func (s subject) found(t *testing.T, prefix string) []discover.Found {
	t.Helper()
	var dump map[string][]map[string]any
	fail(t, json.Unmarshal(s.estate.Store.Dump(estate.DumpOptions{}), &dump))
	var out []discover.Found
	for _, typeName := range s.catalog.Names(tfschema.KindResource) {
		kind := strings.TrimPrefix(typeName, prefix)
		for _, object := range dump[kind+"s"] {
			out = append(out, discover.Found{Type: typeName, ID: fmt.Sprint(object["id"])})
		}
	}
	return out
}

func (s subject) minimise(t *testing.T, found []discover.Found, opts minimise.Options) []minimise.Minimal {
	t.Helper()
	out := minimise.Minimise(t.Context(), s, s.read(t, found), opts)
	for _, m := range out {
		if err := m.Diagnostics.Err(); err != nil {
			t.Errorf("%s %s: %v", m.Object.Type, m.Object.Found.ID, err)
		}
	}
	return out
}

// read reads as an import does.
func (s subject) read(t *testing.T, found []discover.Found) []read.Object {
	t.Helper()
	outcomes, _ := read.ReadRising(t.Context(), s, found, read.Rising{
		Concurrency: 4,
		Fills:       func(ctx context.Context, o read.Object) map[string]cty.Value { return minimise.Fills(ctx, s, o) },
	})
	var objects []read.Object
	for _, o := range outcomes {
		if err := o.Diagnostics.Err(); err != nil {
			t.Fatalf("%s %s: %v", o.Found.Type, o.Found.ID, err)
		}
		objects = append(objects, o.Objects...)
	}
	return objects
}

// providers are the two of the testkit, by the prefix of their types.
var providers = map[string]string{
	"estate_":  "terraform-provider-estate",
	"classic_": "terraform-provider-classic",
}

// TestSameWhateverTheConcurrency runs the same estate at several degrees.
func TestSameWhateverTheConcurrency(t *testing.T) {
	t.Parallel()
	for prefix, binary := range providers {
		t.Run(binary, func(t *testing.T) {
			t.Parallel()
			s := start(t, binary, 60)
			objects := s.read(t, s.found(t, prefix)) // when it is read changes what an object costs
			var want []string
			for _, concurrency := range []int{1, 3, 16} {
				var got []string
				for _, m := range minimise.Minimise(t.Context(), s, objects, minimise.Options{Concurrency: concurrency}) {
					fail(t, m.Diagnostics.Err())
					got = append(got, fmt.Sprintf("%s %#v %d", m.Object.Found.ID, m.Config, m.Calls))
				}
				if want == nil {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("at concurrency %d: %s", concurrency, diff)
				}
			}
		})
	}
}

// TestSmallestIsOneMinimal leaves out one more thing of what --smallest keeps:
// then it is refused, or no longer a no-op.
func TestSmallestIsOneMinimal(t *testing.T) {
	t.Parallel()
	for prefix, binary := range providers {
		t.Run(binary, func(t *testing.T) {
			t.Parallel()
			s := start(t, binary, 60)
			for _, m := range s.minimise(t, s.found(t, prefix), minimise.Options{Concurrency: 4, Smallest: true}) {
				name := m.Object.Type + " " + m.Object.Found.ID
				if !s.isNoOp(t, m, m.Config) {
					t.Errorf("%s: no no-op", name)
				}
				for _, cut := range cuts(s.block(t, m), m.Config) {
					if s.isNoOp(t, m, cut.config) {
						t.Errorf("%s: %s could go", name, cut.what)
					}
				}
			}
		})
	}
}

// isNoOp reports whether a configuration is valid and changes nothing.
func (s subject) isNoOp(t *testing.T, m minimise.Minimal, config cty.Value) bool {
	t.Helper()
	if s.ValidateResourceConfig(t.Context(), m.Object.Type, config).HasErrors() {
		return false
	}
	result, diags := tfplan.Plan(t.Context(), s, tfplan.Request{
		TypeName: m.Object.Type, Prior: m.Object.State, Config: config, PriorPrivate: m.Object.Private,
		Identity: m.Object.Identity, Ignore: ignored(m),
	})
	return !diags.HasErrors() && result.Action == tfplan.NoOp
}

// TestSmallest leaves out what a creation could not know, and no more.
func TestSmallest(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-estate", 40)
	instances := 0
	for _, m := range s.minimise(t, s.found(t, "estate_"), minimise.Options{Concurrency: 4, Smallest: true}) {
		result, diags := tfplan.Plan(t.Context(), s, tfplan.Request{
			TypeName: m.Object.Type, Prior: m.Object.State, Config: m.Config, PriorPrivate: m.Object.Private,
			Identity: m.Object.Identity, Ignore: ignored(m),
		})
		if diags.HasErrors() || result.Action != tfplan.NoOp {
			t.Errorf("%s %s: %v %v", m.Object.Type, m.Object.Found.ID, diags.Err(), result.Changes)
		}
		if m.Object.Type == "estate_instance" {
			instances++
			if !m.Config.GetAttr("private_ip").IsNull() {
				t.Errorf("%s keeps private_ip, which the provider chose", m.Object.Found.ID)
			}
			if !slices.ContainsFunc(m.Chosen, cty.GetAttrPath("private_ip").Equals) {
				t.Errorf("%s does not name private_ip among %v", m.Object.Found.ID, m.Chosen)
			}
		}
		s.holdsChosen(t, m)
	}
	if instances == 0 {
		t.Error("no instance was looked at")
	}
}

// holdsChosen asks for the creation anew: of what is not written, exactly the
// places named get no value for certain, or another.
func (s subject) holdsChosen(t *testing.T, m minimise.Minimal) {
	t.Helper()
	created, diags := tfplan.Plan(t.Context(), s, tfplan.Request{TypeName: m.Object.Type, Config: m.Config})
	if diags.HasErrors() {
		t.Errorf("%s %s: %v", m.Object.Type, m.Object.Found.ID, diags.Err())
		return
	}
	for _, a := range s.block(t, m).Attributes {
		if !a.Optional || a.Nested != nil || !m.Config.GetAttr(a.Name).IsNull() || m.Object.State.GetAttr(a.Name).IsNull() {
			continue
		}
		back := created.Planned.GetAttr(a.Name).RawEquals(m.Object.State.GetAttr(a.Name))
		named := slices.ContainsFunc(m.Chosen, cty.GetAttrPath(a.Name).Equals)
		if back == named {
			t.Errorf("%s %s: a creation brings %s back: %t; named: %t", m.Object.Type, m.Object.Found.ID, a.Name, back, named)
		}
	}
}

func ignored(m minimise.Minimal) tfplan.Ignore {
	var out tfplan.Ignore
	for _, u := range m.Unreadable {
		out.Paths = append(out.Paths, u.Path)
	}
	return out
}

// TestCancelled ends early and says so.
func TestCancelled(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-estate", 20)
	outcomes := read.Read(t.Context(), s, s.found(t, "estate_")[:4], 2)
	var objects []read.Object
	for _, o := range outcomes {
		objects = append(objects, o.Objects...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range minimise.Minimise(ctx, s, objects, minimise.Options{Concurrency: 2}) {
		if !m.Diagnostics.HasErrors() {
			t.Errorf("%s: no error", m.Object.Found.ID)
		}
	}
}

// TestDocumentsAreCanonical: a policy in a form that jsonencode does not
// write becomes one that it does, where the provider sees no difference.
func TestDocumentsAreCanonical(t *testing.T) {
	t.Parallel()
	s := start(t, "terraform-provider-classic", 0)
	const stored = `{"Statement":[{"Action":"a<b","Effect":"Allow","Resource":"*"}],"Version":"2024-01-01"}`
	_, err := s.estate.Store.Create("buckets", map[string]any{"name": "angled", "policy": stored})
	fail(t, err)
	for _, m := range s.minimise(t, []discover.Found{{Type: "classic_bucket", ID: "angled"}}, minimise.Options{Concurrency: 1}) {
		got := m.Config.GetAttr("policy")
		if want := strings.ReplaceAll(stored, "<", `\u003c`); got.IsNull() || got.AsString() != want {
			t.Errorf("got %#v, want %s", got, want)
		}
		if !strings.Contains(m.Object.State.GetAttr("policy").AsString(), "a<b") {
			t.Error("the state must keep what was read")
		}
	}
}
