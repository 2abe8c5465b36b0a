package discover

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
)

func TestInventory(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file, text  string
		want, wrong []string // wrong: diagnostics, "line:column summary"
		rejected    []string // the same, of single entries
	}{
		"json lines": {
			file: "i.jsonl",
			text: "{\"type\":\"x_role\",\"id\":\"admin\"}\n\n{\"type\":\"x_bucket\",\"identity\":{\"name\":\"b\",\"account\":7},\"name\":\"logs\"}\r\n{\"type\":\"x_role\",\"id\":12}",
			want: []string{"x_role id=admin", "x_bucket account=7 name=b as logs", "x_role id=12"},
		},
		"json lines told by content": {
			file: "inventory",
			text: "\ufeff{\"type\":\"x_role\",\"id\":\"a\",\"identity\":null}\n",
			want: []string{"x_role id=a"},
		},
		"json faults are all told": {
			file: "i.json",
			text: "{\"type\":\"x_role\",\"id\":\"a\"}\n{\"type\":\"x_role\" \"id\":1}\n[1]\n{\"id\":\"a\"}\n{\"type\":\"x_roll\",\"id\":\"a\"}\n{\"type\":\"x_role\",\"id\":\"a\",\"type\":\"x_key\"}\n{\"type\":\"x_role\",\"ID\":\"a\"}\n{\"type\":\"x_role\",\"id\":\"a\"} x\n{\"type\":\"x_role\",\n",
			want: []string{"x_role id=a"},
			wrong: []string{
				"2:17 Malformed JSON line", "3:2 Malformed JSON line", "4:1 No resource type",
				"6:33 Malformed JSON line", "7:26 Malformed JSON line",
				"8:27 Malformed JSON line", "9:18 Malformed JSON line",
			},
			rejected: []string{"5:1 The provider has no resource type \"x_roll\""},
		},
		"a json object over lines": {
			file: "i.json", text: "{\n  \"type\": \"x_role\",\n  \"id\": \"a\"\n}\n",
			wrong: []string{"1:1 The inventory i.json has a JSON object over several lines"},
		},
		"a json object over lines, begun in the first": {
			file: "inventory", text: "{ \"type\": \"x_role\",\n  \"id\": \"a\" }\n",
			wrong: []string{"1:1 The inventory inventory has a JSON object over several lines"},
		},
		"a state": {
			file: "terraform.tfstate", text: "{\n  \"version\": 4,\n  \"terraform_version\": \"1.9.0\",\n  \"resources\": [\n    {}\n  ]\n}\n",
			wrong: []string{"1:1 terraform.tfstate is a state, and no inventory"},
		},
		"a first json line that is cut": {
			file: "i.jsonl", text: "{\"type\":\"x_role\",\n{\"type\":\"x_role\",\"id\":\"a\"}\n",
			wrong: []string{"1:18 Malformed JSON line"},
		},
		"a json array": {
			file: "i.json",
			text: "\n[{\"type\":\"x_role\",\"id\":\"a\"}, \n {\"type\": \"x_bucket\",\n  \"identity\": {\"name\": \"b\", \"account\": 7}}]\n",
			want: []string{"x_role id=a", "x_bucket account=7 name=b"},
		},
		"a json array told by content": {
			file: "inventory", text: "[{\"type\":\"x_role\",\"id\":\"a\"}]", want: []string{"x_role id=a"},
		},
		"a json array of nothing": {
			file: "i.json", text: "[]\n", wrong: []string{"The inventory i.json names no resource"},
		},
		"faults of a json array are all told": {
			file: "i.json",
			text: "[\n  7,\n  {\"type\": \"x_role\", \"ID\": \"a\"},\n  {\"type\": \"x_role\"},\n  {\n    \"type\": \"x_roll\", \"id\": \"a\"\n  }\n]\n",
			wrong: []string{
				"2:4 Malformed JSON array", "3:31 Malformed JSON array", "4:3 Neither an id nor an identity",
			},
			rejected: []string{"5:3 The provider has no resource type \"x_roll\""},
		},
		"a json array with a syntax error": {
			file:  "i.json",
			text:  "[\n{\"type\":\"x_role\",\"id\":\"a\"},\n{\"type\":\"x_role\" \"id\":\"b\"}\n]",
			wrong: []string{"3:18 Malformed JSON array"},
		},
		"a json array without a comma": {
			file: "i.json", text: "[{\"type\":\"x_role\",\"id\":\"a\"}\n{}]",
			wrong: []string{"2:1 Malformed JSON array"},
		},
		"a json array that is cut": {
			file: "i.json", text: "[{\"type\":\"x_role\",\"id\":\"a\"},\n",
			wrong: []string{"1:29 Malformed JSON array"},
		},
		"more than a json array": {
			file: "i.json", text: "[]\n[]", wrong: []string{"2:1 Malformed JSON array"},
		},
		"identities are checked": {
			file:     "i.jsonl",
			text:     "{\"type\":\"x_bucket\",\"identity\":{\"account\":7}}\n{\"type\":\"x_bucket\",\"identity\":{\"name\":\"b\",\"zone\":1}}\n{\"type\":\"x_bucket\",\"identity\":{\"name\":\"b\",\"account\":\"x\"}}\n{\"type\":\"x_role\",\"identity\":{\"name\":\"b\"}}\n{\"type\":\"x_bucket\",\"id\":\"a\",\"identity\":{\"name\":\"b\"}}\n{\"type\":\"x_role\"}\n",
			wrong:    []string{"5:1 Both an id and an identity", "6:1 Neither an id nor an identity"},
			rejected: []string{"1:1 Wrong identity", "2:1 Wrong identity", "3:1 Wrong identity", "4:1 x_role has no identity"},
		},
		"what the provider cannot have": {
			file:     "i.csv",
			text:     "type,id\nx_role,a\nx_roll,b\nx_role,c\n",
			want:     []string{"x_role id=a", "x_role id=c"},
			rejected: []string{"3:1 The provider has no resource type \"x_roll\""},
		},
		"nothing that the provider can have": {
			file: "i.csv", text: "type,id\nx_roll,a\n", rejected: []string{"2:1 The provider has no resource type \"x_roll\""},
		},
		"json lines that are not UTF-8": {
			file: "i.jsonl", text: "{\"type\":\"x_role\",\"id\":\"a\"}\n{\"type\":\"x_role\",\"id\":\"\xe9\"}\n",
			want: []string{"x_role id=a"}, wrong: []string{"2:24 Malformed JSON line"},
		},
		"a json array that is not UTF-8": {
			file: "i.json", text: "[{\"type\":\"x_role\",\n\"id\":\"\xe9\"}]", wrong: []string{"2:7 Malformed JSON array"},
		},
		"half of a character in JSON": {
			file:  "i.jsonl",
			text:  `{"type":"x_role","id":"\ud83d\ude00 \\ud83d"}` + "\n" + `{"type":"x_role","id":"\ud83d "}` + "\n" + `{"type":"x_role","id":"\ude00"}`,
			want:  []string{"x_role id=😀 \\ud83d"},
			wrong: []string{"2:24 Malformed JSON line", "3:24 Malformed JSON line"},
		},
		"csv that is not UTF-8": {
			file: "i.csv", text: "type,id\nx_role,a\nx_role,\xe9\n", want: []string{"x_role id=a"}, wrong: []string{"3:8 Malformed CSV row"},
		},
		"a csv header that is not UTF-8": {
			file: "i.csv", text: "type,id,\xe9\n", wrong: []string{"1:9 Malformed CSV row"},
		},
		"UTF-16": {
			file: "i.csv", text: "\xff\xfet\x00y\x00p\x00e\x00", wrong: []string{"Cannot read the inventory i.csv"},
		},
		"csv": {
			file: "i.csv",
			text: "type,id,name\nx_role,admin,\"the, boss\"\nx_role,\"two\nlines\",\n",
			want: []string{"x_role id=admin as the, boss", "x_role id=two\nlines"},
		},
		"csv with blanks": {
			file: "i.csv",
			text: "type, id , name\nx_role, admin , \"the, boss\"\n x_bucket_policy,\tb, \n",
			want: []string{"x_role id=admin as the, boss", "x_bucket_policy id=b"},
		},
		"csv with comments, told by content": {
			file: "inventory",
			text: "# of the team\ntype,id\nx_role,a\n#x_role,b\nx_role,#c\n",
			want: []string{"x_role id=a", "x_role id=#c"},
		},
		"csv with what looks like comments": {
			file: "i.csv",
			text: "id,type\n#a,x_role\nb,x_role\n",
			want: []string{"x_role id=#a", "x_role id=b"},
		},
		"csv with an unclosed quote": {
			file:  "i.csv",
			text:  "type,id\nx_role,a\nx_role,\"b\nx_role,c\nx_role,d\n",
			want:  []string{"x_role id=a"},
			wrong: []string{"3:1 Malformed CSV row"},
		},
		"csv identity, told by content": {
			file: "inventory.txt",
			text: "\"type\",identity.name,identity.account,id\nx_bucket,b,7,\nx_role,,,r\n",
			want: []string{"x_bucket account=7 name=b", "x_role id=r"},
		},
		"csv faults are all told": {
			file:  "i.csv",
			text:  "type,id\nx_role,a,b\nx_role,b\"c\nx_role,ok\n,z\nx_role,\n",
			wrong: []string{"2:1 Malformed CSV row", "3:9 Malformed CSV row", "5:1 No resource type", "6:1 Neither an id nor an identity"},
		},
		"csv header": {
			file: "i.csv", text: "type,id,colour\n", wrong: []string{"1:1 Malformed CSV header"},
		},
		"import blocks": {
			file: "imports.tf",
			text: `
locals { roles = { a = "role-a", b = "role-b" } }
variable "prefix" { default = "net" }
resource "x_role" "r" { anything = nowhere.known }
import {
  to = x_network.main
  id = "${var.prefix}-1"
}
import {
  to       = x_bucket.logs
  identity = { name = "logs", account = 7 }
}
import {
  for_each = local.roles
  to       = x_role.all[each.key]
  id       = each.value
}
import {
  for_each = toset(["p", "q"])
  to       = x_role.plain[each.value]
  id       = each.key
}
import {
  to = x_key.k[0]
  id = "key"
}`,
			want: []string{
				"x_network id=net-1 as main", "x_bucket account=7 name=logs as logs", "x_role id=role-a as all_a",
				"x_role id=role-b as all_b", "x_role id=p as plain_p", "x_role id=q as plain_q", "x_key id=key as k_0",
			},
		},
		"import blocks in JSON": {
			file: "imports.tf.json",
			text: `{"import":[{"to":"x_role.a","id":"a"},{"to":"x_bucket.b","identity":{"name":"b"}}]}`,
			want: []string{"x_role id=a as a", "x_bucket name=b as b"},
		},
		"import block faults": {
			file: "imports.tf",
			text: "import {\n  to = x_role\n  id = \"a\"\n}\nimport {\n  to = x_role.a\n  id = x_network.n.id\n}\nimport {\n  to = x_role.b\n  for_each = [1]\n  id = each.key\n}\nimport {\n  id = \"x\"\n}\n",
			wrong: []string{
				"2:8 Not the address of a resource", "7:8 x_network cannot be known here", "11:14 Unsuitable for_each",
				"14:8 Missing required argument",
			},
		},
		"import blocks of a provider": {
			file:  "imports.tf",
			text:  "import {\n  to = x_role.a\n  id = \"a\"\n  provider = x\n}\nimport {\n  to = y_role.a\n  id = \"a\"\n  provider = y.west\n}\n",
			want:  []string{"x_role id=a as a"},
			wrong: []string{"9:14 The import block is of the provider \"y\" and is left out"},
		},
		"import blocks of another configuration": {
			file: "imports.tf",
			text: "import {\n  to = x_role.a\n  id = \"a\"\n  provider = x.west\n}\nimport {\n  to = x_role.b\n  id = \"b\"\n  provider = 7\n}\n",
			wrong: []string{
				"4:14 The provider configuration x with an alias cannot be used", "9:14 Not a provider",
			},
		},
		"import blocks of another configuration in JSON": {
			file:  "imports.tf.json",
			text:  `{"import":[{"to":"x_role.a","id":"a","provider":"x.west"}]}`,
			wrong: []string{"1:49 The provider configuration x with an alias cannot be used"},
		},
		"locals in a circle": {
			file:  "imports.tf",
			text:  "locals {\n  a = local.b\n  b = local.a\n}\nimport {\n  to = x_role.a\n  id = local.a\n}\n",
			wrong: []string{"3:7 local.a refers to itself"},
		},
		"syntax":         {file: "imports.tf", text: "import {\n", wrong: []string{"1:8 Unclosed configuration block"}},
		"unknown format": {file: "inventory", text: "hello\n", wrong: []string{"1:1 Cannot tell the format of the inventory inventory"}},
		"empty":          {file: "i.jsonl", text: "\n", wrong: []string{"The inventory i.jsonl names no resource"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := writeFile(t, tt.file, tt.text)
			found, outcome, diags := discoverAll(t, Inventory{Path: path, LocalName: "x"}, estateScope())
			if d := cmp.Diff(tt.want, describe(found)); d != "" {
				t.Errorf("found: %s", d)
			}
			if d := cmp.Diff(tt.rejected, places(reasons(outcome.Rejected), filepath.Dir(path))); d != "" {
				t.Errorf("rejected: %s", d)
			}
			if d := cmp.Diff(tt.wrong, places(diags, filepath.Dir(path))); d != "" {
				t.Errorf("diagnostics: %s", d)
			}
		})
	}
}

