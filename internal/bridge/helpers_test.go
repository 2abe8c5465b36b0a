package bridge_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
)

// world is a machine with a registry: what bridges of one test have around
// them.
type world struct {
	registry *registrytest.Server
	// dir holds PULUMI_HOME, the home directory, and providers.
	dir string
	env []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{registry: registrytest.Start(t), dir: t.TempDir()}
	w.env = []string{
		"HOME=" + filepath.Join(w.dir, "home"), "PULUMI_HOME=" + w.path("pulumi"), "TF_CLI_CONFIG_FILE=", "TOFU_CLI_CONFIG_FILE=",
		"SSL_CERT_FILE=" + w.registry.CAFile(t), "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR=", "XDG_CONFIG_HOME=", "XDG_DATA_HOME=", "XDG_DATA_DIRS=" + w.dir,
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// address is that of a provider in the registry.
func (w *world) address(typ string) string { return w.registry.Host() + "/testing/" + typ }

// provider is the content of an executable that is the test provider of that
// name, and notes every one of its starts.
func (w *world) provider(t *testing.T, name string) string {
	t.Helper()
	return w.noting(build.Binary(t, "terraform-provider-"+name))
}

// noting is the content of an executable that runs a program, and notes the
// process every time.
func (w *world) noting(program string) string {
	return fmt.Sprintf("#!/bin/sh\necho $$ >> %s\nexec %s \"$@\"\n", w.path("starts"), program)
}

// starts is how many providers have been started so far.
func (w *world) starts(t *testing.T) int {
	t.Helper()
	return len(w.processes(t))
}

// processes are those of all providers that were started so far, by their IDs.
func (w *world) processes(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(w.path("starts"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// kill ends the provider that was started last, without a warning.
func (w *world) kill(t *testing.T) {
	t.Helper()
	all := w.processes(t)
	if err := process(t, all[len(all)-1]).Kill(); err != nil {
		t.Fatal(err)
	}
}

// alive reports whether there is such a process.
func alive(t *testing.T, id string) bool {
	t.Helper()
	return process(t, id).Signal(syscall.Signal(0)) == nil
}

func process(t *testing.T, id string) *os.Process {
	t.Helper()
	number, err := strconv.Atoi(id)
	if err != nil {
		t.Fatal(err)
	}
	found, err := os.FindProcess(number)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// publish has the registry offer versions of the provider "broken".
func (w *world) publish(t *testing.T, versions ...string) {
	t.Helper()
	for _, version := range versions {
		w.registry.Publish(t, registrytest.Binary("testing", "broken", version, w.provider(t, "broken")))
	}
}

// local puts an executable beside the world, and returns its path.
func (w *world) local(t *testing.T, file, content string) string {
	t.Helper()
	path := w.path(file)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// bridge starts the plugin. More of its environment may be given.
func (w *world) bridge(t *testing.T, env ...string) *pluginprocess.Process {
	t.Helper()
	return w.start(t, pluginprocess.Options{Env: env, Dir: w.dir})
}

func (w *world) start(t *testing.T, opts pluginprocess.Options) *pluginprocess.Process {
	t.Helper()
	opts.Env = append(w.env[:len(w.env):len(w.env)], opts.Env...)
	return pluginprocess.Start(t, build.Command(t, "cmd/pulumi-resource-terraform-bridge"), opts)
}

func args(args ...string) *pulumirpc.ParameterizeRequest {
	return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Args{
		Args: &pulumirpc.ParameterizeRequest_ParametersArgs{Args: args},
	}}
}

func value(name, version, value string) *pulumirpc.ParameterizeRequest {
	return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Value{
		Value: &pulumirpc.ParameterizeRequest_ParametersValue{Name: name, Version: version, Value: []byte(value)},
	}}
}

// parameterize expects a package of that name and version.
func parameterize(t *testing.T, p *pluginprocess.Process, req *pulumirpc.ParameterizeRequest, name, version string) {
	t.Helper()
	made, err := p.Parameterize(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if made.GetName() != name || made.GetVersion() != version {
		t.Fatalf("the package is %s %s, want %s %s", made.GetName(), made.GetVersion(), name, version)
	}
}

// schemaText asks for the schema of a package.
func schemaText(t *testing.T, p *pluginprocess.Process, name, version string) string {
	t.Helper()
	resp, err := p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: name, SubpackageVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return resp.GetSchema()
}

func schema(t *testing.T, p *pluginprocess.Process, name, version string) pschema.PackageSpec {
	t.Helper()
	spec, diags := pschema.Decode("schema", []byte(schemaText(t, p, name, version)))
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	if spec.Name != name || spec.Version != version {
		t.Errorf("the schema is of %s %s, and the package %s %s", spec.Name, spec.Version, name, version)
	}
	return spec
}

// wantStatus fails unless err has a code and says all of want.
func wantStatus(t *testing.T, err error, code codes.Code, want ...string) {
	t.Helper()
	if status.Code(err) != code {
		t.Errorf("got %v, want code %s", err, code)
	}
	for _, part := range want {
		if !strings.Contains(status.Convert(err).Message(), part) {
			t.Errorf("got %v\nwant %q in it", err, part)
		}
	}
}
