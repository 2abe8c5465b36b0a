package read_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// script is a provider of one type, feeds, that imports by passing the id
// through and reads as told. Other calls of the interface panic.
type script struct {
	tfprovider.Provider
	reads func(n int, state feed) (feed, diag.List)
	mu    sync.Mutex
	calls int
}

// feed is a state; the zero value is null.
type feed struct{ ID, Name string }

func (f feed) value() cty.Value {
	if f == (feed{}) {
		return cty.NullVal(cty.Object(map[string]cty.Type{"id": cty.String, "name": cty.String}))
	}
	name := cty.NullVal(cty.String)
	if f.Name != "" {
		name = cty.StringVal(f.Name)
	}
	return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(f.ID), "name": name})
}

func feedOf(v cty.Value) feed {
	out := feed{ID: v.GetAttr("id").AsString()}
	if name := v.GetAttr("name"); !name.IsNull() {
		out.Name = name.AsString()
	}
	return out
}

func (s *script) ImportResourceState(_ context.Context, req tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
	return []tfprovider.Imported{{TypeName: req.TypeName, State: feed{ID: req.ID}.value()}}, nil
}

func (s *script) ReadResource(_ context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	s.mu.Lock()
	s.calls++
	n := s.calls
	s.mu.Unlock()
	out, diags := s.reads(n, feedOf(req.State))
	return tfprovider.ReadResponse{State: out.value()}, diags
}

func (s *script) Schema(context.Context) (*tfschema.Catalog, diag.List) {
	return tfschema.NewCatalog(feedSchema{}), nil
}

type feedSchema struct{ tfschema.Decoder }

func (feedSchema) Names(tfschema.Kind) []string {
	return []string{"x_feed", "x_feed_a", "x_feed_b", "x_feed_c"}
}

func (feedSchema) Schema(tfschema.Kind, string) (*tfschema.Schema, error) {
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "id", Type: cty.String, Computed: true},
		{Name: "name", Type: cty.String, Required: true},
	}}}, nil
}

// TestReadAgain holds that the state is what the next read answers too, for
// a provider whose first read composes the id of what it has not yet read.
func TestReadAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		reads   func(n int, state feed) (feed, diag.List)
		want    feed
		calls   int
		problem string
	}{
		"the id stays": {
			reads: func(_ int, state feed) (feed, diag.List) { return feed{state.ID, "news"}, nil },
			want:  feed{"app.news", "news"}, calls: 1,
		},
		"the id is made of what the state had": {
			reads: func(_ int, state feed) (feed, diag.List) { return feed{"app." + state.Name, "news"}, nil },
			want:  feed{"app.news", "news"}, calls: 2,
		},
		"the id is another from then on": {
			reads: func(int, feed) (feed, diag.List) { return feed{"17", "news"}, nil },
			want:  feed{"17", "news"}, calls: 2,
		},
		"what was read cannot be read again": {
			reads: func(n int, _ feed) (feed, diag.List) {
				if n == 1 {
					return feed{"app.", "news"}, nil
				}
				return feed{}, nil
			},
			calls: 2, problem: read.CodeGone,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &script{reads: test.reads}
			got := read.Read(t.Context(), provider, []discover.Found{{Type: "x_feed", ID: "app.news"}}, 1)
			if diff := cmp.Diff(test.calls, provider.calls); diff != "" {
				t.Errorf("calls of ReadResource: %s", diff)
			}
			if test.problem != "" {
				if len(got[0].Objects) != 0 || len(got[0].Diagnostics) != 1 || got[0].Diagnostics[0].Code != test.problem {
					t.Errorf("got %v, %v; want no object and %s", got[0].Objects, got[0].Diagnostics, test.problem)
				}
				return
			}
			if err := got[0].Diagnostics.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, feedOf(got[0].Objects[0].State)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestOutage holds that a service that goes away in the middle and comes back
// costs nothing but time, and that failures of another kind are not waited
// for.
func TestOutage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		outOf  func(n int, id string, since time.Duration) bool // who gets no answer
		types  string                                           // of ten objects each, in turn; "" is one type
		failed int
		waited time.Duration
	}{
		"out for a second": {
			outOf:  func(n int, _ string, since time.Duration) bool { return n > 20 && since < time.Second },
			waited: time.Second,
		},
		"out for some seconds": {
			outOf:  func(n int, _ string, since time.Duration) bool { return n > 20 && since < 3*time.Second },
			waited: 5 * time.Second,
		},
		"out where one type ends": {
			outOf: func(_ int, id string, since time.Duration) bool { return id > "49" && since < time.Second },
			types: "aaaaabbccc", waited: time.Second,
		},
		"out for good": {
			outOf:  func(n int, _ string, _ time.Duration) bool { return n > 20 },
			failed: 80, waited: 5 * time.Second,
		},
		"never there": {
			outOf: func(int, string, time.Duration) bool { return true },
			types: "aaaaabbccc", failed: 100,
		},
		"a type is broken": {
			outOf: func(_ int, id string, _ time.Duration) bool { return id > "49" && id < "70" },
			types: "aaaaabbccc", failed: 20,
		},
		"a few are broken": {
			outOf:  func(_ int, id string, _ time.Duration) bool { return id < "07" },
			failed: 7,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				provider := &script{reads: func(n int, state feed) (feed, diag.List) {
					if test.outOf(n, state.ID, time.Since(begun)) {
						return feed{}, diag.List{diag.Errorf(tfprovider.CodeProvider, fmt.Sprint("refused after ", time.Since(begun)), "")}
					}
					return feed{state.ID, "news"}, nil
				}}
				var found []discover.Found
				for i := range 100 {
					typeName := "x_feed"
					if test.types != "" {
						typeName += "_" + test.types[i/10:i/10+1]
					}
					found = append(found, discover.Found{Type: typeName, ID: fmt.Sprintf("%02d", i)})
				}
				failed := 0
				for _, o := range read.Read(t.Context(), provider, found, 8) {
					for _, d := range o.Diagnostics.Errors() {
						failed++
						if want := fmt.Sprint("refused after ", test.waited); d.Summary != want {
							t.Errorf("the reason is %q, want the last: %q", d.Summary, want)
						}
					}
				}
				if failed != test.failed {
					t.Errorf("%d failed, want %d", failed, test.failed)
				}
				if waited := time.Since(begun); waited != test.waited {
					t.Errorf("waited %s, want %s", waited, test.waited)
				}
			})
		})
	}
}
