package tfregistry_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// realClient is the command line name in a root module that requires p, with
// a CLI configuration and trust in s.
func realClient(t *testing.T, name string, s *registrytest.Server, p tfaddr.Provider, config string) *tfcli.Client {
	t.Helper()
	path, dir := tfcli.Find(t, name), t.TempDir()
	write(t, filepath.Join(dir, "main.tf"), `terraform {
  required_providers {
    demo = {
      source  = "`+p.String()+`"
      version = "~> 1.0"
    }
  }
}
`, 0o644)
	file := write(t, filepath.Join(t.TempDir(), "cli.tfrc"), config, 0o644)
	return tfcli.New(t, path, tfcli.Options{Dir: dir, Env: []string{"TF_CLI_CONFIG_FILE=" + file, "SSL_CERT_FILE=" + s.CAFile(t)}})
}

func loadLock(t *testing.T, client *tfcli.Client) tfregistry.LockFile {
	t.Helper()
	lock, diags := tfregistry.LoadLockFile(filepath.Join(client.Dir, tfregistry.LockFileName))
	wantCodes(t, diags)
	return lock
}

// TestSameAsRealClients holds that what terraform and tofu make of a server
// is what is made of it here: the same lock, and caches and mirrors that
// serve both.
func TestSameAsRealClients(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"terraform", "tofu"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, registrytest.Binary("acme", "demo", "1.2.0", "demo"))
			foreign := registrytest.Binary("acme", "demo", "1.2.0", "for plan9")
			foreign.OS, foreign.Arch = "plan9", "mips"
			s.Publish(t, foreign)
			s.Publish(t, registrytest.Binary("acme", "demo", "2.0.0", "demo"))
			theirCache := t.TempDir()
			p := tfaddr.Provider{Host: s.Host(), Namespace: "acme", Type: "demo"}
			client := realClient(t, name, s, p, `plugin_cache_dir = "`+theirCache+`"`)

			r, _ := online(t, s, tfregistry.Options{})
			got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: p, Constraint: "~> 1.0"})
			wantCodes(t, diags)
			var ours tfregistry.LockFile
			ours.Record(got, "~> 1.0")

			client.Must(t, "init", "-no-color")
			if d := cmp.Diff(loadLock(t, client).Providers, ours.Providers); d != "" {
				t.Errorf("locks differ (-theirs +ours):\n%s", d)
			}
			wantCodes(t, ours.Save(filepath.Join(client.Dir, tfregistry.LockFileName)))
			client.Must(t, "init", "-no-color", "-lockfile=readonly")

			offline := newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, `plugin_cache_dir = "`+theirCache+`"`)})
			req, _ := ours.Request(p)
			adopted, diags := offline.Ensure(t.Context(), tfregistry.Request{Provider: p, Constraint: req.Constraint, Hashes: req.Hashes})
			wantCodes(t, diags)
			if adopted.BinaryHash != got.BinaryHash || !filepath.IsLocal(rel(t, theirCache, adopted.Path)) {
				t.Errorf("got %+v", adopted)
			}

			mirror := t.TempDir()
			client.Must(t, "providers", "mirror", "-platform="+platform.String(), mirror)
			offline = newRegistry(t, tfregistry.Options{CLIConfig: configFrom(t, "provider_installation {\n filesystem_mirror {\n path = \""+mirror+"\"\n}\n}\n")})
			mirrored, diags := offline.Ensure(t.Context(), req)
			wantCodes(t, diags)
			if mirrored.BinaryHash != got.BinaryHash {
				t.Errorf("got %+v", mirrored)
			}
		})
	}
}

func TestMirrorServesRealClients(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"terraform", "tofu"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, registrytest.Binary("acme", "demo", "1.2.0", "demo"))
			config := "provider_installation {\n network_mirror {\n url = \"" + s.MirrorURL("") + "\"\n}\n}\n"
			client := realClient(t, name, s, demo, config)
			client.Must(t, "init", "-no-color")
			r, _ := online(t, s, tfregistry.Options{CLIConfig: configFrom(t, config)})
			got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "~> 1.0"})
			wantCodes(t, diags)
			wantCodes(t, loadLock(t, client).Verify(got))
		})
	}
}

func rel(t *testing.T, base, path string) string {
	t.Helper()
	out, err := filepath.Rel(base, path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
