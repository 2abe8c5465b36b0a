package archtest

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const module = "github.com/formation-iac/formation"

// TestRepository holds this repository to the rules.
func TestRepository(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	tree, err := Load(module, root)
	if err != nil {
		t.Fatal(err)
	}
	if len(tree.Files) < 20 {
		t.Fatalf("only %d files found: is this the module's root?", len(tree.Files))
	}
	for _, violation := range tree.Check() {
		t.Error(violation)
	}
}

func TestEdges(t *testing.T) {
	t.Parallel()
	const tftypes = "github.com/hashicorp/terraform-plugin-go/tftypes"
	for name, test := range map[string]struct {
		from, to string
		test     bool
		want     string // part of the reason; empty where the import is fine
	}{
		"down one storey":              {from: "cmd/formation", to: "internal/cli"},
		"down many storeys":            {from: "internal/cli", to: "internal/base/diag"},
		"within a feature":             {from: "internal/importer/link", to: "internal/importer"},
		"feature to both banks":        {from: "internal/convert", to: "internal/pulumi/pcl"},
		"up":                           {from: "internal/base/diag", to: "internal/tf/tfaddr", want: "internal/tf is above internal/base"},
		"up from a test":               {from: "internal/tf/tfplan", to: "internal/importer", test: true, want: "imports point down"},
		"up to a command":              {from: "internal/cli", to: "cmd/formation", want: "imports point down"},
		"tf to pulumi":                 {from: "internal/tf/tflang", to: "internal/pulumi/pcl", want: "two banks"},
		"pulumi to tf":                 {from: "internal/pulumi/pcl", to: "internal/tf/tflang", want: "two banks"},
		"feature to feature":           {from: "internal/convert", to: "internal/importer/link", want: "neighbours"},
		"mapping to plugin":            {from: "internal/mapping", to: "internal/plugin/host", want: "neighbours"},
		"rooms end at slashes":         {from: "internal/tf/tfaddr", to: "internal/tflike"},
		"program to testkit":           {from: "internal/workflow", to: "internal/testkit/estate", want: "no test tool"},
		"test to testkit":              {from: "internal/workflow", to: "internal/testkit/estate", test: true},
		"testkit to testkit":           {from: "internal/testkit/cmd/bench", to: "internal/testkit/estate"},
		"testkit to the house":         {from: "internal/testkit/truth", to: "internal/importer"},
		"tfprovider to wire":           {from: "internal/tf/tfprovider", to: "internal/tf/wire"},
		"neighbour to wire":            {from: "internal/tf/tfschema", to: "internal/tf/wire", want: "only tf/tfprovider"},
		"test to wire":                 {from: "internal/tf/tfplan", to: "internal/tf/wire", test: true, want: "only tf/tfprovider"},
		"test provider to its SDK":     {from: "internal/testkit/providers/p", to: tftypes},
		"client to a provider SDK":     {from: "internal/tf/tfprovider", to: tftypes, want: "testkit"},
		"client's test to an SDK":      {from: "internal/tf/tfprovider", to: tftypes, test: true, want: "testkit"},
		"go-plugin is no SDK":          {from: "internal/tf/tfprovider", to: "github.com/hashicorp/go-plugin"},
		"terraform itself":             {from: "internal/tf/tflang", to: "github.com/hashicorp/terraform/version", want: "no library"},
		"terraform-registry-address":   {from: "internal/tf/tfaddr", to: "github.com/hashicorp/terraform-registry-address"},
		"pulumi's generators":          {from: "internal/pulumi/pcl", to: "github.com/pulumi/pulumi/pkg/v3/codegen", want: "no library"},
		"pulumi's sdk is a library":    {from: "internal/pulumi/pvalue", to: "github.com/pulumi/pulumi/sdk/v3/go/common/resource"},
		"nothing imports this checker": {from: "internal/cli", to: "internal/archtest", want: "no test tool"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkEdge(t, test.from, test.to, test.test, test.want)
		})
	}
}

// checkEdge writes a file with the one import and looks for want among the
// reasons that Check gives.
func checkEdge(t *testing.T, from, to string, test bool, want string) {
	t.Helper()
	name := from + "/file.go"
	if test {
		name = from + "/file_test.go"
	}
	if below(to, "cmd", "internal") {
		to = module + "/" + to
	}
	found := check(t, map[string]string{name: "package p\n\nimport _ \"" + to + "\"\n"})
	if want == "" && len(found) == 0 {
		return
	}
	if want == "" || len(found) != 1 || !strings.Contains(found[0], want) || !strings.HasPrefix(found[0], name+":3:") {
		t.Errorf("got %q, want %q at %s:3", found, want, name)
	}
}

