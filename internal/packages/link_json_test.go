package packages

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJSONWith sets a dependency in every layout, byte for byte.
func TestJSONWith(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"nothing":         {"{}", "{\n  \"dependencies\": {\n    \"m\": \"file:m\"\n  }\n}"},
		"other members":   {"{\n  \"name\": \"n\"\n}\n", "{\n  \"name\": \"n\",\n  \"dependencies\": {\n    \"m\": \"file:m\"\n  }\n}\n"},
		"before others":   {"{\n  \"dependencies\": {\n    \"z\": \"1\"\n  },\n  \"private\": true\n}", "{\n  \"dependencies\": {\n    \"m\": \"file:m\",\n    \"z\": \"1\"\n  },\n  \"private\": true\n}"},
		"between others":  {"{\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"z\": \"1\"\n  }\n}", "{\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"m\": \"file:m\",\n    \"z\": \"1\"\n  }\n}"},
		"after others":    {"{\n  \"dependencies\": {\n    \"a\": \"1\"\n  }\n}", "{\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"m\": \"file:m\"\n  }\n}"},
		"unsorted":        {"{\n  \"dependencies\": {\n    \"z\": \"1\",\n    \"a\": \"1\"\n  }\n}", "{\n  \"dependencies\": {\n    \"z\": \"1\",\n    \"a\": \"1\",\n    \"m\": \"file:m\"\n  }\n}"},
		"tabs":            {"{\n\t\"dependencies\": {}\n}", "{\n\t\"dependencies\": {\n\t\t\"m\": \"file:m\"\n\t}\n}"},
		"CRLF":            {"{\r\n    \"dependencies\": {\r\n        \"a\": \"1\"\r\n    }\r\n}\r\n", "{\r\n    \"dependencies\": {\r\n        \"a\": \"1\",\r\n        \"m\": \"file:m\"\r\n    }\r\n}\r\n"},
		"CRLF, no table":  {"{\r\n\t\"a\": 1\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"dependencies\": {\r\n\t\t\"m\": \"file:m\"\r\n\t}\r\n}"},
		"one line":        {`{"name":"n","dependencies":{"a":"1"}}`, `{"name":"n","dependencies":{"a":"1","m":"file:m"}}`},
		"one line each":   {"{\n  \"dependencies\": {\"a\": \"1\"}\n}\n", "{\n  \"dependencies\": {\"a\": \"1\", \"m\": \"file:m\"}\n}\n"},
		"one line, first": {"{\n  \"dependencies\": {\"p\": \"1\", \"q\": \"2\"}\n}\n", "{\n  \"dependencies\": {\"m\": \"file:m\", \"p\": \"1\", \"q\": \"2\"}\n}\n"},
		"one line, only":  {"{\n  \"dependencies\": {\"p\": \"1\"}\n}\n", "{\n  \"dependencies\": {\"m\": \"file:m\", \"p\": \"1\"}\n}\n"},
		"replaced":        {`{"dependencies":{"m":"1.0.0"}}`, `{"dependencies":{"m":"file:m"}}`},
		"there":           {`{"dependencies":  {"m" : "file:m" }}`, `{"dependencies":  {"m" : "file:m" }}`},
		"null":            {"{\n \"dependencies\": null\n}", "{\n \"dependencies\": {\n  \"m\": \"file:m\"\n }\n}"},
		"no final newline, deep": {
			"{\n  \"a\": [{\"dependencies\": {}}, \"}\"],\n  \"b\": \"dependencies\",\n  \"dependencies\": {\n    \"z\": \"}\"\n  }\n}",
			"{\n  \"a\": [{\"dependencies\": {}}, \"}\"],\n  \"b\": \"dependencies\",\n  \"dependencies\": {\n    \"m\": \"file:m\",\n    \"z\": \"}\"\n  }\n}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := withJSON(t, c.in, "m", "file:m")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if again := withJSON(t, got, "m", "file:m"); again != got {
				t.Errorf("again: %s", again)
			}
		})
	}
	for _, bad := range []string{"", "null", "[]", "{", `{"dependencies": []}`, "{} {}"} {
		text, err := parseJSON([]byte(bad))
		if err == nil {
			_, err = text.with("dependencies", "x", "1")
		}
		if err == nil {
			t.Errorf("%q was changed", bad)
		}
	}
}

func withJSON(t *testing.T, src, key, value string) string {
	t.Helper()
	text, err := parseJSON([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	got, err := text.with("dependencies", key, value)
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

func TestJSONWithElement(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"{}":                        "{\n  \"trusted\": [\n    \"x\"\n  ]\n}",
		`{"trusted":["x"]}`:         `{"trusted":["x"]}`,
		`{"trusted":["a","b"]}`:     `{"trusted":["a","b","x"]}`,
		"{\n  \"trusted\": []\n}\n": "{\n  \"trusted\": [\n    \"x\"\n  ]\n}\n",
		"{\n  \"trusted\": [\n    \"a\"\n  ]\n}\n": "{\n  \"trusted\": [\n    \"a\",\n    \"x\"\n  ]\n}\n",
	} {
		text, err := parseJSON([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := text.withElement("trusted", "x")
		if err != nil {
			t.Errorf("%s: %v", in, err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
	text, err := parseJSON([]byte(`{"trusted": "all"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := text.withElement("trusted", "x"); err == nil {
		t.Errorf("a text became %s", got)
	}
}

// FuzzJSONWith holds an edit to what it says: the one entry, and nothing else
// that a reader of JSON sees. Every byte that was there is there still.
func FuzzJSONWith(f *testing.F) {
	f.Add(`{"name": "n", "dependencies": {"a": "1"}}`, "x", "file:x")
	f.Add("{\n\t\"a\": [{\"dependencies\": 1}]\n}", "", "<&>")
	f.Add(`{"dependencies": {}, "dependencies": {"b": "2"}}`, "b", "3")
	f.Add("{\r\n\"dependencies\" : { \"b\" : \"2\" ,\r\n \"d\": 4}}", "c: ", "\"")
	f.Fuzz(func(t *testing.T, src, name, value string) {
		text, err := parseJSON([]byte(src))
		if err != nil {
			return
		}
		got, err := text.with("dependencies", name, value)
		if err != nil {
			return
		}
		before, after := members(t, src), members(t, string(got))
		want, _ := before["dependencies"].(map[string]any)
		if want == nil {
			want = map[string]any{}
		}
		_, replaced := want[name]
		want[name], before["dependencies"] = value, want
		if diff := cmp.Diff(before, after); diff != "" {
			t.Error(diff)
		}
		if !replaced && len(got) <= len(src) {
			t.Errorf("%q became %q", src, got)
		}
	})
}

func members(t *testing.T, src string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal([]byte(src), &out); err != nil {
		t.Fatalf("%v in %q", err, src)
	}
	return out
}
