package link

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
)

// dump writes rules in the path form, sorted by type.
func dump(rules *Rules) string {
	var b strings.Builder
	for _, name := range rules.Types() {
		fmt.Fprintf(&b, "%s = {\n", name)
		for _, rule := range rules.For(name) {
			var targets []string
			for _, target := range rule.Targets {
				targets = append(targets, target.String())
			}
			fmt.Fprintf(&b, "  %q = [%s]\n", escapePercent(rule.Path.String()), strings.Join(targets, ", "))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// escapePercent keeps the template signs of a path literal.
func escapePercent(s string) string {
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s)
}

// TestParseForms reads the example of the specification in both forms.
func TestParseForms(t *testing.T) {
	t.Parallel()
	want := `aws_s3_bucket = {
  "logging[].target_bucket" = [aws_s3_bucket.id]
  "replication_configuration[].role" = [aws_iam_role.arn]
  "replication_configuration[].rules[].destination[].bucket" = [aws_s3_bucket.arn]
}
`
	nested := parse(t, `
resource "aws_s3_bucket" {
  logging {
    target_bucket = aws_s3_bucket.id
  }
  replication_configuration {
    role = aws_iam_role.arn
    rules {
      destination { bucket = aws_s3_bucket.arn }
    }
  }
}`)
	if diff := cmp.Diff(want, dump(nested)); diff != "" {
		t.Errorf("nested form (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, dump(parse(t, want))); diff != "" {
		t.Errorf("path form (-want +got):\n%s", diff)
	}
}

func TestParseTargets(t *testing.T) {
	t.Parallel()
	rules := parse(t, `
targets {
  both = [a_b.c, "${a_b.d}"]
}
x_y = {
  one     = a_b.c
  several = [targets.both, "x-${a_b.c}/${any}", "$${z}\t${a_b.c}"]
  within  = [a_b[d].c, a_b[{ d = d }].c, a_b[{ f = g, d = e }].c, "x-${a_b[d].c}/${any}"]
  none    = []
}`)
	want := `x_y = {
  "one" = [a_b.c]
  "several" = [a_b.c, a_b.d, "x-${a_b.c}/${any}", "$${z}\t${a_b.c}"]
  "within" = [a_b[d].c, a_b[d].c, a_b[{ d = e, f = g }].c, "x-${a_b[d].c}/${any}"]
  "none" = []
}
`
	if diff := cmp.Diff(want, dump(rules)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// lines are diagnostics as "code line:column summary".
func lines(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf(" %d:%d", d.Subject.Start.Line, d.Subject.Start.Column)
		}
		out = append(out, d.Code+at+" "+d.Summary+": "+d.Detail)
	}
	return out
}

func TestParseMistakes(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ src, want string }{
		"syntax":           {"a_b = {", "LK0001"},
		"not an object":    {`a_b = 5`, "LK0002 1:7 Rules are not an object"},
		"other block":      {`data "a_b" {}`, `LK0003 1:1 Unexpected block "data"`},
		"no label":         {`resource {}`, "LK0004 1:1"},
		"two labels":       {`resource "a_b" "c" {}`, "LK0004 1:1"},
		"nested label":     {"resource \"a_b\" {\n  c \"d\" {}\n}", "LK0005 2:5"},
		"empty path":       {`a_b = { "" = c_d.e }`, "LK0006 1:9 Invalid path: The path cannot be read: it is empty"},
		"empty step":       {`a_b = { "c..d" = c_d.e }`, "it has an empty step"},
		"index":            {`a_b = { "c[0].d" = c_d.e }`, `step "c[0]" has brackets other than a final []`},
		"blank":            {`a_b = { "c d" = c_d.e }`, `step "c d" has blanks`},
		"dotted name":      {`a_b = { c.d = c_d.e }`, "LK0006 1:9 Invalid path: The path cannot be read: it is not a plain string"},
		"computed key":     {`a_b = { (c) = c_d.e }`, "LK0006 1:9 Invalid path: The path cannot be read: it is not a plain string"},
		"a text":           {`a_b = { c = "c_d.e" }`, "LK0007 1:13 Invalid target: The target cannot be read: it has no reference"},
		"a number":         {`a_b = { c = 5 }`, "it is not a reference"},
		"a name":           {`a_b = { c = c_d.main.id }`, "it has more than two parts"},
		"a type":           {`a_b = { c = c_d }`, "it names no attribute"},
		"two references":   {`a_b = { c = "${c_d.e}${c_d.f}" }`, "it has more than one reference"},
		"quoted brackets":  {`a_b = { c = c_d["f"].e }`, "what stands in brackets is an attribute that both resources have"},
		"a position":       {`a_b = { c = c_d[0].e }`, "what stands in brackets is an attribute that both resources have"},
		"a path within":    {`a_b = { c = c_d[f.g].e }`, "what stands in brackets is an attribute that both resources have"},
		"nothing within":   {`a_b = { c = c_d[{}].e }`, "what stands in brackets is an attribute that both resources have"},
		"text within":      {`a_b = { c = c_d[{ f = "g" }].e }`, "what stands in brackets is an attribute that both resources have"},
		"twice within":     {`a_b = { c = c_d[{ f = g, f = h }].e }`, "it names f twice in brackets"},
		"late brackets":    {`a_b = { c = c_d.e[f] }`, "it is not a reference"},
		"later brackets":   {`a_b = { c = c_d.e[f].g }`, "brackets stand right after the type"},
		"brackets of call": {`a_b = { c = upper(c_d)[f].e }`, "brackets stand right after the type"},
		"no attribute":     {`a_b = { c = c_d[f] }`, "it is not a reference"},
		"too long within":  {`a_b = { c = c_d[f].e.g }`, "it has more than two parts"},
		"any alone":        {`a_b = { c = "${c_d.e}${any}" }`, "${any} stands at the very end"},
		"any first":        {`a_b = { c = "${any}-${c_d.e}" }`, "${any} stands at the very end"},
		"a function":       {`a_b = { c = "${upper(c_d.e)}" }`, "it is not a reference"},
		"twice":            {"a_b = {\n  \"c[].d\" = c_d.e\n  \"c.d\"   = c_d.f\n}", "LK0008 3:3 Duplicate rule: a_b has a rule for c.d already, at rules.hcl:2"},
		"unknown list":     {"targets {\n  principal = [c_d.e]\n}\na_b = { c = targets.principle }", "LK0009 4:13 Unknown list of targets: targets.principle is not declared above this line. Did you mean \"principal\"?"},
		"block in targets": {"targets {\n  x {}\n}", "LK0003 2:3"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := ParseRules("rules.hcl", []byte(tc.src))
			got := strings.Join(lines(diags), "\n")
			if !strings.Contains(got, tc.want) {
				t.Errorf("got:\n%s\nwant in it:\n%s", got, tc.want)
			}
			if strings.Count(got, "LK") > 2 {
				t.Errorf("too many diagnostics:\n%s", got)
			}
		})
	}
}

// TestParseKeepsTheRest reads what is right beside what is not.
func TestParseKeepsTheRest(t *testing.T) {
	t.Parallel()
	rules, diags := ParseRules("rules.hcl", []byte("a_b = {\n  \"\" = c_d.e\n  f = c_d.e\n}\ng_h = 1\n"))
	if len(diags) != 2 {
		t.Errorf("diagnostics: %v", lines(diags))
	}
	if diff := cmp.Diff("a_b = {\n  \"f\" = [c_d.e]\n}\n", dump(rules)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzParseRules: no input is fatal, every diagnostic has a place, and rules
// written out read back the same.
func FuzzParseRules(f *testing.F) {
	f.Add("a_b = {\n  \"c[].d\" = [e_f.id, \"${e_f.arn}/*\"]\n}\n")
	f.Add(`resource "a" { b { c = [d.e, "${d.f}/${any}"] } }`)
	f.Add(`a = { b = [c[d].e, c[{ d = e, "f" = g }].h, "x${c[d].e}${any}"] }`)
	f.Add(`targets { x = [a.b] } c = { "d[].e" = targets.x, f = "%%{${g.h}" }`)
	f.Fuzz(func(t *testing.T, src string) {
		rules, diags := ParseRules("rules.hcl", []byte(src))
		for _, d := range diags {
			if d.Subject == nil || d.Summary == "" {
				t.Fatalf("diagnostic without a place: %v", d)
			}
		}
		for _, name := range rules.Types() {
			newMatcher(rules.For(name))
		}
		if diags.HasErrors() {
			return
		}
		written := dump(rules)
		again, diags := ParseRules("again.hcl", []byte(written))
		if diags.HasErrors() && !isPlain(rules) {
			return // a label may be any text, a key of the path form may not
		}
		if diff := cmp.Diff(written, dump(again)); diff != "" || diags.HasErrors() {
			t.Fatalf("%s\n%v\n%s", written, diags.Err(), diff)
		}
	})
}

// isPlain reports whether all types are words.
func isPlain(rules *Rules) bool {
	for _, name := range rules.Types() {
		if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") != "" || name == "" {
			return false
		}
	}
	return true
}
