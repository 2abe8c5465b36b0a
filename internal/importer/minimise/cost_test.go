package minimise_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestUsualCost checks what makes thousands of objects affordable, for objects
// that are read as an import reads them. Once a type is learned an object costs
// a call for each condition. One more is asked where the provider refuses some
// of what is there, whether it still does.
func TestUsualCost(t *testing.T) {
	t.Parallel()
	for prefix, binary := range providers {
		t.Run(binary, func(t *testing.T) {
			t.Parallel()
			s := start(t, binary, 400)
			calls, refused := map[string][]int{}, map[string]bool{}
			for _, m := range s.minimise(t, s.found(t, prefix), minimise.Options{Concurrency: 4}) {
				calls[m.Object.Type] = append(calls[m.Object.Type], m.Calls)
				refused[m.Object.Type] = refused[m.Object.Type] || len(m.Conflicting) > 0
			}
			for typeName, each := range calls {
				usual, sum := 3, 0
				if refused[typeName] {
					usual++
				}
				slices.Sort(each)
				for _, n := range each {
					sum += n
				}
				average, most := float64(sum)/float64(len(each)), each[len(each)*3/4]
				t.Logf("%s: %d objects, %.1f calls each, three quarters with at most %d", typeName, len(each), average, most)
				if len(each) >= 20 && (most > usual || average > float64(usual)+1.5) {
					t.Errorf("%s: %.1f calls an object, three quarters of them with at most %d", typeName, average, most)
				}
			}
		})
	}
}

// counting counts the calls that are made for objects.
type counting struct {
	tfprovider.Provider
	mu    sync.Mutex
	calls map[string]int
}

func (c *counting) count(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[name]++
}

func (c *counting) ImportResourceState(ctx context.Context, req tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
	c.count("import")
	return c.Provider.ImportResourceState(ctx, req)
}

func (c *counting) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (tfprovider.ReadResponse, diag.List) {
	c.count("read")
	return c.Provider.ReadResource(ctx, req)
}

func (c *counting) ValidateResourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	c.count("validate")
	return c.Provider.ValidateResourceConfig(ctx, typeName, config)
}

func (c *counting) PlanResourceChange(ctx context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	c.count("plan")
	return c.Provider.PlanResourceChange(ctx, req)
}

func (c *counting) GenerateResourceConfig(ctx context.Context, typeName string, state cty.Value) (cty.Value, diag.List) {
	c.count("generate")
	return c.Provider.GenerateResourceConfig(ctx, typeName, state)
}

// TestFewestCalls counts what a real provider is asked for objects that are all
// alike: each is imported, read, validated, and planned twice.
func TestFewestCalls(t *testing.T) {
	t.Parallel()
	p := tfprovider.Launch(tfprovider.Config{Name: "time", Path: build.Tool(t, "terraform-provider-time")})
	t.Cleanup(func() { _ = p.Close() })
	catalog, diags := p.Schema(t.Context())
	fail(t, diags.Err())
	schema, err := catalog.Schema(tfschema.KindProvider, "")
	fail(t, err)
	fail(t, p.Configure(t.Context(), schema.Block.EmptyValue()).Err())

	const objects = 200
	var found []discover.Found
	for i := range objects {
		id := time.Date(2020, 1, 1, 0, 0, i, 0, time.UTC).Format(time.RFC3339)
		found = append(found, discover.Found{Type: "time_static", ID: id})
	}
	counted := &counting{Provider: p, calls: map[string]int{}}
	s := subject{Provider: counted, catalog: catalog}
	s.minimise(t, found, minimise.Options{Concurrency: 4})
	t.Logf("%d objects: %v", objects, counted.calls)
	few := 2 * read.Witnesses // the first are asked about more
	for name, most := range map[string]int{"import": objects, "read": objects, "validate": objects, "plan": 2*objects + few, "generate": few} {
		if n := counted.calls[name]; n > most {
			t.Errorf("%s was called %d times, for %d objects", name, n, objects)
		}
	}
}
