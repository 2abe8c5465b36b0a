package tfregistry_test

import (
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

func TestNetworkFailureFallsBackToCache(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	r, _ := online(t, s, tfregistry.Options{})
	req := tfregistry.Request{Provider: demo, Constraint: ">= 1.0"}
	_, diags := r.Ensure(t.Context(), req)
	wantCodes(t, diags)
	s.Fail(registrytest.Fault{Path: "versions", Status: 503})
	got, diags := r.Ensure(t.Context(), req)
	wantCodes(t, diags, "TR0042")
	if got.Version != "1.0.0" || diags.HasErrors() {
		t.Errorf("got %+v", got)
	}
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: ">= 2.0"})
	wantCodes(t, diags, "TR0041")
	for _, want := range []string{"could not be reached", "503", "has 1.0.0"} {
		if !strings.Contains(diags[0].Detail, want) {
			t.Errorf("detail lacks %q:\n%s", want, diags[0].Detail)
		}
	}
}

func TestOffline(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, registrytest.Binary("acme", "demo", "1.0.0", "x"))
	cache := t.TempDir()
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	before := len(s.Requests())
	r, _ = online(t, s, tfregistry.Options{CacheDir: cache, Offline: true})
	for _, c := range []struct {
		constraint string
		code       []string
	}{{"", nil}, {"1.0.0", nil}, {"~> 1.0", nil}, {"~> 2.0", []string{"TR0041"}}, {"1.0.1", []string{"TR0041"}}} {
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: c.constraint})
		wantCodes(t, diags, c.code...)
		if c.code == nil {
			if got.Version != "1.0.0" {
				t.Errorf("got %+v", got)
			}
			continue
		}
		for _, want := range []string{"registry.example: not asked", cache, "tofu providers mirror"} {
			if text := diags[0].Detail; !strings.Contains(text, want) {
				t.Errorf("detail lacks %q:\n%s", want, text)
			}
		}
	}
	if len(s.Requests()) != before {
		t.Error("the network was used")
	}
}
