package diag_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

func here(line, column int) hcl.Range {
	return hcl.Range{
		Filename: "main.tf",
		Start:    hcl.Pos{Line: line, Column: column, Byte: 7}, End: hcl.Pos{Line: line, Column: column + 3, Byte: 10},
	}
}

// full is a diagnostic with everything.
func full() *diag.Diagnostic {
	return diag.Errorf("XX0001", "No such thing", "There is no %q.\nTry another.", "x").
		At(here(2, 3)).For("estate_network.main").On(cty.GetAttrPath("tags").IndexString("a b"))
}

func TestText(t *testing.T) {
	t.Parallel()
	sources := diag.Sources{"main.tf": []byte("first\r\n  second\r\nthird")}
	long := diag.Sources{"main.tf": []byte(strings.Repeat("ä", 500) + "x" + strings.Repeat("ä", 500))}
	tests := map[string]struct {
		d       *diag.Diagnostic
		sources diag.Sources
		style   diag.Style
		want    string
	}{
		"everything": {full(), sources, diag.Style{}, `Error: No such thing [XX0001]
  at main.tf:2,3, in estate_network.main, on tags["a b"]
     2 |   second
  There is no "x".
  Try another.
`},
		"no source":                       {full(), nil, diag.Style{}, "Error: No such thing [XX0001]\n  at main.tf:2,3, in estate_network.main, on tags[\"a b\"]\n  There is no \"x\".\n  Try another.\n"},
		"only summary":                    {diag.Warnf("", "Slow", ""), nil, diag.Style{}, "Warning: Slow\n"},
		"no formatting without arguments": {diag.Errorf("", "Full", "100% used"), nil, diag.Style{}, "Error: Full\n  100% used\n"},
		"colour": {diag.Warnf("XX0002", "Slow", "Wait."), nil, diag.Style{Color: true},
			"\x1b[1;33mWarning:\x1b[0m \x1b[1mSlow\x1b[0m [XX0002]\n  Wait.\n"},
		"red":            {diag.Errorf("", "Bad", ""), nil, diag.Style{Color: true}, "\x1b[1;31mError:\x1b[0m \x1b[1mBad\x1b[0m\n"},
		"last line":      {diag.Errorf("", "End", "").At(here(3, 1)), sources, diag.Style{}, "Error: End\n  at main.tf:3,1\n     3 | third\n"},
		"beyond the end": {diag.Errorf("", "Off", "").At(here(9, 1)), sources, diag.Style{}, "Error: Off\n  at main.tf:9,1\n"},
		"line 0":         {diag.Errorf("", "Off", "").At(here(0, 0)), sources, diag.Style{}, "Error: Off\n  at main.tf\n"},
		"a terminal's orders": {diag.Errorf("", "Bad \x1b[31mred", "\x1b]0;title\a").At(here(1, 1)).For("a\x1bb"),
			diag.Sources{"main.tf": []byte("x \x1b[2J")}, diag.Style{Color: true},
			"\x1b[1;31mError:\x1b[0m \x1b[1mBad \ufffd[31mred\x1b[0m\n  at main.tf:1,1, in a\ufffdb\n     1 | x \ufffd[2J\n  \ufffd]0;title\ufffd\n"},
		"start of a long line": {diag.Errorf("", "Long", "").At(here(1, 1)), long, diag.Style{}, "Error: Long\n  at main.tf:1,1\n     1 | " + strings.Repeat("ä", 200) + "…\n"},
		"amid a long line":     {diag.Errorf("", "Long", "").At(here(1, 501)), long, diag.Style{}, "Error: Long\n  at main.tf:1,501\n     1 | …" + strings.Repeat("ä", 100) + "x" + strings.Repeat("ä", 99) + "…\n"},
		"end of a long line":   {diag.Errorf("", "Long", "").At(here(1, 1001)), long, diag.Style{}, "Error: Long\n  at main.tf:1,1001\n     1 | …" + strings.Repeat("ä", 200) + "\n"},
		"element of a set":     {diag.Errorf("", "Set", "").On(cty.GetAttrPath("s").Index(cty.DynamicVal)), nil, diag.Style{}, "Error: Set\n  on s[*]\n"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, diag.Text(test.d, test.sources, test.style)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]*diag.Diagnostic{
		`{"severity":"error","code":"XX0001","summary":"No such thing","detail":"There is no \"x\".\nTry another.",` +
			`"address":"estate_network.main","path":"tags[\"a b\"]",` +
			`"range":{"filename":"main.tf","start":{"line":2,"column":3,"byte":7},"end":{"line":2,"column":6,"byte":10}}}`: full(),
		`{"severity":"warning","summary":"Slow"}`: diag.Warnf("", "Slow", ""),
	} {
		got, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]*diag.Diagnostic{
		`main.tf:2,3-6: estate_network.main.tags["a b"]: No such thing: There is no "x". Try another.`: full(),
		"a.b: Bad": diag.Errorf("", "Bad", "").For("a.b"),
		"c: Bad":   diag.Errorf("", "Bad", "").On(cty.GetAttrPath("c")),
		"Bad":      diag.Errorf("", "Bad", ""),
	} {
		if diff := cmp.Diff(want, d.Error()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestBrief(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]*diag.Diagnostic{
		`No such thing: There is no "x".`: full(),
		"Bad":                             diag.Errorf("", "Bad", ""),
		"Bad: why":                        diag.Errorf("", "Bad", "\n why \nmore"),
		"Long: " + strings.Repeat("ü", 200) + "…": diag.Errorf("", "Long", "%s", strings.Repeat("ü", 201)),
	} {
		if diff := cmp.Diff(want, d.Brief()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	bad, slow := diag.Errorf("XX0001", "Bad", ""), diag.Warnf("XX0002", "Slow", "").For("kept")
	l := diag.List{slow, bad}
	if !l.HasErrors() || (diag.List{slow}).HasErrors() || diag.List(nil).HasErrors() {
		t.Error("errors are mixed up with warnings")
	}
	if errs := l.Errors(); len(errs) != 1 || errs[0] != bad {
		t.Errorf("the errors are %v", errs)
	}
	if (diag.List{slow}).Err() != nil {
		t.Error("a warning is an error")
	}
	var found *diag.Diagnostic
	if !errors.As(l.Err(), &found) || found != bad {
		t.Errorf("the error holds %v", found)
	}
	l.ForAddress("a.b")
	if bad.Address != "a.b" || slow.Address != "kept" {
		t.Errorf("addresses %q and %q", bad.Address, slow.Address)
	}
}

// TestFromError unpacks errors of every wrapping.
func TestFromError(t *testing.T) {
	t.Parallel()
	one, two := diag.Errorf("XX0001", "One", ""), diag.Errorf("XX0002", "Two", "")
	tests := map[string]struct {
		err  error
		want []string
	}{
		"nil":            {nil, nil},
		"plain":          {fs.ErrNotExist, []string{"YY Failed: file does not exist"}},
		"diagnostic":     {one, []string{"XX0001 One"}},
		"wrapped":        {fmt.Errorf("while: %w", one), []string{"XX0001 One"}},
		"a list":         {diag.List{one, two}.Err(), []string{"XX0001 One", "XX0002 Two"}},
		"a wrapped list": {fmt.Errorf("while: %w", diag.List{one, two}.Err()), []string{"XX0001 One", "XX0002 Two"}},
		"mixed":          {errors.Join(one, fs.ErrExist), []string{"XX0001 One", "YY Failed: file already exists"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range diag.FromError("YY", "Failed", test.err) {
				got = append(got, d.Code+" "+d.Error())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFromHCL(t *testing.T) {
	t.Parallel()
	at := here(1, 1)
	got := diag.FromHCL("XX", hcl.Diagnostics{
		{Severity: hcl.DiagError, Summary: "Bad", Detail: "Why.", Subject: &at},
		{Severity: hcl.DiagWarning, Summary: "Slow"},
	})
	var lines []string
	for _, d := range got {
		lines = append(lines, d.Severity.String()+" "+d.Code+" "+d.Error())
	}
	if diff := cmp.Diff("error XX main.tf:1,1-4: Bad: Why.\nwarning XX Slow", strings.Join(lines, "\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	at := here(3, 7)
	all := diag.List{diag.Errorf("XX0001", "Bad", "Why.").At(at).For("a.b"), diag.Warnf("XX0002", "Slow", "So.")}
	for _, want := range all {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got diag.Diagnostic
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, &got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
