package truth_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// TestModulesApply has Terraform apply each module, plan nothing, destroy it
// and apply it again: both times the estate must mean the same, and so must the
// estates of both providers.
func TestModulesApply(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	dumps := map[string]string{}
	t.Cleanup(func() {
		if diff := cmp.Diff(dumps["estate"], dumps["classic"]); diff != "" {
			t.Errorf("the two modules make different estates (-estate +classic):\n%s", diff)
		}
	})
	for _, module := range truth.Modules(t) {
		t.Run(module.Name, func(t *testing.T) {
			t.Parallel()
			tofu := tfcli.Find(t, "tofu")
			server := estate.Start(t, estate.Options{})
			dir := t.TempDir()
			module.Write(t, dir)
			client := tfcli.New(t, tofu, tfcli.Options{
				Dir: dir, Env: []string{"ESTATE_ENDPOINT=" + server.URL},
				Providers: map[string]string{module.Provider: build.Binary(t, module.Binary)},
			})
			client.Apply(t)
			client.EmptyPlan(t)
			var addresses []string
			for _, r := range module.Resources {
				addresses = append(addresses, r.Address)
			}
			slices.Sort(addresses)
			if diff := cmp.Diff(addresses, client.Addresses(t)); diff != "" {
				t.Errorf("resources in the state (-known +applied):\n%s", diff)
			}
			options := estate.DumpOptions{DropGenerated: true, Secrets: true}
			first := server.Store.Dump(options)
			mu.Lock()
			dumps[module.Name] = string(first)
			mu.Unlock()
			client.Destroy(t)
			if left := server.Store.Total(); left != 0 {
				t.Errorf("destroy left %d objects", left)
			}
			client.Apply(t)
			if diff := cmp.Diff(string(first), string(server.Store.Dump(options))); diff != "" {
				t.Errorf("the estate after destroy and apply differs:\n%s", diff)
			}
		})
	}
}

// TestBothProvidersMeanTheSame compares the estates of the two modules: they
// are one estate written twice.
func TestBothProvidersMeanTheSame(t *testing.T) {
	t.Parallel()
	var links [2][]string
	for i, module := range truth.Modules(t) {
		for _, r := range module.Resources {
			for _, ref := range r.References {
				links[i] = append(links[i], strings.ReplaceAll(r.Address+" -> "+ref.To, module.Name+"_", ""))
			}
		}
		slices.Sort(links[i])
	}
	if diff := cmp.Diff(links[0], links[1]); diff != "" {
		t.Errorf("references (-estate +classic):\n%s", diff)
	}
}

// TestTruth spells out one resource, so that the derivation itself is checked
// against something written by hand.
func TestTruth(t *testing.T) {
	t.Parallel()
	module := truth.Named(t, "estate")
	at := slices.IndexFunc(module.Resources, func(r truth.Resource) bool { return r.Address == "estate_instance.web_1" })
	got := module.Resources[at]
	want := truth.Resource{
		Address: "estate_instance.web_1",
		Attributes: []truth.Attribute{
			{Path: "name"}, {Path: "image"}, {Path: "size"}, {Path: "subnet_id"}, {Path: "security_group_ids"},
			{Path: "role_arn"}, {Path: "private_ip"}, {Path: "api_token", Variable: "shop_api_token"},
			{Path: "monitoring"}, {Path: "cpu_ratio"},
			{Path: "disks[].size_gb"}, {Path: "disks[].size_gb"}, {Path: "disks[].type"}, {Path: "disks[].encrypted"},
			{Path: "boot_order"}, {Path: "metadata"}, {Path: "user_data"}, {Path: "tags"},
			{Path: "mounts[].bucket"}, {Path: "mounts[].path"}, {Path: "mounts[].read_only"},
			{Path: "mounts[].bucket"}, {Path: "mounts[].path"},
		},
		References: []truth.Reference{
			{Path: "subnet_id", To: "estate_subnet.prod_front.id"},
			{Path: "security_group_ids[]", To: "estate_security_group.front.id"},
			{Path: "security_group_ids[]", To: "estate_security_group.monitoring.id"},
			{Path: "role_arn", To: "estate_role.shop.arn"},
			{Path: "mounts[].bucket", To: "estate_bucket.media.name"},
			{Path: "mounts[].bucket", To: "estate_bucket.logs.name"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSecretsAreOnlyInVariables keeps secrets out of the written modules.
func TestSecretsAreOnlyInVariables(t *testing.T) {
	t.Parallel()
	for _, module := range truth.Modules(t) {
		dir := t.TempDir()
		module.Write(t, dir)
		main, err := os.ReadFile(filepath.Join(dir, "main.tf"))
		if err != nil {
			t.Fatal(err)
		}
		for name, secret := range module.Variables {
			if strings.Contains(string(main), secret) {
				t.Errorf("%s: the value of %s stands in main.tf", module.Name, name)
			}
		}
	}
}
