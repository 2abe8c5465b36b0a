package tfstate

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite golden files")

// wantGolden compares with a file. A run that changes one fails.
func wantGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// normalForm is what a state file becomes when it is read and written.
func normalForm(t *testing.T, src []byte, filename string) ([]byte, string) {
	t.Helper()
	state, diags := Decode(src, filename)
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	out, err := Encode(state)
	if err != nil {
		t.Fatal(err)
	}
	var warnings strings.Builder
	for _, d := range diags {
		warnings.WriteString(d.Error() + "\n")
	}
	return out, warnings.String()
}

func TestDecodeVersions(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/v*.tfstate")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no test data")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out, warnings := normalForm(t, src, filepath.Base(file))
			wantGolden(t, file+".golden", out)
			if warnings != "" {
				wantGolden(t, file+".warnings", []byte(warnings))
			}
			again, _ := normalForm(t, out, file)
			if diff := cmp.Diff(string(out), string(again)); diff != "" {
				t.Errorf("written file reads differently (-first +second):\n%s", diff)
			}
		})
	}
}

// Terraform's own files come back byte for byte.
func TestRoundTripTerraform(t *testing.T) {
	t.Parallel()
	file := "testdata/terraform-1.11.4.tfstate"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out, warnings := normalForm(t, src, file)
	if diff := cmp.Diff(string(src), string(out)); diff != "" || warnings != "" {
		t.Errorf("%s\nround trip (-want +got):\n%s", warnings, diff)
	}
}

// Nothing of a version 4 file is lost, whatever the order it comes back in.
func TestVersion4KeepsEverything(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/v4-grabbag.tfstate")
	if err != nil {
		t.Fatal(err)
	}
	out, _ := normalForm(t, src, "")
	if diff := cmp.Diff(leaves(t, src), leaves(t, out)); diff != "" {
		t.Errorf("leaves (-read +written):\n%s", diff)
	}
}

// leaves counts the scalars of a JSON text under their member names.
func leaves(t *testing.T, src []byte) map[string]int {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(path+"."+k, e)
			}
		case []any:
			for _, e := range v {
				walk(path, e)
			}
		default:
			text, _ := json.Marshal(v)
			counts[path+"="+string(text)]++
		}
	}
	walk("", v)
	return counts
}

