package tfprovider

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// keeper is a provider that keeps its schema in a file.
type keeper struct {
	file string
	// asked counts the calls for the schema.
	asked atomic.Int32
}

// run starts a process that has a schema, and reports whether the one that is
// gone by has lists.
func (k *keeper) run(t *testing.T, kept KeptSchema, schema proto.Message) (p Provider, lists bool) {
	t.Helper()
	k.asked.Store(0)
	p = serveTo(t, Config{CacheFile: k.file, Kept: kept}, answers{
		"GetProviderSchema": only(schema), "GetResourceIdentitySchemas": only(thingIdentities()),
		"ValidateResourceConfig": only(&wire.Outcome{}),
	}, func(rpc string, _ []byte) {
		if rpc == "GetProviderSchema" {
			k.asked.Add(1)
		}
	})
	catalog, diags := p.Schema(t.Context())
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return p, len(catalog.Names(tfschema.KindList)) > 0
}

func (k *keeper) kept(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile(k.file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// goesOn makes a call and has the schema confirmed, with that code or none.
func goesOn(t *testing.T, p Provider, code string) {
	t.Helper()
	for range 2 {
		confirmed := p.Confirm(t.Context())
		called := p.ValidateResourceConfig(t.Context(), "thing", thing("a"))
		if len(confirmed) == 0 && len(called) == 0 && code == "" {
			continue
		}
		if len(confirmed) != 1 || len(called) != 1 || confirmed[0].Code != code || called[0].Code != code {
			t.Errorf("got %v, %v, want %q", confirmed, called, code)
		}
	}
}

// listless is [thingSchema] with the resource type alone.
func listless(t *testing.T, capabilities *wire.ServerCapabilities) proto.Message {
	t.Helper()
	schema := &wire.Schema6{Block: &wire.Block6{Attributes: []*wire.Attribute6{
		{Name: "name", Type: []byte(`"string"`), Required: true},
		{Name: "tokens", Type: []byte(`["set","string"]`), Optional: true},
	}}}
	return bytesMessage(appendMessage(t, appendEntry(t, nil, fieldResources, "thing", schema), fieldCapabilities, capabilities))
}

// TestConfirm has processes confirm what others of the same binary left, both
// such as rely on being asked and such as do not.
func TestConfirm(t *testing.T) {
	t.Parallel()
	for name, capabilities := range map[string]*wire.ServerCapabilities{
		"insists": nil, "optional": {GetProviderSchemaOptional: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &keeper{file: filepath.Join(t.TempDir(), "schema")}
			first, second := thingSchema(t, capabilities), listless(t, capabilities)

			p, _ := k.run(t, KeptConfirmed, first)
			goesOn(t, p, "")
			if n := k.asked.Load(); n != 1 {
				t.Errorf("what nobody kept is asked for %d times", n)
			}
			written := k.kept(t)

			p, _ = k.run(t, KeptConfirmed, first)
			if k.asked.Load() != 0 {
				t.Error("what was kept is waited for")
			}
			goesOn(t, p, "")
			if n := k.asked.Load(); n != 1 || !bytes.Equal(k.kept(t), written) {
				t.Errorf("what was kept is asked for %d times", n)
			}

			p, _ = k.run(t, KeptConfirmed, second)
			goesOn(t, p, CodeSchemaChanged)
			p, lists := k.run(t, KeptIgnored, second)
			if goesOn(t, p, ""); lists {
				t.Error("the schema is the one that was kept")
			}
			if _, lists = k.run(t, KeptTrusted, first); lists || k.asked.Load() != 0 {
				t.Error("the kept schema was not replaced, or the process was asked")
			}
			p, _ = k.run(t, KeptConfirmed, first)
			goesOn(t, p, CodeSchemaChanged)
			p, lists = k.run(t, KeptIgnored, first)
			if goesOn(t, p, ""); !lists || !bytes.Equal(k.kept(t), written) {
				t.Error("the way back does not lead to where it began")
			}
		})
	}
}
