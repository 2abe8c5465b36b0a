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
	"google.golang.org/grpc/codes"

	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
)

func TestUnparameterized(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for program, name := range map[string]string{
		"":                                   "terraform-bridge",
		"pulumi-resource-terraform-bridge":   "terraform-bridge",
		"pulumi-resource-terraform-provider": "terraform-provider",
		"/a/pulumi-resource-terraform-provider.exe": "terraform-provider",
	} {
		p := w.start(t, pluginprocess.Options{Name: program})
		text := schemaText(t, p, "", "")
		for _, want := range []string{fmt.Sprintf(`"name":%q`, name), `"displayName":"Any Terraform Provider"`, `"version":"`} {
			if !strings.Contains(text, want) {
				t.Errorf("%q: %s is not in %s", program, want, text)
			}
		}
		if strings.Contains(text, `"parameterization"`) {
			t.Errorf("%q: the schema has a parameter", program)
		}
	}
}

// TestVersions asks for providers by constraints.
func TestVersions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.0.0", "1.1.0", "1.10.0", "2.0.0-beta1")
	for constraint, want := range map[string]string{
		"": "1.10.0", "1.0.0": "1.0.0", "v1.1.0": "1.1.0", "~> 1.0, != 1.10.0": "1.1.0", "2.0.0-beta1": "2.0.0-beta1",
	} {
		t.Run(constraint, func(t *testing.T) {
			t.Parallel()
			given := []string{w.address("broken")}
			if constraint != "" {
				given = append(given, constraint)
			}
			parameterize(t, w.bridge(t), args(given...), "broken", want)
		})
	}
}

// TestNewestIsAskedFor finds a version that appeared after the cache was
// filled, and what is there when the registry is not.
func TestNewestIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const address = "registry.invalid/testing/broken"
	config := w.local(t, "tofurc", fmt.Sprintf(`host "registry.invalid" {
  services = { "providers.v1" = "https://%s/v1/providers/" }
}`, w.registry.Host()))
	online := "TF_CLI_CONFIG_FILE=" + config
	w.publish(t, "1.0.0")
	parameterize(t, w.bridge(t, online), args(address), "broken", "1.0.0")
	w.publish(t, "1.1.0")
	parameterize(t, w.bridge(t, online), args(address), "broken", "1.1.0")
	asked := len(w.registry.Requests())
	parameterize(t, w.bridge(t, online), args(address, "1.0.0"), "broken", "1.0.0")
	if more := len(w.registry.Requests()) - asked; more > 0 {
		t.Errorf("%d requests for a version that is there", more)
	}
	p := w.bridge(t) // nobody knows that host
	parameterize(t, p, args(address), "broken", "1.1.0")
	if logs := strings.Join(p.Engine.Logs(), "\n"); !strings.Contains(logs, "comes from the cache") {
		t.Errorf("nobody was told that it may be old: %s", logs)
	}
	_, err := w.bridge(t).Parameterize(t.Context(), args(address, "3.0.0"))
	wantStatus(t, err, codes.FailedPrecondition, "No provider found for", "3.0.0", "could not be reached", "Check the network")
}

// TestOffline has a registry that would answer, and only uses what is here.
func TestOffline(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.0.0")
	const offline = "FORMATION_OFFLINE=true"
	_, err := w.bridge(t, offline).Parameterize(t.Context(), args(w.address("broken")))
	wantStatus(t, err, codes.FailedPrecondition, "No provider found for "+w.address("broken"),
		"registry "+w.registry.Host()+": not asked, since the network is not to be used", "put the package for")
	parameterize(t, w.bridge(t, "FORMATION_OFFLINE=0"), args(w.address("broken")), "broken", "1.0.0")
	w.publish(t, "1.1.0")
	asked := len(w.registry.Requests())
	p := w.bridge(t, offline)
	parameterize(t, p, args(w.address("broken")), "broken", "1.0.0")
	schema(t, p, "broken", "1.0.0")
	if more := len(w.registry.Requests()) - asked; more > 0 {
		t.Errorf("%d requests", more)
	}
}

