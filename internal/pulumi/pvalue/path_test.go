package pvalue_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

func glob(segments ...property.GlobSegment) property.Glob {
	return property.GlobFromSegments(segments...)
}

func index(i int) property.PathSegment { return property.NewSegment(i) }

func TestPathText(t *testing.T) {
	t.Parallel()
	k := pvalue.Key
	for want, path := range map[string]property.Path{
		"":                 {},
		"a":                property.PathFromSegments(k("a")),
		"a.b[0].c":         property.PathFromSegments(k("a"), k("b"), index(0), k("c")),
		`["k.x"]`:          property.PathFromSegments(k("k.x")),
		`a["k \"x\""].b`:   property.PathFromSegments(k("a"), k(`k "x"`), k("b")),
		`a[""][100]`:       property.PathFromSegments(k("a"), k(""), index(100)),
		`tags["a-b"]["é"]`: property.PathFromSegments(k("tags"), k("a-b"), k("é")),
	} {
		if got := pvalue.PathText(path); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestParsePattern(t *testing.T) {
	t.Parallel()
	k := pvalue.Key
	for text, want := range map[string]property.Glob{
		"a":              glob(k("a")),
		"a.b[0].c":       glob(k("a"), k("b"), index(0), k("c")),
		`["k.x"].b`:      glob(k("k.x"), k("b")),
		`a["k \"x\""]`:   glob(k("a"), k(`k "x"`)),
		"tags.a-b":       glob(k("tags"), k("a-b")),
		"a.[1]":          glob(k("a"), index(1)),
		"*":              glob(property.Splat),
		"a[*].b":         glob(k("a"), property.Splat, k("b")),
		"a.*":            glob(k("a"), property.Splat),
		`a["*"]`:         glob(k("a"), k("*")),
		`["a]b"]`:        glob(k("a]b")),
		"a" + `["\x\""]`: glob(k("a"), k(`\x"`)),
	} {
		got, err := pvalue.ParsePattern(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b property.Glob) bool { return a == b })); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	for text, want := range map[string]string{
		"":                           "the path is empty",
		".a":                         "at character 1: a name is missing",
		"a.":                         "at character 2: a name is missing",
		"a..b":                       "at character 2: a name is missing",
		"a[":                         "at character 2: the bracket is not closed",
		"a[-1]":                      "at character 2: a number is expected in the brackets",
		"a[99999999999]":             "at character 2: a number is expected in the brackets",
		`a["b`:                       "at character 2: the key has no end",
		`a["b"c`:                     "at character 2: a bracket is missing after the key",
		"a" + strings.Repeat("[", 3): "at character 2: the bracket is not closed",
	} {
		if _, err := pvalue.ParsePattern(text); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// FuzzParsePattern checks that a path reads back as it was written.
func FuzzParsePattern(f *testing.F) {
	for _, text := range []string{"a.b[0].c", `["k.x"].b`, `a["k \"x\""]`, "a[*].*", `a["\`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		first, err := pvalue.ParsePattern(text)
		if err != nil {
			return
		}
		var segments []property.PathSegment
		for s := range first.Segments {
			segment, ok := s.(property.PathSegment)
			if !ok {
				return
			}
			segments = append(segments, segment)
		}
		path := property.PathFromSegments(segments...)
		written := pvalue.PathText(path)
		if strings.Contains(text, `\`) { // a backslash before a quote has no form of its own
			return
		}
		second, err := pvalue.ParsePattern(written)
		if err != nil || second != path.AsGlob() {
			t.Errorf("%q became %q: %v", text, written, err)
		}
	})
}
