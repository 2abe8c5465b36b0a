package bridge_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// TestSwappedBinary has a provider's binary replaced while the bridge starts
// it: nobody may find the schema of one under the hash of the other.
func TestSwappedBinary(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const file = "terraform-provider-broken"
	path, other := w.path(file), w.local(t, "other/"+file, w.provider(t, "estate"))
	first := w.provider(t, "broken")
	swapping := strings.Replace(first, "exec ", fmt.Sprintf("mv %s %s\nexec ", other, path), 1)
	serve := func(typ string) {
		t.Helper()
		p := w.bridge(t)
		parameterize(t, p, args("./"+file), "broken", "0.0.0")
		if spec := schema(t, p, "broken", "0.0.0"); len(spec.Resources) == 0 || !strings.Contains(fmt.Sprint(slices.Collect(maps.Keys(spec.Resources))), typ) {
			t.Errorf("no %s in %v", typ, slices.Collect(maps.Keys(spec.Resources)))
		}
		end(t, p)
	}
	w.local(t, file, swapping)
	serve(":Thing")
	kept, err := filepath.Glob(filepath.Join(w.path("pulumi"), "dynamic_tf_schemas", "*", "*"))
	if err != nil || len(kept) > 0 {
		t.Errorf("%v are kept: %v", kept, err)
	}
	serve(":Network") // what took its place
	w.local(t, file, swapping)
	w.local(t, "other/"+file, first)
	serve(":Thing")
	serve(":Thing")
	if n := w.starts(t); n != 4 {
		t.Errorf("started %d times", n)
	}
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
