package read_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// subject is a provider process over an estate.
type subject struct {
	tfprovider.Provider
	estate *estate.Server
}

// start configures a provider, which tries throttled calls again only so
// often.
func start(t *testing.T, name string, opts estate.Options, retries int64) subject {
	t.Helper()
	server := estate.Start(t, opts)
	p := tfprovider.Launch(tfprovider.Config{
		Name: name, Path: build.Binary(t, "terraform-provider-"+name),
		Env: append(os.Environ(), "ESTATE_ENDPOINT="+server.URL, "ESTATE_TOKEN="),
	})
	t.Cleanup(func() { _ = p.Close() })
	catalog, diags := p.Schema(t.Context())
	fail(t, diags.Err())
	schema, err := catalog.Schema(tfschema.KindProvider, "")
	fail(t, err)
	config := schema.Block.EmptyValue().AsValueMap()
	config["max_retries"] = cty.NumberIntVal(retries)
	fail(t, p.Configure(t.Context(), cty.ObjectVal(config)).Err())
	return subject{p, server}
}

func fail(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func seeded(objects int) estate.Options {
	return estate.Options{Seed: estate.SeedOptions{Objects: objects}}
}

// found is every object of a kind, by id.
func (s subject) found(t *testing.T, typeName, kind string) []discover.Found {
	t.Helper()
	objects, _, err := s.estate.Store.Page(kind, nil, 0, 1000)
	fail(t, err)
	var out []discover.Found
	for _, o := range objects {
		out = append(out, discover.Found{Type: typeName, ID: o["id"].(string)})
	}
	if len(out) < 3 {
		t.Fatalf("the estate has %d %s", len(out), kind)
	}
	return out
}

// ids are what was read, in order: an id each, or the code of what went wrong.
func ids(outcomes []read.Outcome) []string {
	var out []string
	for _, o := range outcomes {
		switch {
		case len(o.Objects) > 0:
			out = append(out, o.Objects[0].State.GetAttr("id").AsString())
		case len(o.Diagnostics) > 0:
			out = append(out, o.Diagnostics[0].Code)
		default:
			out = append(out, "")
		}
	}
	return out
}

func wanted(found []discover.Found) []string {
	var out []string
	for _, f := range found {
		out = append(out, f.ID)
	}
	return out
}

// TestOrder reads concurrently and answers in the order of what was found,
// over both protocols.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, name, seeded(200), 4)
			found := slices.Concat(s.found(t, name+"_instance", "instances"), s.found(t, name+"_network", "networks"))
			s.estate.SetFaults(estate.Faults{LatencyMS: 20})
			outcomes := read.Read(t.Context(), s, found, 16)
			if diff := cmp.Diff(wanted(found), ids(outcomes)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for i, o := range outcomes {
				if o.Found.ID != found[i].ID || o.Objects[0].Type != found[i].Type || !o.Objects[0].State.IsWhollyKnown() {
					t.Errorf("%s became %+v", found[i].ID, o)
				}
			}
		})
	}
}

// TestConcurrency never asks for more at once than it may.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	s := start(t, "estate", seeded(60), 4)
	found := s.found(t, "estate_instance", "instances")
	for _, limit := range []int{1, 3} {
		s.estate.SetFaults(estate.Faults{LatencyMS: 5})
		counted := &counting{Provider: s}
		read.Read(t.Context(), counted, found, limit)
		if counted.most != limit {
			t.Errorf("%d calls at once of %d", counted.most, limit)
		}
	}
}

