package bridge_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// TestMappings is asked as the engine's Mapper asks.
func TestMappings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "terraform-provider-broken", w.provider(t, "broken"))
	bare := w.bridge(t)
	p := w.bridge(t)
	parameterize(t, p, args("terraform-provider-broken", "--provider-name", "cracked"), "cracked", "0.0.0")
	for _, key := range []string{"terraform", "tf", "other"} {
		want := []string{"broken"}
		if key == "other" {
			want = nil
		}
		listed, err := p.GetMappings(t.Context(), &pulumirpc.GetMappingsRequest{Key: key})
		if err != nil || !slices.Equal(listed.GetProviders(), want) {
			t.Errorf("%s: got %v, %v", key, listed, err)
		}
		if listed, err := bare.GetMappings(t.Context(), &pulumirpc.GetMappingsRequest{Key: key}); err != nil || len(listed.GetProviders()) > 0 {
			t.Errorf("without a parameter: got %v, %v", listed, err)
		}
	}
	for provider, answered := range map[string]bool{"": true, "broken": true, "other": false} {
		for key, known := range map[string]bool{"terraform": true, "tf": true, "other": false} {
			got, err := p.GetMapping(t.Context(), &pulumirpc.GetMappingRequest{Key: key, Provider: provider})
			if err != nil {
				t.Fatal(err)
			}
			if (len(got.GetData()) > 0) != (answered && known) {
				t.Errorf("%s, %s: %d bytes", key, provider, len(got.GetData()))
			}
		}
	}
	got, err := p.GetMapping(t.Context(), &pulumirpc.GetMappingRequest{Key: "terraform"})
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Provider  any
		Name      string
		Version   string
		Resources map[string]struct{ Tok string }
	}
	if err := json.Unmarshal(got.GetData(), &document); err != nil {
		t.Fatal(err)
	}
	if got.GetProvider() != "broken" || document.Name != "cracked" || document.Resources["broken_thing"].Tok != "cracked:index/thing:Thing" {
		t.Errorf("provider %s, %+v", got.GetProvider(), document)
	}
	again := w.bridge(t)
	parameterize(t, again, args("terraform-provider-broken", "--provider-name", "cracked"), "cracked", "0.0.0")
	second, err := again.GetMapping(t.Context(), &pulumirpc.GetMappingRequest{Key: "tf", Provider: "broken"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got.GetData()), string(second.GetData())); diff != "" {
		t.Error(diff)
	}
	if n := w.starts(t); n != 1 {
		t.Errorf("the provider was started %d times", n)
	}
}
