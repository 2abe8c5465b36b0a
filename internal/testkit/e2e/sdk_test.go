package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/golang"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/python"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/sdkgentest"
	sdkts "github.com/formation-iac/formation/internal/pulumi/sdkgen/typescript"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/monitor"
	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
)

// sdkWorld is a bridge that is the provider "wide", its schema, and a resource
// monitor that creates through such bridges.
type sdkWorld struct {
	pkg     *pschema.Package
	monitor *monitor.Monitor
}

func newSDKWorld(t *testing.T) sdkWorld {
	t.Helper()
	program := build.Command(t, "cmd/pulumi-resource-terraform-bridge")
	opts := pluginprocess.Options{Env: []string{"WIDE_TYPES=2", "PULUMI_HOME=" + t.TempDir(), "PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR="}}
	pkg := bridged(t, build.Binary(t, "terraform-provider-wide"), opts)
	// A program's packages are processes of their own, made from what its SDK
	// says.
	m := monitor.Start(t, func(ctx context.Context, req *pulumirpc.RegisterPackageRequest) (pulumirpc.ResourceProviderClient, error) {
		p := pluginprocess.Start(t, program, opts)
		value := req.GetParameterization()
		_, err := p.Parameterize(ctx, &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Value{
			Value: &pulumirpc.ParameterizeRequest_ParametersValue{Name: value.GetName(), Version: value.GetVersion(), Value: value.GetValue()},
		}})
		return p, err
	})
	return sdkWorld{pkg: pkg, monitor: m}
}

// bridged is the package that the bridge makes of a provider.
func bridged(t *testing.T, provider string, opts pluginprocess.Options) *pschema.Package {
	t.Helper()
	bridge := pluginprocess.Start(t, build.Command(t, "cmd/pulumi-resource-terraform-bridge"), opts)
	made, err := bridge.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Args{
		Args: &pulumirpc.ParameterizeRequest_ParametersArgs{Args: []string{provider}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	schema, err := bridge.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: made.GetName(), SubpackageVersion: made.GetVersion()})
	if err != nil {
		t.Fatal(err)
	}
	pkg, diags := schematest.Bind(t.Context(), []byte(schema.GetSchema()), pschema.Options{Filename: made.GetName()})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return pkg
}

// check compares what was created with what the programs below ask for.
func (w sdkWorld) check(t *testing.T) {
	t.Helper()
	created := w.monitor.Resources()
	if len(created) != 2 {
		t.Fatalf("%d resources were created, want 2: %v\n%s", len(created), created, strings.Join(w.monitor.Logs(), "\n"))
	}
	one, two := created[0], created[1]
	if one.ID != "thing/one" || two.ID != "thing/two" {
		t.Errorf("the IDs are %q and %q", one.ID, two.ID)
	}
	out := two.Outputs.GetFields()
	if got := out["textSetting00"].GetStringValue(); got != "thing/one" {
		t.Errorf("the ID of one is %q in two", got)
	}
	if rules := out["rules"].GetListValue().GetValues(); len(rules) != 1 || rules[0].GetStructValue().GetFields()["size"].GetNumberValue() != 3 {
		t.Errorf("rules are %v", out["rules"])
	}
	if got := out["disk"].GetStructValue().GetFields()["kind"].GetStringValue(); got != "ssd" {
		t.Errorf("disk is %v", out["disk"])
	}
	if secret := out["secret"].GetStructValue().GetFields()["value"].GetStringValue(); secret != "s3cret" {
		t.Errorf("the secret came back as %v", out["secret"])
	}
}

func writeFiles(t *testing.T, dir string, files []sdkgen.File) {
	t.Helper()
	for _, file := range files {
		writeTestFile(t, filepath.Join(dir, filepath.FromSlash(file.Path)), string(file.Data))
	}
}

func writeTestFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// run runs a command in a directory and fails with what it said.
func (w sdkWorld) run(t *testing.T, dir string, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), w.monitor.Env()...), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s\n%s", name, strings.Join(args, " "), err, out, strings.Join(w.monitor.Logs(), "\n"))
	}
}

// TestSDKGo creates resources with the generated Go SDK and Pulumi's runtime.
func TestSDKGo(t *testing.T) {
	t.Parallel()
	w := newSDKWorld(t)
	files, err := sdkgentest.Collect(func(sink sdkgen.Sink) error { return golang.Write(t.Context(), w.pkg, sink) })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFiles(t, filepath.Join(dir, "sdk"), files)
	module := ""
	for _, file := range files {
		if file.Path == "go.mod" {
			line, _, _ := strings.Cut(string(file.Data), "\n")
			module = strings.TrimPrefix(line, "module ")
		}
	}
	pins, err := os.ReadFile("../../../tools/gosdk/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../../../tools/gosdk/go.sum")
	if err != nil {
		t.Fatal(err)
	}
	_, requirements, _ := strings.Cut(string(pins), "\n")
	writeTestFile(t, filepath.Join(dir, "go.mod"), "module program\n"+requirements+"\nrequire "+module+" v0.0.0\n\nreplace "+module+" => ./sdk\n")
	writeTestFile(t, filepath.Join(dir, "go.sum"), string(sums))
	writeTestFile(t, filepath.Join(dir, "main.go"), `package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"`+module+`/wide"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		one, err := wide.NewThing0000(ctx, "one", &wide.Thing0000Args{Name: pulumi.String("one")})
		if err != nil {
			return err
		}
		_, err = wide.NewThing0001(ctx, "two", &wide.Thing0001Args{
			Name:          pulumi.String("two"),
			TextSetting00: one.ID().ToStringOutput(),
			Secret:        pulumi.String("s3cret"),
			Rules:         wide.Thing0001RuleArray{wide.Thing0001RuleArgs{Size: pulumi.Float64(3)}},
			Disk:          wide.Thing0001DiskArgs{Kind: pulumi.String("ssd")},
		})
		return err
	})
}
`)
	w.run(t, dir, []string{"GOWORK=off", "GOFLAGS=-mod=mod -trimpath"}, "go", "run", ".")
	w.check(t)
}

