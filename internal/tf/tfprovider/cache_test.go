package tfprovider_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/formation-iac/formation/internal/base/sealed"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestSchemaCache reads a schema from the file that an earlier process left,
// without starting one: the path leads nowhere.
func TestSchemaCache(t *testing.T) {
	t.Parallel()
	for _, binary := range []string{"terraform-provider-estate", "terraform-provider-classic"} {
		t.Run(binary, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "new", "schema")
			fresh := launch(t, tfprovider.Config{Path: build.Binary(t, binary), Env: environment(), CacheFile: file})
			cached := launch(t, tfprovider.Config{Path: "nowhere", CacheFile: file})
			for _, kind := range []tfschema.Kind{tfschema.KindProvider, tfschema.KindResource, tfschema.KindDataSource, tfschema.KindList} {
				for _, name := range fresh.catalog.Names(kind) {
					sameSchema(t, fresh.catalog, cached.catalog, kind, name)
				}
			}
			if fresh.catalog.Capabilities() != cached.catalog.Capabilities() {
				t.Error("the capabilities differ")
			}
		})
	}
}

func sameSchema(t *testing.T, a, b *tfschema.Catalog, kind tfschema.Kind, name string) {
	t.Helper()
	one, err := a.Schema(kind, name)
	if err != nil {
		t.Fatal(err)
	}
	two, err := b.Schema(kind, name)
	if err != nil {
		t.Fatal(err)
	}
	first, errOne := one.MarshalJSON()
	second, errTwo := two.MarshalJSON()
	if errOne != nil || errTwo != nil || !bytes.Equal(first, second) {
		t.Errorf("%s %s: %s and %s", kind, name, first, second)
	}
}

// TestWarmStart makes calls with a schema from the cache: SDKv2 insists on
// being asked for its schema all the same.
func TestWarmStart(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"estate_", "classic_"} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
			config := tfprovider.Config{
				Path: build.Binary(t, "terraform-provider-"+prefix[:len(prefix)-1]), CacheFile: filepath.Join(t.TempDir(), "schema"),
				Env: environment("ESTATE_ENDPOINT=" + server.URL),
			}
			launch(t, config)
			p := launch(t, config)
			p.estate = server
			noDiags(t, p.Configure(t.Context(), p.object(t, tfschema.KindProvider, "", nil)))
			p.read(t, prefix+"network", p.ids(t, "networks")[0])
		})
	}
}

// TestBlankSchemaIsNotCached has a provider answer without a single type, and
// finds a file that keeps such an answer: the next process is asked anew.
func TestBlankSchemaIsNotCached(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "schema")
	config := broken(t, "BROKEN_MODE=empty")
	config.CacheFile = file
	launch(t, config)
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the answer was kept: %v", err)
	}
	var kept bytes.Buffer
	if err := sealed.Write(&kept, "formation-schema-2\n", func(w io.Writer) error {
		_, err := w.Write(append([]byte{6}, make([]byte, sha256.Size+2)...))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, kept.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	config = broken(t)
	config.CacheFile = file
	if p := launch(t, config); !p.catalog.Has(tfschema.KindResource, "broken_thing") {
		t.Errorf("the types are %v", p.catalog.Names(tfschema.KindResource))
	}
}

// TestBadSchemaCache is given cache files that are of no use. They are
// replaced.
func TestBadSchemaCache(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "good")
	config := broken(t)
	config.CacheFile = good
	launch(t, config)
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	classic := filepath.Join(dir, "other")
	launch(t, tfprovider.Config{Path: build.Binary(t, "terraform-provider-classic"), Env: environment(), CacheFile: classic})
	other, err := os.ReadFile(classic)
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for name, content := range map[string][]byte{
		"empty": nil, "truncated": whole[:len(whole)-1], "half": whole[:len(whole)/2], "one bit": flipped,
		"another format": []byte("formation-schema-0\n"), "JSON": []byte(`{"format_version":"1.0"}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := config
			config.CacheFile = filepath.Join(dir, name)
			if err := os.WriteFile(config.CacheFile, content, 0o600); err != nil {
				t.Fatal(err)
			}
			launch(t, config)
			if got, err := os.ReadFile(config.CacheFile); err != nil || !bytes.Equal(got, whole) {
				t.Errorf("the file was not replaced: %v", err)
			}
		})
	}
	t.Run("another protocol", func(t *testing.T) {
		t.Parallel()
		config := config
		config.CacheFile = filepath.Join(dir, "foreign")
		if err := os.WriteFile(config.CacheFile, other, 0o600); err != nil {
			t.Fatal(err)
		}
		p := launch(t, config)
		p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: "classic_network", ID: "starts the process"})
		if catalog, _ := p.Schema(t.Context()); !catalog.Has(tfschema.KindResource, "broken_thing") {
			t.Errorf("the types are %v", catalog.Names(tfschema.KindResource))
		}
	})
	t.Run("unwritable", func(t *testing.T) {
		t.Parallel()
		config := config
		config.CacheFile = filepath.Join(good, "under a file")
		_, diags := unstarted(t, config).Schema(t.Context())
		wantDiag(t, diags, "TP0011", "The provider's schema could not be cached")
		if diags.HasErrors() {
			t.Error("it is an error")
		}
	})
}