func TestSources(t *testing.T) {
	t.Parallel()
	const prints = "only commands print: return a value or a diagnostic, or report progress"
	for name, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"context.TODO, in tests and under an alias": {
			files: map[string]string{
				"internal/cli/a.go":      "package cli\nimport c \"context\"\nvar x = c.TODO()\n",
				"internal/cli/a_test.go": "package cli\nimport \"context\"\nvar y = context.TODO()\nvar z = context.Background()\n",
			},
			want: []string{
				"internal/cli/a.go:3:9: context.TODO: take ctx from the caller (t.Context() in tests), so that Ctrl-C reaches everything",
				"internal/cli/a_test.go:3:9: context.TODO: take ctx from the caller (t.Context() in tests), so that Ctrl-C reaches everything",
			},
		},
		"printing": {
			files: map[string]string{
				"internal/base/a.go": "package base\nimport (\n\"fmt\"\n\"log\"\n\"os\"\n)\n" +
					"func f() { fmt.Println(1); log.Printf(\"\") }\nvar out = os.Stdout\nvar s = fmt.Sprint(1)\n",
				"internal/base/a_test.go": "package base\nimport \"fmt\"\nfunc g() { fmt.Println(1) }\n",
				"internal/cli/c.go":       "package cli\nimport \"fmt\"\nfunc g() { fmt.Println(1) }\n",
			},
			want: []string{
				"internal/base/a.go:7:12: fmt.Println: " + prints,
				"internal/base/a.go:7:28: log.Printf: " + prints,
				"internal/base/a.go:8:11: os.Stdout: " + prints,
			},
		},
		"a method is no package": {
			files: map[string]string{"internal/base/a.go": "package base\nfunc f(fmt T) { fmt.Println(1) }\n"},
		},
		"one name twice": {
			files: map[string]string{
				"internal/base/path/a.go":        "package path\n",
				"internal/base/path/x_test.go":   "package path_test\n",
				"internal/tf/other/a.go":         "package path\n",
				"cmd/formation/main.go":          "package main\n",
				"internal/testkit/cmd/x/x.go":    "package main\n",
				"internal/pulumi/formation/f.go": "package formation\n",
			},
			want: []string{
				"internal/pulumi/formation/f.go:1:9: formation is the name of cmd/formation too: package names are unique, so that imports need no aliases",
				"internal/tf/other/a.go:1:9: path is the name of internal/base/path too: package names are unique, so that imports need no aliases",
			},
		},
		"no room": {
			files: map[string]string{
				"internal/util/a.go":     "package util\n",
				"internal/util/b.go":     "package util\n",
				"internal/testkit/t.go":  "package testkit\n",
				"internal/archtest/a.go": "package archtest\n",
			},
			want: []string{"internal/util/a.go:1:1: package in internal/util: the house has no such room: " +
				"choose one of ARCHITECTURE.md, or build one there and in archtest"},
		},
		"what the go command passes over": {
			files: map[string]string{
				"tools/x/go.mod":                "module x\n",
				"tools/x/main.go":               "package main\n",
				"internal/base/testdata/bad.go": "not Go",
				".cache/bad.go":                 "not Go",
				"internal/base/_bad.go":         "not Go",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, check(t, test.files)); diff != "" {
				t.Errorf("violations (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadReportsBrokenFiles(t *testing.T) {
	t.Parallel()
	_, err := Load(module, fstest.MapFS{"internal/base/a.go": {Data: []byte("package base\nfunc {")}})
	if err == nil || !strings.Contains(err.Error(), "internal/base/a.go:2:6") {
		t.Errorf("got %v, want an error at internal/base/a.go:2:6", err)
	}
}

// check loads files, by path, and returns the violations in them as text.
func check(t *testing.T, files map[string]string) []string {
	t.Helper()
	root := fstest.MapFS{}
	for name, content := range files {
		root[name] = &fstest.MapFile{Data: []byte(content)}
	}
	tree, err := Load(module, root)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, violation := range tree.Check() {
		found = append(found, violation.String())
	}
	return found
}