func TestDecodeProblems(t *testing.T) {
	t.Parallel()
	v4 := func(rest string) string { return `{"version": 4, "serial": 1, "lineage": "l", ` + rest + `}` }
	resource := func(rest string) string {
		return v4("\n" + `"resources": [{"mode": "managed", "type": "t", "name": "n", "provider": "provider[\"a.com/b/c\"]", ` + rest + `}]`)
	}
	instance := func(rest string) string { return resource("\n" + `"instances": [{` + rest + `}]`) }
	tests := map[string]struct {
		src, want string // want is the first diagnostic
	}{
		"empty":             {" \n", `s:1,1-1: Not a Terraform state file: The file is empty.`},
		"binary":            {"tfstate\x01", `s:1,1-1: Not a Terraform state file: This is the binary format of Terraform before 0.4; upgrade it with Terraform 0.6 first.`},
		"not JSON":          {"{\n  \"version\": 4,\n  oops\n}", "s:3,3-3: State file is not valid JSON: invalid character 'o' looking for beginning of object key string at byte 20. The file may be cut off or edited by hand; restore it from its backup."},
		"cut off":           {`{"version": 4`, `s:1,13-13: State file is not valid JSON: unexpected end of JSON input at byte 12. The file may be cut off or edited by hand; restore it from its backup.`},
		"an array":          {`[]`, `s:1,1-3: Not a Terraform state file: A state file is a JSON object.`},
		"no version":        {`{"a": 1}`, `s:1,1-1: Not a Terraform state file: There is no "version", which every state file has.`},
		"encrypted":         {`{"encrypted_data": "x", "encryption_version": "v0"}`, "s:1,1-1: State file is encrypted: OpenTofu encrypted this file. Write a plain copy with `tofu state pull` where the key is configured, and use that."},
		"version 5":         {`{"version": 5, "terraform_version": "2.0.0"}`, `s:1,13-14: Unsupported state format version: The file has format version 5; versions 1 to 4 can be read. It was written by version "2.0.0". Use a newer release of Formation, or a state of an older tool.`},
		"version text":      {`{"version": "4"}`, `s:1,13-16: Malformed state file: "version" must be a whole number that is not negative.`},
		"negative serial":   {`{"version": 4, "serial": -1}`, `s:1,26-28: Malformed state file: "serial" must be a whole number that is not negative.`},
		"lineage":           {`{"version": 4, "lineage": 1}`, `s:1,27-28: Malformed state file: "lineage" must be a string.`},
		"twice":             {`{"version": 4, "serial": 1, "serial": 2}`, `s:1,39-40: Malformed state file: The member "serial" is there twice in one object.`},
		"resources":         {v4(`"resources": {}`), `s:1,58-60: Malformed state file: "resources" must be an array.`},
		"output":            {v4(`"outputs": {"o": {"value": 1, "type": "string"}}`), ``},
		"output type":       {v4(`"outputs": {"o": {"value": 1, "type": "oops"}}`), `s:1,62-90: Malformed state file: Output "o" must be a value under its type (type: invalid primitive type name "oops").`},
		"nameless":          {v4(`"resources": [{"mode": "data"}]`), `s:1,59-75: Malformed state file: Resource must be an object with "mode", "type" and "name".`},
		"mode":              {v4(`"resources": [{"mode": "odd", "type": "t", "name": "n"}]`), `s:1,68-73: Malformed state file: "mode" must be "managed" or "data".`},
		"no provider":       {v4(`"resources": [{"mode": "data", "type": "t", "name": "n"}]`), `s:1,59-101: Malformed state file: Resource data.t.n must be an object with "provider".`},
		"provider":          {v4(`"resources": [{"mode": "data", "type": "t", "name": "n", "provider": "aws"}]`), `s:1,114-119: Malformed state file: "provider" must be a provider configuration (it must contain "provider").`},
		"module":            {resource(`"module": "a.b"`), `s:2,110-115: Malformed state file: "module" must be the address of a module instance (each step must be "module" and a name).`},
		"status":            {instance(`"status": "odd"`), `s:3,26-31: Malformed state file: "status" must be "tainted", or left out.`},
		"key":               {instance(`"index_key": true`), `s:3,29-33: Malformed state file: "index_key" must be a string or a number.`},
		"key too large":     {instance(`"index_key": 1e300`), `s:3,29-34: Malformed state file: "index_key" must be a string or a number.`},
		"release":           {v4(`"terraform_version": "abc"`), `s:1,66-71: Malformed state file: "terraform_version" must be a version.`},
		"legacy release":    {`{"version": 3, "terraform_version": "abc"}`, `s:1,37-42: Malformed state file: "terraform_version" must be a version.`},
		"dependency":        {instance(`"dependencies": ["???"]`), `s:3,32-39: Malformed state file: "dependencies" must be addresses of resources ("???" is not an address).`},
		"dependency's key":  {instance(`"dependencies": ["data.t.n", "module.m[0].t.n[0]"]`), `s:3,32-66: Malformed state file: "dependencies" must be addresses of resources ("module.m[0].t.n[0]" is none).`},
		"deposed key":       {instance(`"deposed": "1234567"`), `s:3,27-36: Malformed state file: "deposed" must be a key of 8 characters.`},
		"private":           {instance(`"private": "!"`), `s:3,27-30: Malformed state file: "private" must be base64.`},
		"attributes":        {instance(`"attributes": []`), `s:3,30-32: Malformed state file: "attributes" must be an object.`},
		"flat attributes":   {instance(`"attributes_flat": {"a": 1}`), `s:3,41-42: Malformed state file: flat attribute "a" must be a string.`},
		"path step":         {instance(`"sensitive_attributes": [[{"type": "odd"}]]`), `s:3,42-57: Malformed state file: Path step must be an attribute ("get_attr") or an index ("index") with its value (unknown type "odd").`},
		"boolean":           {instance(`"create_before_destroy": 1`), `s:3,41-42: Malformed state file: "create_before_destroy" must be true or false.`},
		"instance twice":    {resource("\n" + `"instances": [{"index_key": "k"}, {"index_key": "k"}]`), `s:3,35-53: t.n["k"]: Resource instance is in the state twice: Each object of a resource has one entry. Remove the one that is out of date.`},
		"differing":         {instance(`"provider": "provider[\"a.com/b/x\"]"`), `s:3,15-54: Malformed state file: The provider of each instance of t.n must be the same.`},
		"legacy module":     {`{"version": 3, "modules": [{"path": ["other"]}]}`, `s:1,28-47: Malformed state file: Module path must be a list that begins with "root".`},
		"legacy address":    {`{"version": 3, "modules": [{"path": ["root"], "resources": {"a": {}}}]}`, `s:1,66-68: Malformed state file: Resource address must be type.name ("a" is not type.name or type.name.index).`},
		"legacy index":      {`{"version": 3, "modules": [{"path": ["root"], "resources": {"a.b.x": {}}}]}`, `s:1,70-72: Malformed state file: Resource address must be type.name ("a.b.x" has an index that is not a number).`},
		"legacy provider":   {`{"version": 3, "modules": [{"path": ["root"], "resources": {"a.b": {"provider": "provider.${x}"}}}]}`, `s:1,68-97: Malformed state file: The provider of a.b must be a provider configuration ("provider.${x}" is not an address).`},
		"legacy attributes": {`{"version": 2, "modules": [{"path": ["root"], "resources": {"a.b": {"primary": {"attributes": {"x": 1}}}}}]}`, `s:1,101-102: Malformed state file: flat attribute "x" must be a string.`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, diags := Decode([]byte(tt.src), "s")
			got := ""
			if len(diags) > 0 {
				got = diags[0].Error()
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("first diagnostic (-want +got):\n%s", diff)
			}
			if (state == nil) != (tt.want != "") {
				t.Errorf("state is %v", state)
			}
		})
	}
}

