package packages

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/project"
)

func TestWithDependency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"none":          {"{}", "{\n  \"dependencies\": {\n    \"x\": \"file:sdks/x\"\n  }\n}"},
		"other members": {"{\n  \"name\": \"n\"\n}\n", "{\n  \"name\": \"n\",\n  \"dependencies\": {\n    \"x\": \"file:sdks/x\"\n  }\n}\n"},
		"sorted":        {"{\n  \"dependencies\": {\n    \"y\": \"1\"\n  },\n  \"private\": true\n}", "{\n  \"dependencies\": {\n    \"x\": \"file:sdks/x\",\n    \"y\": \"1\"\n  },\n  \"private\": true\n}"},
		"tabs":          {"{\n\t\"dependencies\": {}\n}", "{\n\t\"dependencies\": {\n\t\t\"x\": \"file:sdks/x\"\n\t}\n}"},
		"replaced":      {`{"dependencies":{"x":"1.0.0"}}`, "{\"dependencies\":{\n    \"x\": \"file:sdks/x\"\n  }}"},
		"there":         {`{"dependencies":  {"x":"file:sdks/x" }}`, `{"dependencies":  {"x":"file:sdks/x" }}`},
		"null":          {`{"dependencies": null}`, "{\"dependencies\": {\n    \"x\": \"file:sdks/x\"\n  }}"},
		"a value of that name": {
			`{"a":{"dependencies":{}},"b":"dependencies","c":{},"dependencies":{}}`,
			"{\"a\":{\"dependencies\":{}},\"b\":\"dependencies\",\"c\":{},\"dependencies\":{\n    \"x\": \"file:sdks/x\"\n  }}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := withDependency([]byte(c.in), "x", "file:sdks/x")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for _, bad := range []string{"", "null", "[]", "{", `{"dependencies": []}`, `{"dependencies": {"x": 1}}`, "{} {}"} {
		if got, err := withDependency([]byte(bad), "x", "1"); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

// FuzzWithDependency holds an edit to what it says: the one entry, and nothing
// else that a reader of JSON sees.
func FuzzWithDependency(f *testing.F) {
	f.Add(`{"name": "n", "dependencies": {"a": "1"}}`, "x", "file:x")
	f.Add("{\n\t\"a\": [{\"dependencies\": 1}]\n}", "", "<&>")
	f.Add(`{"dependencies": {}, "dependencies": {"b": "2"}}`, "b", "3")
	f.Fuzz(func(t *testing.T, src, name, value string) {
		got, err := withDependency([]byte(src), name, value)
		if err != nil {
			return
		}
		before, after := members(t, []byte(src)), members(t, got)
		var want, have map[string]string
		if raw, ok := before["dependencies"]; ok {
			if err := json.Unmarshal(raw, &want); err != nil {
				t.Fatal(err)
			}
		}
		if err := json.Unmarshal(after["dependencies"], &have); err != nil {
			t.Fatalf("%v in %s", err, got)
		}
		if want == nil {
			want = map[string]string{}
		}
		want[asJSONHasIt(t, name)] = asJSONHasIt(t, value)
		if diff := cmp.Diff(want, have); diff != "" {
			t.Error(diff)
		}
		delete(before, "dependencies")
		delete(after, "dependencies")
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
	})
}

func members(t *testing.T, src []byte) map[string]json.RawMessage {
	t.Helper()
	var out map[string]json.RawMessage
	if err := json.Unmarshal(src, &out); err != nil {
		t.Fatalf("%v in %q", err, src)
	}
	return out
}

// asJSONHasIt is a text after it was written as JSON, which has no bytes that
// are not UTF-8.
func asJSONHasIt(t *testing.T, text string) (out string) {
	t.Helper()
	data, err := json.Marshal(text)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWithRequirement(t *testing.T) {
	t.Parallel()
	const entry = `"pulumi_x @ file:///p/sdks/x"`
	for name, c := range map[string]struct{ in, want string }{
		"empty":    {"[project]\ndependencies = []\n", "[project]\ndependencies = [" + entry + "]\n"},
		"one line": {"[project]\ndependencies = [\"a[b]>=1\"]\n", "[project]\ndependencies = [" + entry + ", \"a[b]>=1\"]\n"},
		"lines with comments": {
			"[project]\nauthors = [{name = \"me\"}]\ndependencies = [\n    \"a\", # first\n    \"b\" # last\n]\n[tool.x]\n",
			"[project]\nauthors = [{name = \"me\"}]\ndependencies = [\n    " + entry + ",\n    \"a\", # first\n    \"b\" # last\n]\n[tool.x]\n",
		},
		"there": {"[project] # ours\ndependencies = [\"pulumi_x @ file:///old\", \"b\"]\n", "[project] # ours\ndependencies = [" + entry + ", \"b\"]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := withRequirement(c.in, "pulumi_x", "file:///p/sdks/x")
			if !ok {
				t.Fatal("there is a list")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if again, _ := withRequirement(got, "pulumi_x", "file:///p/sdks/x"); again != got {
				t.Errorf("again: %s", again)
			}
		})
	}
	for _, none := range []string{"", "[project]\nname = \"x\"\n", "[tool.poetry]\ndependencies = []\n", "[project]\n[tool]\ndependencies = []\n"} {
		if got, ok := withRequirement(none, "x", "file:///x"); ok {
			t.Errorf("%q became %q", none, got)
		}
	}
}

func TestWithModule(t *testing.T) {
	t.Parallel()
	const src = "module shop\n\ngo 1.24\n\nrequire example.org/a v1.2.3 // pinned\n"
	for path, version := range map[string]string{"example.org/sdks/x": "v0.0.0", "example.org/sdks/x/v3": "v3.0.0"} {
		got, err := withModule("go.mod", []byte(src), path, "./sdks/x")
		if err != nil {
			t.Fatal(err)
		}
		want := "module shop\n\ngo 1.24\n\nrequire (\n\texample.org/a v1.2.3 // pinned\n\t" + path + " " + version + "\n)\n\nreplace " + path + " => ./sdks/x\n"
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
		again, err := withModule("go.mod", got, path, "./sdks/x")
		if err != nil || string(again) != string(got) {
			t.Errorf("again: %v\n%s", err, again)
		}
	}
	if _, err := withModule("go.mod", []byte("nonsense"), "example.org/x", "./x"); err == nil {
		t.Error("nonsense was edited")
	}
}

// TestDropOtherLocks has a program meet each package once.
func TestDropOtherLocks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(lock project.Lock) string {
		t.Helper()
		file, err := lock.File()
		if err != nil {
			t.Fatal(err)
		}
		data, err := lock.Encode()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	made := func(version string) project.Lock {
		return project.Lock{Name: "bridge", Version: "1.0.0", Parameterization: &project.Parameter{Name: "x", Version: version, Value: []byte("v")}}
	}
	older, fresh := write(made("1.0.0")), write(made("1.1.0"))
	other := write(project.Lock{Name: "y", Version: "1.0.0"})
	if diags := dropOtherLocks(fresh); len(diags) > 0 {
		t.Fatal(diags)
	}
	for path, want := range map[string]bool{older: false, fresh: true, other: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestCamelName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"random": "random", "azure-native": "azureNative", "a--b": "aB"} {
		if got := camelName(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}

func TestWithoutUser(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"random": "random", "": "", "../x": "../x", "acme/x@1.0.0": "acme/x@1.0.0",
		"git://me:token@example.org/a/b.git/c": "git://example.org/a/b.git/c",
		"https://token@example.org/plugins":    "https://example.org/plugins",
	} {
		if got := withoutUser(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