// TestRising has more read at one time where that presses nobody.
func TestRising(t *testing.T) {
	t.Parallel()
	found := make([]discover.Found, 150)
	for i := range found {
		found[i] = discover.Found{Type: "x_feed", ID: fmt.Sprint("app.", i)}
	}
	gone := diag.Errorf(tfprovider.CodeProvider, "No such feed", "")
	for name, test := range map[string]struct {
		wait      time.Duration
		fails     diag.List
		from, to  int
		wantRisen int
	}{
		"at once":          {0, nil, 5, 20, 20},
		"as asked":         {0, nil, 5, 5, 5},
		"no less":          {0, nil, 5, 0, 5},
		"over the network": {12 * time.Millisecond, nil, 5, 20, 5},
		"refused at once":  {0, diag.List{gone}, 5, 20, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &counting{Provider: &script{reads: func(_ int, state feed) (feed, diag.List) {
				time.Sleep(test.wait)
				return feed{state.ID, "news"}, test.fails
			}}}
			outcomes, risen := read.ReadRising(t.Context(), provider, found, read.Rising{Concurrency: test.from, Most: test.to})
			if risen != test.wantRisen || provider.most > risen {
				t.Errorf("rose to %d, and %d at once; want %d", risen, provider.most, test.wantRisen)
			}
			for i, o := range outcomes {
				if o.Found.ID != found[i].ID || (len(o.Objects) == 1) != (test.fails == nil) {
					t.Errorf("%s became %+v", found[i].ID, o)
				}
			}
		})
	}
}

// counting counts the reads that run at once, before the real provider.
type counting struct {
	tfprovider.Provider
	mu        sync.Mutex
	now, most int
}

func (c *counting) ReadResource(ctx context.Context, req tfprovider.ReadRequest) (resp tfprovider.ReadResponse, diags diag.List) {
	c.step(1)
	defer c.step(-1)
	return c.Provider.ReadResource(ctx, req)
}

func (c *counting) step(by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += by
	c.most = max(c.most, c.now)
}

// TestOneFails has one object fail in every way that there is. The others are
// read all the same.
func TestOneFails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		faults func(id string) estate.Faults
		code   string
		words  string
	}{
		"refused": {func(id string) estate.Faults {
			return estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpRead, ID: id}}}}
		}, tfprovider.CodeProvider, "403"},
		"crash": {func(id string) estate.Faults {
			return estate.Faults{LatencyMS: 10, Crash: []estate.Crash{{Target: estate.Target{Op: estate.OpRead, ID: id}}}}
		}, tfprovider.CodeCrashed, "crash asked for at read instances"},
		"connection reset": {func(id string) estate.Faults {
			return estate.Faults{Reset: []estate.Target{{Op: estate.OpRead, ID: id}}}
		}, tfprovider.CodeProvider, "EOF"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "estate", seeded(60), 4)
			found := s.found(t, "estate_instance", "instances")
			s.estate.SetFaults(test.faults(found[2].ID))
			outcomes := read.Read(t.Context(), s, found, 8)
			want := wanted(found)
			want[2] = test.code
			if diff := cmp.Diff(want, ids(outcomes)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if err := outcomes[2].Diagnostics.Err(); err == nil || !strings.Contains(err.Error(), test.words) {
				t.Errorf("the reason is %v, want %s", err, test.words)
			}
		})
	}
}

