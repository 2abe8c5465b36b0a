package install_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// speaker is a language plugin in this process.
type speaker struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	answer *pulumirpc.GetRequiredPackagesResponse
	fail   error
	asked  []string
}

func (s *speaker) note(what string, info *pulumirpc.ProgramInfo) {
	s.asked = append(s.asked, fmt.Sprintf("%s %s %s %s %v", what, filepath.Base(info.GetRootDirectory()), filepath.Base(info.GetProgramDirectory()), info.GetEntryPoint(), info.GetOptions().AsMap()))
}

func (s *speaker) GetRequiredPackages(_ context.Context, r *pulumirpc.GetRequiredPackagesRequest) (*pulumirpc.GetRequiredPackagesResponse, error) {
	s.note("packages", r.GetInfo())
	return s.answer, s.fail
}

func (s *speaker) InstallDependencies(r *pulumirpc.InstallDependenciesRequest, out grpc.ServerStreamingServer[pulumirpc.InstallDependenciesResponse]) error {
	s.note(fmt.Sprint("dependencies ", r.GetIsPlugin(), " ", r.GetUseLanguageVersionTools()), r.GetInfo())
	err := errors.Join(
		out.Send(&pulumirpc.InstallDependenciesResponse{Stdout: []byte("one\ntwo\n")}),
		out.Send(&pulumirpc.InstallDependenciesResponse{Stderr: []byte("three")}))
	if err != nil {
		return err
	}
	return s.fail
}

// languages serves s to whoever starts the runtime "spoken".
func languages(t *testing.T, s *speaker) install.LanguagePlugins {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	pulumirpc.RegisterLanguageRuntimeServer(server, s)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return install.LanguagePlugins{Start: func(_ context.Context, runtime string) (pulumirpc.LanguageRuntimeClient, func() error, diag.List) {
		if runtime != "spoken" {
			return nil, nil, diag.List{diag.Errorf("XX0004", "There is no such language", "")}
		}
		conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return nil, nil, diag.FromError("XX0004", "", err)
		}
		return pulumirpc.NewLanguageRuntimeClient(conn), conn.Close, nil
	}}
}

func TestRequiredPackages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"Pulumi.yaml": "name: p\nmain: inner\nruntime:\n  name: spoken\n  options: {fast: true}\n", "inner/x": ""})
	s := &speaker{answer: &pulumirpc.GetRequiredPackagesResponse{
		Packages: []*pulumirpc.PackageDependency{
			{Name: "random", Kind: "resource", Version: "4.16.0", Server: "https://s.example/"},
			{Name: "part", Version: "v1.0.0", Server: "git://github.com/o/r/part"},
			{Name: "terraform-provider", Version: "1.1.0", Parameterization: &pulumirpc.PackageParameterization{Name: "time", Version: "0.14.0", Value: []byte("v")}},
			{Name: "any"},
		},
		Specs: []*pulumirpc.PackageSpec{{Source: "acme/tools", Version: "1.2.0", Parameters: []string{"x"}}, {Source: "./local"}},
	}}
	got, diags := languages(t, s).RequiredPackages(t.Context(), load(t, filepath.Join(dir, "Pulumi.yaml")))
	wantCodes(t, diags)
	if diff := cmp.Diff([]string{"packages " + filepath.Base(dir) + " inner . map[fast:true]"}, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	var texts []string
	for _, d := range slices.Concat(got.Plugins, got.Packages) {
		text := fmt.Sprintf("%s %s %s %s %v", d.Kind, d.Source, d.Constraint, d.Server, d.Parameterization.Args)
		if v := d.Parameterization.Value; v != nil {
			text += fmt.Sprintf(" %s %s %s", v.Name, v.Version, v.Value)
		}
		texts = append(texts, text)
	}
	want := []string{
		"resource random 4.16.0 https://s.example/ []", "resource git://github.com/o/r/part 1.0.0  []",
		"resource terraform-provider 1.1.0  [] time 0.14.0 v", "resource any   []",
		"resource acme/tools 1.2.0  [x]", "resource ./local   []",
	}
	if diff := cmp.Diff(want, texts); diff != "" || len(got.Packages) != 2 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadRequirements(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"PulumiPlugin.yaml": "runtime: spoken\n"})
	s := &speaker{answer: &pulumirpc.GetRequiredPackagesResponse{
		Packages: []*pulumirpc.PackageDependency{{Name: "a", Kind: "thing"}, {Name: "b", Version: "new"}, {Name: "c", Parameterization: &pulumirpc.PackageParameterization{Version: "x"}}},
		Specs:    []*pulumirpc.PackageSpec{{Source: "a b"}},
	}}
	_, diags := languages(t, s).RequiredPackages(t.Context(), load(t, filepath.Join(dir, "PulumiPlugin.yaml")))
	wantCodes(t, diags, "PI0022", "PI0022", "PI0022", "PS0007")
}

func TestInstallDependencies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"PulumiPlugin.yaml": "runtime: spoken\n", "Pulumi.yaml": "name: p\nruntime: other\n"})
	s := &speaker{}
	l := languages(t, s)
	var lines []string
	l.Output, l.VersionTools = func(line string) { lines = append(lines, line) }, true
	component := load(t, filepath.Join(dir, "PulumiPlugin.yaml"))
	wantCodes(t, l.InstallDependencies(t.Context(), component))
	if diff := cmp.Diff([]string{"one", "two", "three"}, lines); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
	base := filepath.Base(dir)
	if diff := cmp.Diff([]string{"dependencies true true " + base + " " + base + " . map[]"}, s.asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	s.fail = status.Error(codes.Unknown, "npm is not there")
	diags := l.InstallDependencies(t.Context(), component)
	wantCodes(t, diags, "PI0021")
	for _, words := range []string{"spoken", "npm is not there", "three"} {
		if !strings.Contains(diags[0].Error(), words) {
			t.Errorf("%q is not in: %v", words, diags[0])
		}
	}
	wantCodes(t, l.InstallDependencies(t.Context(), load(t, filepath.Join(dir, "Pulumi.yaml"))), "XX0004")
	if strings.Contains(diags[0].Error(), "rpc error") {
		t.Errorf("the transport is talked about: %v", diags[0])
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	wantCodes(t, l.InstallDependencies(stopped, component), "PI0002")
}

// TestLanguagePluginsInstall installs a component whose language is a plugin.
func TestLanguagePluginsInstall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "part", "1.0.0", map[string]string{"PulumiPlugin.yaml": "runtime: spoken\n"})
	w.publish(t, "late", "1.0.0", binary("late", "x"))
	opts := options(t, plugin.Cache{Root: t.TempDir()}, w.server.URL, source.Options{})
	opts.Language = languages(t, &speaker{answer: &pulumirpc.GetRequiredPackagesResponse{Packages: []*pulumirpc.PackageDependency{{Name: "late", Version: "1.0.0", Server: w.server.URL}}}})
	_, diags := install.New(opts).Install(t.Context(), install.Request{Descriptors: []plugin.Descriptor{w.wish(t, "part@1.0.0")}})
	wantCodes(t, diags)
	for _, name := range []string{"part", "late"} {
		if state, err := opts.Cache.State(concrete(name, "1.0.0")); err != nil || state != plugin.Installed {
			t.Errorf("%s is %s, %v", name, state, err)
		}
	}
}