// TestSDKTypeScript does the same with the generated TypeScript.
func TestSDKTypeScript(t *testing.T) {
	t.Parallel()
	modules := nodeModules(t)
	w := newSDKWorld(t)
	dir := typeScriptProgram(t, w.pkg, modules, `import * as wide from "./sdk";

const one = new wide.Thing0000("one", { name: "one" });
new wide.Thing0001("two", {
    name: "two",
    textSetting00: one.id,
    secret: "s3cret",
    rules: [{ size: 3 }],
    disk: { kind: "ssd" },
});
`)
	w.run(t, dir, nil, "node", filepath.Join(modules, "typescript/bin/tsc"), "-p", ".")
	// The SDK reads its own version from the package.json beside its source.
	manifest, err := os.ReadFile(filepath.Join(dir, "sdk", "package.json"))
	if err != nil {
		t.Fatal(err)
	}
	writeTestFile(t, filepath.Join(dir, "out", "sdk", "package.json"), string(manifest))
	w.run(t, dir, nil, "node", filepath.Join(modules, "@pulumi/pulumi/cmd/run"),
		"--monitor", w.monitor.Target(), "--engine", w.monitor.Target(), "--project", "testing", "--stack", "dev",
		"--organization", "organization", "--parallel", "4", "--pwd", filepath.Join(dir, "out"), "index.js")
	w.check(t)
}

// nodeModules is where the packages are that generated TypeScript needs.
func nodeModules(t *testing.T) string {
	t.Helper()
	modules, err := filepath.Abs("../../../tools/sdktest/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(modules); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("the packages of tools/sdktest are not installed")
		}
		t.Skip("the packages of tools/sdktest are not installed: make test does that")
	}
	return modules
}

// typeScriptProgram writes a program and the SDK that it uses, ready to be
// compiled.
func typeScriptProgram(t *testing.T, pkg *pschema.Package, modules, text string) (dir string) {
	t.Helper()
	files, err := sdkgentest.Collect(func(sink sdkgen.Sink) error { return sdkts.Write(t.Context(), pkg, sdkts.Options{}, sink) })
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	writeFiles(t, filepath.Join(dir, "sdk"), files)
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	writeTestFile(t, filepath.Join(dir, "index.ts"), text)
	writeTestFile(t, filepath.Join(dir, "tsconfig.json"), `{
    "compilerOptions": {
        "strict": true, "target": "es2020", "module": "commonjs", "moduleResolution": "node",
        "outDir": "out", "rootDir": ".", "skipLibCheck": true, "types": ["node"]
    },
    "files": ["index.ts"]
}
`)
	return dir
}

// TestSDKPython does the same with the generated Python, where a Python is on
// the PATH that has Pulumi's runtime.
func TestSDKPython(t *testing.T) {
	t.Parallel()
	if out, err := exec.CommandContext(t.Context(), "python3", "-c", "import pulumi").CombinedOutput(); err != nil {
		t.Skipf("python3 cannot import pulumi: %s", out)
	}
	w := newSDKWorld(t)
	files, err := sdkgentest.Collect(func(sink sdkgen.Sink) error { return python.Write(t.Context(), w.pkg, sink) })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFiles(t, dir, files)
	writeTestFile(t, filepath.Join(dir, "main.py"), `import asyncio
import os
import pulumi.runtime
import pulumi_wide as wide

def program():
    one = wide.Thing0000("one", name="one")
    wide.Thing0001(
        "two",
        name="two",
        text_setting00=one.id,
        secret="s3cret",
        rules=[{"size": 3}],
        disk=wide.Thing0001DiskArgs(kind="ssd"),
    )

pulumi.runtime.configure(pulumi.runtime.Settings(
    project="testing", stack="dev", organization="organization", parallel=4, dry_run=False,
    monitor=os.environ["PULUMI_MONITOR"], engine=os.environ["PULUMI_ENGINE"],
))
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
loop.run_until_complete(pulumi.runtime.run_in_stack(program))
`)
	w.run(t, dir, nil, "python3", "main.py")
	w.check(t)
}

// TestSDKLarge compiles the TypeScript of a real provider of 1,800 object
// types, and a program that is right and wrong far inside of one.
func TestSDKLarge(t *testing.T) {
	t.Parallel()
	modules := nodeModules(t)
	pkg := bridged(t, build.Tool(t, "terraform-provider-kubernetes"), pluginprocess.Options{Env: []string{"PULUMI_HOME=" + t.TempDir()}})
	dir := typeScriptProgram(t, pkg, modules, `import * as kubernetes from "./sdk";

const config = kubernetes.getConfigMapOutput({ metadata: { name: "settings" } });
const web = new kubernetes.Deployment("web", {
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
        replicas: 2,
        selector: { matchLabels: { app: "web" } },
        template: {
            metadata: { labels: { app: "web" } },
            spec: {
                containers: [{
                    name: "web",
                    image: "nginx",
                    envs: [{ name: "NODE", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
                    livenessProbe: { httpGet: { path: "/", port: "http", httpHeaders: [{ name: "x", value: config.id }] } },
                    // @ts-expect-error a probe has a path
                    readinessProbe: { httpGet: { path: 7 } },
                }],
            },
        },
    },
});
export const image = web.spec.template.spec.apply(s => s!.containers![0].image!.toUpperCase());
`)
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(modules, "typescript/bin/tsc"), "-p", ".", "--noEmit")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
