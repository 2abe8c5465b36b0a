package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `syntax = "proto3";
package thing.v1;
import "google/protobuf/timestamp.proto";
option go_package = "example.com/thing";
// Thing has a comment.
message Thing { google.protobuf.Timestamp at = 1; }
`

func TestGenerate(t *testing.T) {
	t.Parallel()
	root := tree(t, map[string]string{"thing/thing.proto": source})
	first := generated(t, root)
	const want = "// Thing has a comment.\ntype Thing struct {"
	if got := first["thing/thing.pb.go"]; !strings.Contains(got, want) {
		t.Errorf("thing.pb.go does not contain %q:\n%s", want, got)
	}
	second := generated(t, root)
	for name := range second {
		if first[name] != second[name] {
			t.Errorf("%s differs between two runs", name)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no source":     {map[string]string{"a.txt": ""}, "no .proto file"},
		"syntax error":  {map[string]string{"a.proto": "syntax = \"proto3\";\nmessage {"}, "a.proto:2:9"},
		"no go_package": {map[string]string{"a.proto": "syntax = \"proto3\";"}, "unable to determine Go import path"},
		"stale output":  {map[string]string{"thing.proto": source, "gone.pb.go": ""}, "gone.pb.go comes from no .proto"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), []string{tree(t, test.files)})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}

// tree writes files, by relative path, to a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// generated runs the generator on root and returns its output files.
func generated(t *testing.T, root string) map[string]string {
	t.Helper()
	if err := run(t.Context(), []string{root}); err != nil {
		t.Fatal(err)
	}
	names, err := filesBelow(root, ".pb.go")
	if err != nil {
		t.Fatal(err)
	}
	contents := map[string]string{}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		contents[name] = string(content)
	}
	return contents
}
