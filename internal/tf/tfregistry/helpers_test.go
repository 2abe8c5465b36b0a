package tfregistry_test

import (
	"archive/zip"
	"context"
	"crypto/rand"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

var platform = tfregistry.CurrentPlatform()

// timeProvider is the address most tests ask for.
var timeProvider = tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "hashicorp", Type: "time"}

// emptyEnv is an environment without variables.
func emptyEnv(string) string { return "" }

// write makes a file and its directories.
func write(t *testing.T, path, content string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeZip makes an archive of the files by name.
func writeZip(t *testing.T, path string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, content := range files {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// newRegistry makes a registry that is offline unless opts say otherwise.
func newRegistry(t *testing.T, opts tfregistry.Options) *tfregistry.Registry {
	t.Helper()
	if opts.CacheDir == "" {
		opts.CacheDir = t.TempDir()
	}
	if opts.WorkDir == "" {
		opts.WorkDir = t.TempDir()
	}
	if opts.Env == nil {
		opts.Env = emptyEnv
	}
	if opts.Transport == nil {
		opts.Offline = true
	}
	r, diags := tfregistry.New(opts)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return r
}

// configFrom reads src as a CLI configuration file.
func configFrom(t *testing.T, src string) tfregistry.CLIConfig {
	t.Helper()
	file := write(t, filepath.Join(t.TempDir(), "cli.tfrc"), src, 0o600)
	config, diags := tfregistry.LoadCLIConfig(func(name string) string {
		if name == "TF_CLI_CONFIG_FILE" {
			return file
		}
		return ""
	})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	return config
}

// codes lists the codes of diagnostics in order.
func codes(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		out = append(out, d.Code)
	}
	return out
}

// wantCodes fails the test unless diags have exactly these codes.
func wantCodes(t *testing.T, diags diag.List, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, codes(diags)); d != "" {
		t.Fatalf("codes (-want +got):\n%s\n%v", d, diags)
	}
}

// demo is the provider that the test registry serves.
var demo = tfaddr.Provider{Host: "registry.example", Namespace: "acme", Type: "demo"}

// waits records what a clock was asked to wait, and does not wait.
type waits struct {
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) clock() tfregistry.Clock {
	return tfregistry.Clock{Sleep: func(ctx context.Context, d time.Duration) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.list = append(w.list, d)
		return ctx.Err()
	}}
}

// online makes a registry that talks to s, with waits that take no time.
func online(t *testing.T, s *registrytest.Server, opts tfregistry.Options) (*tfregistry.Registry, *waits) {
	t.Helper()
	w := &waits{}
	opts.Transport = s.Transport()
	if opts.Clock.Sleep == nil {
		opts.Clock = w.clock()
	}
	return newRegistry(t, opts), w
}

// noise is content that does not compress, so that sizes are what they seem.
func noise(t *testing.T, n int) []byte {
	t.Helper()
	out := make([]byte, n)
	if _, err := rand.Read(out); err != nil {
		t.Fatal(err)
	}
	return out
}

// only is an environment with one variable.
func only(name, value string) func(string) string {
	return func(asked string) string {
		if asked == name {
			return value
		}
		return ""
	}
}

// large is version 1.0.0 of the demo provider with about n bytes.
func large(t *testing.T, n int) registrytest.Package {
	t.Helper()
	p := registrytest.Binary("acme", "demo", "1.0.0", "")
	p.Files["terraform-provider-demo_v1.0.0"] = noise(t, n)
	return p
}

// leftovers lists what a cache holds beyond packages, records and locks.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && (strings.Contains(d.Name(), ".unpack-") || strings.Contains(d.Name(), ".partial") || strings.Contains(d.Name(), ".tmp-")) {
			out = append(out, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