// reasons are why entries were rejected.
func reasons(rejected []Rejected) diag.List {
	var out diag.List
	for _, r := range rejected {
		out = append(out, r.Diagnostics...)
	}
	return out
}

// places renders diagnostics as "line:column summary".
func places(diags diag.List, dir string) []string {
	var out []string
	for _, d := range diags {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf("%d:%d ", d.Subject.Start.Line, d.Subject.Start.Column)
		}
		out = append(out, at+strings.ReplaceAll(d.Summary, dir+"/", ""))
	}
	return out
}

// TestCutJSONLine cuts a line everywhere: it never says just "EOF".
func TestCutJSONLine(t *testing.T) {
	t.Parallel()
	whole := `{"type":"x_role","id":"a"}`
	for n := 1; n < len(whole); n++ {
		_, _, err := decodeJSONEntry([]byte(whole[:n]))
		if err == nil || !strings.Contains(err.Error(), "the line ends before the object does") {
			t.Errorf("%s: %v", whole[:n], err)
		}
	}
}

func TestInventoryBoundsItsFaults(t *testing.T) {
	t.Parallel()
	path := writeFile(t, "i.jsonl", strings.Repeat("nonsense\n", 1000))
	_, _, diags := discoverAll(t, Inventory{Path: path}, estateScope())
	if len(diags) != maxProblems+1 || diags[maxProblems].Code != "DI0006" {
		t.Fatalf("%d diagnostics, last %v", len(diags), diags[len(diags)-1])
	}
}

