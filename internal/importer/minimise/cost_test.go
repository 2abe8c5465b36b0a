package minimise_test

import (
	"context"
	"fmt"
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
// a call for each condition: two where all of it is written, which leaves a
// creation nothing to bring back. One more is asked where the provider refuses
// some of what is there, whether it still does. What learning costs does not
// grow with the number of objects, so it is bounded for each type.
func TestUsualCost(t *testing.T) {
	t.Parallel()
	for prefix, binary := range providers {
		t.Run(binary, func(t *testing.T) {
			t.Parallel()
			s := start(t, binary, 400)
			found := s.found(t, prefix)
			bills, cheap := map[string]*bill{}, 0
			for _, m := range s.minimise(t, found, minimise.Options{Concurrency: 4}) {
				b := bills[m.Object.Type]
				if b == nil {
					b = &bill{usual: 3, learning: 75}
					bills[m.Object.Type] = b
				}
				if len(m.Conflicting) > 0 {
					b.usual, b.learning = 4, 240
				}
				b.calls = append(b.calls, m.Calls)
				if m.Calls == 2 {
					cheap++
				}
			}
			for typeName, b := range bills {
				b.judge(t, typeName)
			}
			if cheap < len(found)/20 {
				t.Errorf("only %d of %d objects cost two calls", cheap, len(found))
			}
		})
	}
}

// bill is what the objects of a type cost.
type bill struct {
	calls []int // for each
	// usual is what an object may cost once the type is learned, and learning
	// what may be spent beyond that.
	usual, learning int
}

func (b *bill) judge(t *testing.T, typeName string) {
	t.Helper()
	const learners = 15 // objects that something is learned from
	slices.Sort(b.calls)
	above, beyond := 0, 0
	for _, n := range b.calls {
		if n > b.usual {
			above++
			beyond += n - b.usual
		}
	}
	most := b.calls[len(b.calls)*3/4]
	text := fmt.Sprintf("%s: of %d objects three quarters cost at most %d calls, %d more than %d, and those %d beyond",
		typeName, len(b.calls), most, above, b.usual, beyond)
	t.Log(text)
	if len(b.calls) >= 20 && (most > b.usual || above > learners || beyond > b.learning) {
		t.Errorf("%s; want %d for three quarters, %d more, and %d beyond", text, b.usual, learners, b.learning)
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
