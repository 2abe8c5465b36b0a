package install_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// TestNeeded asks where the plugins of a project are, which has them in all
// places, and nowhere.
func TestNeeded(t *testing.T) {
	t.Parallel()
	cache := plugin.Cache{Root: t.TempDir()}
	h := &home{cache: cache}
	h.put(t, concrete("random", "1.0.0"), binary("random", "one"))
	h.put(t, concrete("random", "2.0.0"), binary("random", "two"))
	h.put(t, concrete("known", "1.0.0"), binary("known", "of a registry"))
	h.put(t, concrete("half", "1.0.0"), binary("half", ""))
	writeTree(t, cache.Root, map[string]string{"resource-half-v1.0.0.partial": "server: https://plugins.example/\n"})
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"comp/PulumiPlugin.yaml": "runtime: toy\n",
		"Pulumi.yaml": `name: shop
runtime: toy
packages:
  random: random@1.0.0
  newer: random@3.0.0
  mine: ./comp
  nowhere:
    source: nowhere
    version: 1.2.3
    pluginDownloadURL: https://me:secret@example.org/plugins
  cloned: example.org/org/repo@1.0.0
`,
	})
	m, diags := project.Load(filepath.Join(dir, "Pulumi.yaml"))
	wantCodes(t, diags)
	opts := options(t, cache, "", source.Options{Offline: true})
	opts.Ambient = func(_ plugin.Kind, name string) (string, bool) { return "/bin/ambient", name == "ambient" }
	i := install.New(opts)
	var wanted []plugin.Descriptor
	for _, text := range []string{
		"random@1.0.0", "random", "random@1.0.0", "random@3.0.0", "half", "publisher/known", "ambient@9.0.0", "ambient", "any", "terraform-bridge@1.0.0", "example.org/org/repo@1.0.0",
	} {
		d, diags := source.Describe(text, source.Wish{Kind: plugin.Resource, Exact: strings.Contains(text, "@")})
		wantCodes(t, diags)
		wanted = append(wanted, d)
	}
	for _, name := range []string{"mine", "nowhere"} {
		wanted = append(wanted, plugin.Descriptor{Kind: plugin.Resource, Source: name})
	}
	sum := plugin.Descriptor{Kind: plugin.Tool, Source: "summed", Checksums: plugin.Checksums{plugin.CurrentPlatform().String(): make([]byte, 32)}}
	listed, diags := i.List(t.Context())
	wantCodes(t, diags)
	needed, diags := i.Needed(listed, m, append(wanted, sum))
	wantCodes(t, diags)
	var got []string
	for _, n := range needed {
		where := strings.TrimPrefix(n.Path, dir+string(filepath.Separator))
		if n.Cached != nil {
			where = filepath.Base(n.Cached.Dir) + " " + n.Cached.State.String()
		}
		got = append(got, fmt.Sprintf("%s %s: %s%s", n.Name, n.Version, where, n.Get))
	}
	want := []string{
		"random 1.0.0: resource-random-v1.0.0 installed",
		"random 3.0.0: formation plugin install resource random 3.0.0 --exact",
		"half 1.0.0: resource-half-v1.0.0 present",
		"known 1.0.0: resource-known-v1.0.0 installed",
		"ambient 9.0.0: /bin/ambient",
		"any : formation plugin install resource any",
		"terraform-bridge 1.0.0: ",
		"example.org_org_repo.git 1.0.0: formation plugin install resource git://example.org/org/repo.git 1.0.0 --exact",
		"comp : comp",
		"nowhere 1.2.3: formation plugin install resource nowhere 1.2.3 --exact --server https://example.org/plugins",
		"summed : formation plugin install tool summed --checksum " + strings.Repeat("0", 64),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