func TestInventoryOutOfBounds(t *testing.T) {
	t.Parallel()
	in := newIntake(context.Background(), "test", estateScope(), func(Found) error { return nil })
	in.jsonLines("i.jsonl", strings.NewReader("{\"type\":\"x_role\",\"id\":\"a\"}\n"+strings.Repeat("x", maxLine+1)))
	if d := cmp.Diff([]string{"2:1 Line too long"}, places(in.diags, "")); d != "" {
		t.Error(d)
	}
	in = newIntake(context.Background(), "test", estateScope(), func(Found) error { return nil })
	in.importFiles(".", map[string][]byte{"a.tf": []byte("a = " + strings.Repeat("[", 5000))})
	if d := cmp.Diff([]string{"1:1 Nested too deep"}, places(in.diags, "")); d != "" {
		t.Error(d)
	}
}

func TestInventoryLeavesOut(t *testing.T) {
	t.Parallel()
	scope := estateScope()
	scope.Selection, _ = Select(scope.Catalog, []string{"x_bucket*"}, nil)
	path := writeFile(t, "i.csv", "type,id\nx_role,a\nx_bucket_policy,b\n")
	found, outcome, diags := discoverAll(t, Inventory{Path: path}, scope)
	if d := cmp.Diff([]string{"x_bucket_policy id=b"}, describe(found)); d != "" || outcome.Excluded != 1 || len(diags) > 0 {
		t.Error(d, outcome, diags)
	}
}

