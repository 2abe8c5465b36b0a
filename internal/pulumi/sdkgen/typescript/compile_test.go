package sdkts_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	sdkts "github.com/formation-iac/formation/internal/pulumi/sdkgen/typescript"
)

// toolsDir has package.json and its lock; `npm ci` there brings what the tests
// below need.
const toolsDir = "../../../../tools/sdktest"

// workspace is a directory with node_modules in it. Where they are not
// installed the test is skipped, and in CI it fails.
func workspace(t *testing.T) string {
	t.Helper()
	modules, err := filepath.Abs(filepath.Join(toolsDir, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	_, installed := os.Stat(filepath.Join(modules, "typescript"))
	_, noNode := exec.LookPath("node")
	if installed != nil || noNode != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("node: %v; npm ci in tools/sdktest: %v", noNode, installed)
		}
		t.Skip("needs node, and npm ci in tools/sdktest")
	}
	dir := t.TempDir()
	if err := os.Symlink(modules, filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, dir string, files []sdkgen.File) {
	t.Helper()
	for _, file := range files {
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func node(t *testing.T, dir string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", args...)
	command.Dir = dir
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("node %s: %v\n%s%s", strings.Join(args, " "), err, output, &stderr)
	}
	return string(output)
}

// TestCompiles compiles all SDKs and the programs that use them, under strict,
// against the published runtime. skipLibCheck is for its declarations: ours
// are no libraries here.
func TestCompiles(t *testing.T) {
	t.Parallel()
	dir, all := workspace(t), cases(t)
	for name, archive := range all {
		write(t, filepath.Join(dir, name, "sdk"), generate(t, all, name, sdkts.Options{}))
		write(t, filepath.Join(dir, name), []sdkgen.File{{Path: "program.ts", Data: part(archive, "program.ts")}})
	}
	write(t, filepath.Join(dir, "many"), manyFiles(t))
	write(t, dir, []sdkgen.File{{Path: "tsconfig.json", Data: []byte(`{
		"compilerOptions": {
			"target": "ES2022", "module": "nodenext", "moduleResolution": "nodenext", "moduleDetection": "force",
			"types": ["node"], "strict": true, "noFallthroughCasesInSwitch": true, "noImplicitReturns": true,
			"noUnusedLocals": true, "isolatedModules": true, "skipLibCheck": true, "noEmit": true,
			"paths": {"@example/zoo": ["./zoo/sdk/index.ts"]}
		},
		"include": ["*/**/*.ts"]
	}`)}})
	node(t, dir, "node_modules/typescript/bin/tsc", "--project", ".")
}

func manyFiles(t *testing.T) []sdkgen.File {
	t.Helper()
	pkg, diags := schematest.BindSpec(t.Context(), many(), pschema.Options{})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	files, err := sdkts.Generate(t.Context(), pkg, sdkts.Options{Local: true})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestRuns installs SDKs as npm does, and has the published runtime make
// resources of them and call their functions and methods.
func TestRuns(t *testing.T) {
	t.Parallel()
	dir, all := workspace(t), cases(t)
	for _, name := range []string{"bridged", "extension", "words", "zoo"} {
		sdk := filepath.Join(dir, name)
		write(t, sdk, generate(t, all, name, sdkts.Options{Local: true}))
		node(t, sdk, "scripts/postinstall.js")
	}
	program, err := os.ReadFile("testdata/run.js")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, []sdkgen.File{{Path: "run.js", Data: program}})
	got := node(t, dir, "run.js")
	compareGolden(t, filepath.Join("testdata", "golden", "run.txt"), []byte(got))
}

// TestInstallsLarge compiles a large SDK, with workers, as npm does when it
// installs it.
func TestInstallsLarge(t *testing.T) {
	t.Parallel()
	dir := workspace(t)
	write(t, dir, manyFiles(t))
	node(t, dir, "scripts/postinstall.js")
	got := node(t, dir, "-e", `const sdk = require(".");
		console.log(typeof sdk.mod0.Thing59, sdk.types.enums.mod0.Thing1Kind.Small, Object.keys(sdk.types.input).join());`)
	if want := "function small mod0\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
