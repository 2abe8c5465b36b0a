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
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
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

// TestHeldSchema asks for a schema that is there already: it is not sent again,
// until something of it changes.
func TestHeldSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const file = "terraform-provider-broken"
	w.local(t, file, w.provider(t, "broken"))
	ask := func(held string, more ...string) (tag string, sent bool) {
		t.Helper()
		p := w.bridge(t)
		defer end(t, p)
		parameterize(t, p, args(append([]string{"./" + file}, more...)...), "broken", "0.0.0")
		var header metadata.MD
		ctx := metadata.AppendToOutgoingContext(t.Context(), pserve.SchemaHeld, held)
		resp, err := p.GetSchema(ctx, &pulumirpc.GetSchemaRequest{SubpackageName: "broken", SubpackageVersion: "0.0.0"}, grpc.Header(&header))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(header.Get(pserve.SchemaTag), " "), resp.GetSchema() != ""
	}
	first, sent := ask("")
	if first == "" || !sent {
		t.Errorf("tag %q, sent: %v", first, sent)
	}
	if tag, sent := ask(first); tag != first || sent {
		t.Errorf("tag %q after %q, sent: %v", tag, first, sent)
	}
	if n := w.starts(t); n != 1 {
		t.Errorf("started %d times", n)
	}
	if tag, sent := ask("another"); tag != first || !sent {
		t.Errorf("tag %q after %q, sent: %v", tag, first, sent)
	}
	if tag, sent := ask(first, "--include", "broken_thing"); tag == first || !sent {
		t.Errorf("tag %q of another parameter after %q, sent: %v", tag, first, sent)
	}
	w.local(t, file, w.provider(t, "estate"))
	if tag, sent := ask(first); tag == first || !sent {
		t.Errorf("tag %q of another provider after %q, sent: %v", tag, first, sent)
	}
	p := w.bridge(t)
	defer end(t, p)
	var header metadata.MD
	if resp, err := p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{}, grpc.Header(&header)); err != nil || len(header.Get(pserve.SchemaTag)) > 0 || resp.GetSchema() == "" {
		t.Errorf("the bridge's own schema: %v, %v", header, err)
	}
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
