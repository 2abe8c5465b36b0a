package tfprovider_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// peer is a configured provider process over an estate.
type peer struct {
	tfprovider.Provider
	catalog *tfschema.Catalog
	estate  *estate.Server
}

// estatePeer and classicPeer speak protocols 6 and 5.
func estatePeer(t *testing.T, opts estate.Options) peer {
	return newPeer(t, "terraform-provider-estate", opts)
}

func classicPeer(t *testing.T, opts estate.Options) peer {
	return newPeer(t, "terraform-provider-classic", opts)
}

func newPeer(t *testing.T, binary string, opts estate.Options) peer {
	t.Helper()
	server := estate.Start(t, opts)
	p := launch(t, tfprovider.Config{Path: build.Binary(t, binary), Env: environment("ESTATE_ENDPOINT=" + server.URL)})
	noDiags(t, p.Configure(t.Context(), p.object(t, tfschema.KindProvider, "", nil)))
	p.estate = server
	return p
}

// launch starts a provider and reads its schema.
func launch(t *testing.T, config tfprovider.Config) peer {
	t.Helper()
	p := unstarted(t, config)
	catalog, diags := p.Schema(t.Context())
	noDiags(t, diags)
	p.catalog = catalog
	return p
}

// unstarted is a provider that the test is to start.
func unstarted(t *testing.T, config tfprovider.Config) peer {
	t.Helper()
	if config.Name == "" {
		config.Name = "test"
	}
	p := tfprovider.Launch(config)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return peer{Provider: p}
}

// broken is the provider that misbehaves.
func broken(t *testing.T, orders ...string) tfprovider.Config {
	t.Helper()
	return tfprovider.Config{Path: build.Binary(t, "terraform-provider-broken"), Env: environment(orders...)}
}

// environment is the test's own without what would steer a provider.
func environment(more ...string) []string {
	var out []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "TF_") && !strings.HasPrefix(entry, "ESTATE_") && !strings.HasPrefix(entry, "BROKEN_") {
			out = append(out, entry)
		}
	}
	return append(out, more...)
}

// object is an object of a schema's type, null where values says nothing.
func (p peer) object(t *testing.T, kind tfschema.Kind, name string, values map[string]cty.Value) cty.Value {
	t.Helper()
	schema, err := p.catalog.Schema(kind, name)
	if err != nil {
		t.Fatal(err)
	}
	all := schema.Block.EmptyValue().AsValueMap()
	if all == nil {
		return cty.EmptyObjectVal
	}
	for name, v := range values {
		all[name] = v
	}
	return cty.ObjectVal(all)
}

// ids are what the estate has of a kind, in its order.
func (p peer) ids(t *testing.T, kind string) []string {
	t.Helper()
	objects, _, err := p.estate.Store.Page(kind, nil, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, o := range objects {
		out = append(out, o["id"].(string))
	}
	if len(out) == 0 {
		t.Fatalf("the estate has no %s", kind)
	}
	return out
}

// imported is one resource after ImportResourceState.
func (p peer) imported(t *testing.T, typeName, id string) tfprovider.Imported {
	t.Helper()
	all, diags := p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: typeName, ID: id})
	noDiags(t, diags)
	if len(all) != 1 {
		t.Fatalf("imported %d resources", len(all))
	}
	return all[0]
}

// readRequest asks for what was imported.
func readRequest(i tfprovider.Imported) tfprovider.ReadRequest {
	return tfprovider.ReadRequest{TypeName: i.TypeName, State: i.State, Private: i.Private, Identity: i.Identity}
}

// read is one resource as it is.
func (p peer) read(t *testing.T, typeName, id string) tfprovider.ReadResponse {
	t.Helper()
	resp, diags := p.ReadResource(t.Context(), readRequest(p.imported(t, typeName, id)))
	noDiags(t, diags)
	return resp
}

func noDiags(t *testing.T, diags diag.List) {
	t.Helper()
	for _, d := range diags {
		t.Fatalf("%s %s", d.Severity, d)
	}
}

// wantDiag expects one diagnostic of a code with certain words.
func wantDiag(t *testing.T, diags diag.List, code string, words ...string) {
	t.Helper()
	if len(diags) != 1 || diags[0].Code != code {
		t.Fatalf("got %v, want one diagnostic %s", diags, code)
	}
	for _, w := range words {
		if !strings.Contains(diags[0].Summary+"\n"+diags[0].Detail, w) {
			t.Errorf("%q lacks %q", diags[0], w)
		}
	}
}

// promptly fails the test where work hangs.
func promptly(t *testing.T, work func()) {
	t.Helper()
	begin := time.Now()
	work()
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %s", took.Round(time.Millisecond))
	}
}

func text(s string) cty.Value { return cty.StringVal(s) }

func attr(t *testing.T, v cty.Value, name string) cty.Value {
	t.Helper()
	if v == cty.NilVal || v.IsNull() || !v.Type().HasAttribute(name) {
		t.Fatalf("no attribute %s in %#v", name, v)
	}
	return v.GetAttr(name)
}