// TestArgsAndValue makes a package of arguments, and the same one of what its
// SDK would carry, without the registry.
func TestArgsAndValue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.2.3")
	p := w.bridge(t)
	parameterize(t, p, args(w.address("broken"), "--provider-name", "cracked", "--include", "broken_thing"), "cracked", "1.2.3")
	spec := schema(t, p, "cracked", "1.2.3")
	if got := slices.Collect(maps.Keys(spec.Resources)); !slices.Equal(got, []string{"cracked:index/thing:Thing"}) {
		t.Errorf("resources %v", got)
	}
	want := fmt.Sprintf(`{"remote":{"url":"%s/testing/broken","version":"1.2.3"},"includes":["broken_thing"],"providerName":"cracked"}`, w.registry.Host())
	if diff := cmp.Diff(want, string(spec.Parameterization.Parameter)); diff != "" {
		t.Error(diff)
	}
	if spec.Parameterization.BaseProvider.Name != "terraform-bridge" {
		t.Errorf("the base is %+v", spec.Parameterization.BaseProvider)
	}
	w.registry.Close()
	again := w.bridge(t)
	parameterize(t, again, value("cracked", "1.2.3", want), "cracked", "1.2.3")
	if diff := cmp.Diff(schemaText(t, p, "cracked", "1.2.3"), schemaText(t, again, "cracked", "1.2.3")); diff != "" {
		t.Error(diff)
	}
	// For an explicit provider engines may give the plugin's version.
	parameterize(t, w.bridge(t), value("cracked", "0.8.1", want), "cracked", "1.2.3")
}

// TestLocal uses an executable, by paths of all forms, and by the SDK from
// another directory.
func TestLocal(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script := w.provider(t, "broken")
	path := w.local(t, "terraform-provider-broken", script)
	w.local(t, "bin/terraform-provider-broken_v1.2.3_x5", script)
	for given, version := range map[string]string{
		path: "0.0.0", "./terraform-provider-broken": "0.0.0", "terraform-provider-broken": "0.0.0",
		"bin/terraform-provider-broken_v1.2.3_x5": "1.2.3",
	} {
		p := w.bridge(t)
		parameterize(t, p, args(given), "broken", version)
		spec := schema(t, p, "broken", version)
		elsewhere := w.start(t, pluginprocess.Options{Dir: t.TempDir()})
		parameterize(t, elsewhere, value("broken", version, string(spec.Parameterization.Parameter)), "broken", version)
		if diff := cmp.Diff(spec, schema(t, elsewhere, "broken", version)); diff != "" {
			t.Error(diff)
		}
	}
	// A version that only the SDK knows stays.
	parameterize(t, w.bridge(t), value("broken", "0.0.0", `{"local":{"path":"./terraform-provider-broken"}}`), "broken", "0.0.0")
	parameterize(t, w.bridge(t), value("broken", "3.0.0", `{"local":{"path":"./terraform-provider-broken"}}`), "broken", "3.0.0")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	_, err := w.bridge(t).Parameterize(t.Context(), value("broken", "0.0.0", fmt.Sprintf(`{"local":{"path":%q}}`, path)))
	wantStatus(t, err, codes.InvalidArgument, "generated from "+path, "pulumi package add")
}

// TestSharedCache uses what Pulumi's own bridge has installed.
func TestSharedCache(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.0.0")
	parameterize(t, w.bridge(t), args(w.address("broken")), "broken", "1.0.0")
	found, err := filepath.Glob(filepath.Join(w.path("pulumi"), "dynamic_tf_plugins", "*", "testing", "broken", "1.0.0", "*_*", "terraform-provider-broken*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the layout is another: %v, %v", found, err)
	}
	layout, err := filepath.Rel(filepath.Join(w.path("pulumi"), "dynamic_tf_plugins"), found[0])
	if err != nil {
		t.Fatal(err)
	}
	w.registry.Close()
	w.local(t, filepath.Join("other", layout), w.provider(t, "broken"))
	p := w.bridge(t, "PULUMI_HOME="+w.path("fresh"), "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR="+w.path("other"))
	parameterize(t, p, args(w.address("broken"), "1.0.0"), "broken", "1.0.0")
	schema(t, p, "broken", "1.0.0")
}

func TestBadInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.0.0")
	w.registry.Publish(t, registrytest.Package{
		Namespace: "testing", Type: "old", Version: "1.0.0", Protocols: []string{"4.0"},
		Files: map[string][]byte{"terraform-provider-old_v1.0.0": []byte("#!/bin/sh\n")},
	})
	w.local(t, "terraform-provider-text", "just text")
	w.local(t, "my-provider", "#!/bin/sh\n")
	remote := fmt.Sprintf(`{"remote":{"url":%q,"version":"1.0.0"}}`, w.address("broken"))
	for name, test := range map[string]struct {
		req  *pulumirpc.ParameterizeRequest
		code codes.Code
		want []string
	}{
		"nothing":            {&pulumirpc.ParameterizeRequest{}, codes.InvalidArgument, []string{"without a parameter"}},
		"no arguments":       {args(), codes.InvalidArgument, []string{"No Terraform provider is named", "pulumi package add terraform-bridge hashicorp/random"}},
		"help":               {args("--help"), codes.InvalidArgument, []string{"--provider-name NAME"}},
		"unknown provider":   {args(w.address("unknown")), codes.FailedPrecondition, []string{"No provider found for " + w.address("unknown"), "Check the address"}},
		"no such version":    {args(w.address("broken"), "2.0.0"), codes.FailedPrecondition, []string{w.address("broken") + " 2.0.0", "1.0.0"}},
		"bad constraint":     {args(w.address("broken"), "newest"), codes.FailedPrecondition, []string{`Invalid version constraint "newest"`}},
		"not an address":     {args("a/b/c/d"), codes.InvalidArgument, []string{"No provider's address"}},
		"protocol 4":         {args(w.address("old")), codes.FailedPrecondition, []string{"speaks another plugin protocol", "5 and 6"}},
		"another file":       {args("./my-provider"), codes.InvalidArgument, []string{"terraform-provider-NAME"}},
		"no such file":       {args("./terraform-provider-missing"), codes.FailedPrecondition, []string{w.path("terraform-provider-missing"), "Check the path"}},
		"bad name":           {args(w.address("broken"), "--provider-name=1"), codes.InvalidArgument, []string{"No name for a package: 1"}},
		"bad bytes":          {value("broken", "1.0.0", "\xff\xfe"), codes.InvalidArgument, []string{"The parameter in the SDK cannot be read", "pulumi package add"}},
		"another name":       {value("other", "1.0.0", remote), codes.InvalidArgument, []string{"stands for package broken 1.0.0, and is used for other 1.0.0"}},
		"version is a range": {value("broken", "1.0.0", strings.Replace(remote, "1.0.0", ">=1", 1)), codes.InvalidArgument, []string{"cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := w.bridge(t).Parameterize(t.Context(), test.req)
			wantStatus(t, err, test.code, test.want...)
		})
	}
}

// TestRefusedName leaves the bridge as it was: it may be parameterized after all.
func TestRefusedName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.0.0")
	p := w.bridge(t)
	remote := fmt.Sprintf(`{"remote":{"url":%q,"version":"1.0.0"}}`, w.address("broken"))
	_, err := p.Parameterize(t.Context(), value("other", "1.0.0", remote))
	wantStatus(t, err, codes.InvalidArgument, "is used for other")
	bare, err := p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{})
	if err != nil || strings.Contains(bare.GetSchema(), "broken") {
		t.Errorf("it is something already: %.200s, %v", bare.GetSchema(), err)
	}
	parameterize(t, p, value("broken", "1.0.0", remote), "broken", "1.0.0")
}

// TestNotAProvider meets programs that are no providers when their schema is
// asked for: nothing is started before.
func TestNotAProvider(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "text/terraform-provider-broken", "just text")
	w.local(t, "true/terraform-provider-broken", "#!/bin/sh\necho hello\n")
	w.local(t, "old/terraform-provider-broken", w.provider(t, "broken"))
	for dir, want := range map[string]string{
		"text": "is not a program for this machine",
		"true": "is not a Terraform provider",
		"old":  "too old or too new; protocols 5 and 6 are supported",
	} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			p := w.bridge(t, "BROKEN_MODE=protocol4")
			parameterize(t, p, args(filepath.Join(dir, "terraform-provider-broken")), "broken", "0.0.0")
			for range 2 { // a failed start may be tried again
				_, err := p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: "broken", SubpackageVersion: "0.0.0"})
				wantStatus(t, err, codes.FailedPrecondition, "Cannot start provider "+w.path(dir+"/terraform-provider-broken"), want)
			}
		})
	}
}

// TestUnknownNames includes what the provider does not have.
func TestUnknownNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "terraform-provider-broken", w.provider(t, "broken"))
	p := w.bridge(t)
	parameterize(t, p, args("terraform-provider-broken", "--include", "broken_thong"), "broken", "0.0.0")
	_, err := p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: "broken", SubpackageVersion: "0.0.0"})
	wantStatus(t, err, codes.FailedPrecondition, `nothing called "broken_thong"`, "broken_thing")
}

// TestOrder makes calls too early and too often.
func TestOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.local(t, "terraform-provider-broken", w.provider(t, "broken"))
	p := w.bridge(t)
	_, err := p.Configure(t.Context(), &pulumirpc.ConfigureRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Configure before Parameterize", "pulumi package add")
	_, err = p.Parameterize(t.Context(), args("--help")) // a failed one does not count
	wantStatus(t, err, codes.InvalidArgument)
	parameterize(t, p, args("terraform-provider-broken"), "broken", "0.0.0")
	_, err = p.Parameterize(t.Context(), args("terraform-provider-broken"))
	wantStatus(t, err, codes.FailedPrecondition, "already parameterized as broken 0.0.0")
	_, err = p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: "other", SubpackageVersion: "0.0.0"})
	wantStatus(t, err, codes.InvalidArgument, "other 0.0.0 is asked for")
}