func TestInventoryThatIsNotThere(t *testing.T) {
	t.Parallel()
	_, _, diags := discoverAll(t, Inventory{Path: filepath.Join(t.TempDir(), "none")}, estateScope())
	if !diags.HasErrors() || diags[0].Code != "DI0003" {
		t.Error(diags)
	}
}

func FuzzInventory(f *testing.F) {
	for _, s := range []string{
		"{\"type\":\"x_role\",\"id\":\"a\"}\n", "type,id\nx_role,a\n", "import {\n to = x_role.a[each.key]\n id=each.value\n for_each = toset([\"a\"])\n}",
		"[{\"type\":\"x_role\",\"id\":\"a\"},\n{\"type\":1}]", "[{\"type\":\"x_role\",\"id\":\"a\"}",
		"{\"type\":\"x_bucket\",\"identity\":{\"name\":\"b\",\"account\":7}}", "type,identity.name\nx_bucket,b\n", "locals {\n a = local.a\n}",
		"variable \"v\" {\n type = list(string)\n default = [1]\n}\nimport {\n to = x_role.a\n id = var.v[0]\n}", "import {\n to = module.m[\"a\"].x_role.a\n identity = {}\n}",
	} {
		for kind := range byte(4) {
			f.Add(kind, s)
		}
	}
	names := []string{"i.jsonl", "i.csv", "i.tf", "i.tf.json", "i"}
	f.Fuzz(func(t *testing.T, kind byte, text string) {
		var found []Found
		in := newIntake(context.Background(), "fuzz", estateScope(), func(f Found) error {
			found = append(found, f)
			return nil
		})
		name := names[int(kind)%len(names)]
		in.read(name, formatOfName(name), strings.NewReader(text))
		outcome, diags := in.done("i")
		if len(found) == 0 && len(diags) == 0 && len(outcome.Rejected) == 0 {
			t.Fatalf("%q was lost silently", text)
		}
		for _, f := range found {
			if f.Type == "" || f.Key() == "" || f.Range == nil {
				t.Fatalf("%q gave %v", text, f)
			}
		}
	})
}