// TestThrottled reads from a service that refuses every third call. The
// provider waits and tries again; one that does not gets a second round.
func TestThrottled(t *testing.T) {
	t.Parallel()
	for name, retries := range map[string]int64{"patient": 4, "impatient": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, "estate", seeded(60), retries)
			found := s.found(t, "estate_instance", "instances")
			s.estate.SetFaults(estate.Faults{ThrottleEvery: 3})
			ctx := progress.WithListener(t.Context(), func(e progress.Event) {
				if e.Done == e.Total && !e.End { // the pressure is gone when the first round is done
					s.estate.SetFaults(estate.Faults{})
				}
			})
			if diff := cmp.Diff(wanted(found), ids(read.Read(ctx, s, found, 8))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		s := start(t, name, seeded(60), 4)
		found := s.found(t, name+"_instance", "instances")[:3]
		found[1].ID = "i-nowhere"
		outcomes := read.Read(t.Context(), s, found, 2)
		if diff := cmp.Diff([]string{found[0].ID, "RD0001", found[2].ID}, ids(outcomes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestIdentity imports by identity alone, and by id where the identity is of
// no use.
func TestIdentity(t *testing.T) {
	t.Parallel()
	s := start(t, "estate", seeded(60), 4)
	id := s.found(t, "estate_instance", "instances")[0].ID
	identity := func(id string) cty.Value { return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal(id)}) }
	outcomes := read.Read(t.Context(), s, []discover.Found{
		{Type: "estate_instance", Identity: identity(id)},
		{Type: "estate_instance", Identity: cty.ObjectVal(map[string]cty.Value{"id": cty.NullVal(cty.String)}), ID: id},
		{Type: "estate_instance", Identity: identity("i-nowhere")},
		{Type: "estate_nothing", ID: id},
		{Type: "estate_dns_record", ID: "malformed"},
	}, 2)
	if diff := cmp.Diff([]string{id, id, "RD0001", "TP0009", tfprovider.CodeProvider}, ids(outcomes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	object := outcomes[0].Objects[0]
	if !object.Identity.RawEquals(identity(id)) || len(object.Private) == 0 {
		t.Errorf("the object has identity %#v and private state %q", object.Identity, object.Private)
	}
	if got := read.ImportID(t.Context(), s, object); got != id {
		t.Errorf("the import id is %q", got)
	}
}

// TestBringsOthers imports a bucket that comes with its objects.
func TestBringsOthers(t *testing.T) {
	t.Parallel()
	s := start(t, "classic", estate.Options{Seed: estate.SeedOptions{Objects: 60, BucketObjects: 2}}, 4)
	outcomes := read.Read(t.Context(), s, []discover.Found{{Type: "classic_bucket", ID: "estate-checkout-prod/*"}}, 1)
	fail(t, outcomes[0].Diagnostics.Err())
	var got []string
	for _, o := range outcomes[0].Objects {
		got = append(got, o.Type)
	}
	if diff := cmp.Diff([]string{"classic_bucket", "classic_bucket_object", "classic_bucket_object"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	bucket, object := outcomes[0].Objects[0], outcomes[0].Objects[1]
	if got := read.ImportID(t.Context(), s, bucket); got != "estate-checkout-prod/*" {
		t.Errorf("the bucket's import id is %q", got)
	}
	if got := read.ImportID(t.Context(), s, object); got != object.State.GetAttr("id").AsString() {
		t.Errorf("the object's import id is %q", got)
	}
}

// TestUnreadable reads what the API lists and never answers.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	s := start(t, "estate", estate.Options{Seed: estate.SeedOptions{Ledgers: 3}}, 4)
	for _, o := range read.Read(t.Context(), s, s.found(t, "estate_ledger", "ledgers"), 2) {
		if err := o.Diagnostics.Err(); len(o.Objects) != 0 || err == nil || !strings.Contains(err.Error(), "is sealed and cannot be read") {
			t.Errorf("got %v and %v", o.Objects, err)
		}
	}
}

// TestUnfinished reads an unknown value, which no state can hold.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	p := tfprovider.Launch(tfprovider.Config{
		Name: "broken", Path: build.Binary(t, "terraform-provider-broken"), Env: append(os.Environ(), "BROKEN_MODE=unknown-state"),
	})
	t.Cleanup(func() { _ = p.Close() })
	outcomes := read.Read(t.Context(), p, []discover.Found{{Type: "broken_thing", ID: "one"}}, 1)
	if diff := cmp.Diff([]string{"RD0004"}, ids(outcomes)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInterrupted ends while half is read: what was read stays, and what was
// not says nothing that is not true.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	s := start(t, "estate", seeded(60), 4)
	found := s.found(t, "estate_instance", "instances")
	s.estate.SetFaults(estate.Faults{LatencyMS: 20})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last progress.Event
	ctx = progress.WithListener(ctx, func(e progress.Event) {
		if e.Done == 3 {
			cancel()
		}
		if e.End {
			last = e
		}
	})
	outcomes := read.Read(ctx, s, found, 1)
	got := ids(outcomes)
	if diff := cmp.Diff(wanted(found)[:3], got[:3]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got[len(got)-1] != "" || outcomes[len(got)-1].Found.ID != found[len(got)-1].ID {
		t.Errorf("the last is %+v", outcomes[len(got)-1])
	}
	if diff := cmp.Diff(progress.Event{Task: "read", Done: 3, Total: int64(len(found)), Unit: "objects", End: true}, last); diff != "" {
		t.Errorf("the last event (-want +got):\n%s", diff)
	}
}
