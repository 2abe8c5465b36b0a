package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

func TestPartition(t *testing.T) {
	t.Parallel()
	flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
	flags.StringP("out", "o", "", "")
	flags.Bool("json", false, "")
	var selection selectionFlags
	selection.register(flags)
	for name, c := range map[string]struct {
		least     int
		line      string
		own, args string
		bad       bool
	}{
		"plain":                       {1, "src a b", "", "src a b", false},
		"own flags anywhere":          {1, "--json src a -o dir b", "--json -o dir", "src a b", false},
		"values in the word":          {1, "src --out=dir -odir", "--out=dir -odir", "src", false},
		"a plugin's flags":            {1, "src --include a,b --x=y -z", "", "src --include a,b --x=y -z", false},
		"behind --":                   {1, "src -- --json -o", "", "src --json -o", false},
		"a second --":                 {1, "src -- a -- b", "", "src a -- b", false},
		"unknown before SOURCE":       {1, "--parts a src", "", "", true},
		"unknown between arguments":   {2, "key --parts src", "", "", true},
		"a selection":                 {1, "--include a,b --exclude=c src --include d --exclude=e", "--include a,b --exclude=c", "src --include d --exclude=e", false},
		"a flag without its value":    {1, "src -o", "-o", "src", false},
		"a dash is an argument":       {1, "- a", "", "- a", false},
		"-- before SOURCE":            {1, "-- --src", "", "--src", false},
		"a bool takes no next word":   {1, "src --json true", "--json", "src true", false},
		"a shorthand of the plugin's": {1, "src -q", "", "src -q", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, args, err := partition(flags, strings.Fields(c.line), c.least)
			if (err != nil) != c.bad {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{c.own, c.args}, []string{strings.Join(own, " "), strings.Join(args, " ")}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSelection(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]*pschema.Selection{
		"":                              {},
		"--include|a, b|--include|c":    {Include: []string{"a", "b", "c"}},
		"--exclude=x|--include=p:m/r:*": {Include: []string{"p:m/r:*"}, Exclude: []string{"x"}},
		"--include=":                    nil,
		"--include|a|--exclude| , ":     nil,
	} {
		flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
		var f selectionFlags
		f.register(flags)
		words := slices.DeleteFunc(strings.Split(line, "|"), func(word string) bool { return word == "" })
		if err := flags.Parse(words); err != nil {
			t.Fatal(err)
		}
		got, err := f.selection(flags)
		if (err != nil) != (want == nil) {
			t.Errorf("%s: %v", line, err)
		}
		if err == nil && !cmp.Equal(*want, got) {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestShellWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                    nil,
		" a  b\tc ":           {"a", "b", "c"},
		`a="x y" 'p "q" r'`:   {"a=x y", `p "q" r`},
		`"" a`:                {"", "a"},
		`a\ b "c\"d" 'e\f'`:   {"a b", `c"d`, `e\f`},
		"key=value\nother=ok": {"key=value", "other=ok"},
	} {
		if got, err := shellWords(in); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
	for _, bad := range []string{`"a`, `a'`, `a\`} {
		if got, err := shellWords(bad); err == nil {
			t.Errorf("%q became %q", bad, got)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	got := table([][]string{{"NAME", "STATE"}, {"a-long-name", ""}, {"b", "installed"}})
	want := "NAME         STATE\na-long-name\nb            installed\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