// TestDecodeOddities: what clients read in a way of their own.
func TestDecodeOddities(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ instance, want string }{
		"half a key":      {`"index_key": 1.5, "attributes": {}`, `"index_key": 1`},
		"no object":       {`"attributes": null`, `"attributes": null`},
		"both attributes": {`"attributes": {"a": 1}, "attributes_flat": {"a": "2"}`, "\"attributes\": {\n            \"a\": 1\n          }\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, _ := normalForm(t, []byte(`{"version": 4, "resources": [{"mode": "managed", "type": "t", "name": "n", "provider": "provider[\"a.com/b/c\"]", "instances": [{`+c.instance+`}]}]}`), "s")
			if !strings.Contains(string(out), c.want) {
				t.Errorf("no %s in\n%s", c.want, out)
			}
		})
	}
}

// FuzzDecode checks that no bytes are too odd, and that what is accepted is
// a fixed point of writing and reading.
func FuzzDecode(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.tfstate")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Add([]byte(`{"version":4,"resources":[{"mode":"data","type":"t","name":"n","provider":"provider.a","instances":[{"index_key":1}]}]}`))
	f.Add([]byte(`{"version":3,"modules":[{"path":["root","a"],"resources":{"a.b.0":{"primary":{"id":"x","meta":{"schema_version":"1"}}}}}]}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		state, diags := Decode(src, "fuzz")
		if diags.HasErrors() {
			return
		}
		first, err := Encode(state)
		if err != nil {
			t.Fatalf("a state that was read cannot be written: %v", err)
		}
		again, diags := Decode(first, "fuzz")
		if diags.HasErrors() {
			t.Fatalf("a state that was written cannot be read: %v\n%s", diags.Err(), first)
		}
		second, err := Encode(again)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("written twice it differs: %v\n%s\n%s", err, first, second)
		}
	})
}

// TestRepeatedMember finds a member that is there twice among few and among
// many.
func TestRepeatedMember(t *testing.T) {
	t.Parallel()
	for _, between := range []int{0, 15, 16, 40} {
		text := `{"version":4,"twice":1`
		for n := range between {
			text += fmt.Sprintf(`,"x%d":1`, n)
		}
		if _, diags := Decode([]byte(text+`}`), "x"); diags.HasErrors() {
			t.Fatalf("%d between: %v", between, diags)
		}
		for _, again := range []string{"twice", "version"} {
			_, diags := Decode([]byte(text+`,"`+again+`":1}`), "x")
			if errs := diags.Errors(); len(errs) != 1 || !strings.Contains(errs[0].Error(), again) {
				t.Errorf("%d between: %v", between, diags)
			}
		}
	}
}
