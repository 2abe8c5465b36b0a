package bridge_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
)

// TestSchemaCache asks for a schema again and again: the provider is started
// once, and neither another package nor a damaged file is taken for it. What a
// bridge is saving is whole when it has ended.
func TestSchemaCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "terraform-provider-broken", w.provider(t, "broken"))
	p := w.bridge(t)
	parameterize(t, p, args("terraform-provider-broken"), "broken", "0.0.0")
	if n := w.starts(t); n != 0 {
		t.Errorf("started %d times before anything needed it", n)
	}
	first := schemaText(t, p, "broken", "0.0.0")
	if n := w.starts(t); n != 1 {
		t.Errorf("started %d times", n)
	}
	end(t, p)
	files := w.cached(t)
	again := func() {
		t.Helper()
		p := w.bridge(t)
		parameterize(t, p, args("terraform-provider-broken"), "broken", "0.0.0")
		if diff := cmp.Diff(first, schemaText(t, p, "broken", "0.0.0")); diff != "" {
			t.Error(diff)
		}
		if n := w.starts(t); n != 1 {
			t.Errorf("started %d times", n)
		}
		end(t, p)
	}
	again()
	p = w.bridge(t)
	parameterize(t, p, args("terraform-provider-broken", "--provider-name", "other"), "other", "0.0.0")
	schema(t, p, "other", "0.0.0")
	end(t, p)
	p = w.start(t, pluginprocess.Options{Dir: w.dir, Name: "pulumi-resource-terraform-provider"})
	parameterize(t, p, args("terraform-provider-broken"), "broken", "0.0.0")
	if base := schema(t, p, "broken", "0.0.0").Parameterization.BaseProvider.Name; base != "terraform-provider" {
		t.Errorf("the base is %s", base)
	}
	end(t, p)
	if n := len(w.cached(t)); n != 3 {
		t.Errorf("%d files for three schemas", n)
	}
	for _, damage := range []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)/2] },
		func([]byte) []byte { return nil },
		func(b []byte) []byte { b[len(b)-5] ^= 1; return b },
	} {
		content, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(files[0], damage(content), 0o644); err != nil {
			t.Fatal(err)
		}
		again()
	}
	// Without any cache it can be done all the same.
	if err := os.RemoveAll(filepath.Dir(files[0])); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(files[0]), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	again()
}

func end(t *testing.T, p *pluginprocess.Process) {
	t.Helper()
	if err := p.End(); err != nil {
		t.Error(err)
	}
}

// cached are the files with schemas of packages.
func (w *world) cached(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.path("pulumi"), "dynamic_tf_schemas", "packages", "*.schema"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cached schemas: %v", err)
	}
	return files
}
