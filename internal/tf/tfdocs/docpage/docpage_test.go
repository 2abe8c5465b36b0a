package docpage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// page is one of testdata.
func page(t testing.TB, name string) *docpage.Page {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return docpage.Parse(string(src))
}

// shape reads "a b{c d{e}} f".
func shape(text string) docpage.Shape {
	fields := strings.Fields(strings.NewReplacer("{", " { ", "}", " } ").Replace(text))
	s, _ := readShape(fields)
	return s
}

func readShape(fields []string) (docpage.Shape, []string) {
	s, last := docpage.Shape{}, ""
	for len(fields) > 0 {
		word := fields[0]
		fields = fields[1:]
		switch word {
		case "{":
			s[last], fields = readShape(fields)
		case "}":
			return s, fields
		default:
			s[word], last = nil, word
		}
	}
	return s, nil
}

func TestGenerated(t *testing.T) {
	t.Parallel()
	p := page(t, "generated.md")
	if diff := cmp.Diff("Keeps a boat afloat.\n\n~> Boats sink.", p.Intro); diff != "" {
		t.Error(diff)
	}
	sections := []docpage.Section{
		{Title: "Example Usage", Text: "```terraform\n# A boat.\nresource \"sea_boat\" \"a\" {\n  name = \"a\"\n}\n```"},
		{Title: "Sinking", Text: "A boat that sinks is gone."},
	}
	if diff := cmp.Diff(sections, p.Sections); diff != "" {
		t.Error(diff)
	}
	want := docpage.Texts{
		"name": "The name, with a `mast`.", "crew": "Who is on board.\n\nAt most twelve.", "id": "Is the number.",
		"crew.rank": "From `captain` to `cook`.", "crew.bunk.side": "Port or starboard.", "token": "Opens the hatch.",
		"timeouts.create": "How long to wait.",
	}
	got := p.Texts(shape("name crew{rank bunk{side} bunks} id token sail{side} timeouts{create}"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]docpage.Import{{Type: "sea_boat", Name: "a", ID: "harbour/a"}}, p.Imports); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("The ID is the harbour's and the boat's name.", p.ImportText); diff != "" {
		t.Error(diff)
	}
}

// TestWritten has a page as people wrote them: blocks below headings, and
// bullets below bullets.
func TestWritten(t *testing.T) {
	t.Parallel()
	p := page(t, "written.md")
	want := docpage.Texts{
		"name":                  "The name. Another value replaces the resource.",
		"kind":                  "What it is:\n\n* `sail` - has a mast\n* `motor` - has none",
		"owner":                 "Who has it,\nand pays for it.\n\n**Note:** nobody else does.\n\n```sh\nbuy --now\n```",
		"hull":                  "The hull.",
		"hull.length":           "In metres.",
		"hull.paint":            "What it looks like.",
		"hull.paint.colour":     "The colour. Changing this forces a new hull.",
		"deck.paint.colour":     "The colour of the deck.",
		"deck.plank":            "From below.",
		"deck.plank.wood":       "Oak or pine.",
		"first":                 "One of two.",
		"second":                "One of two.",
		"engine.fuel":           "What it burns.",
		"engine.power":          "How much.",
		"rope.knot":             "How it is tied.",
		"anchor.chain.links":    "How many.",
		"anchor.chain":          "Holds the anchor.",
		"timeouts.delete":       "(Default `5 minutes`) For scrapping.",
		"arn":                   "The address.",
		"hull.paint.mixed_from": "Set by the painter.",
	}
	got := p.Texts(shape(`name kind owner hull{length paint{colour mixed_from}} deck{paint{colour} plank{wood}} first second
		engine{fuel power} rope{knot} anchor{chain{links}} timeouts{delete} arn dock{fuel}`))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var titles []string
	for _, s := range p.Sections {
		titles = append(titles, s.Title)
	}
	if diff := cmp.Diff([]string{"Disclaimer", "Example Usage"}, titles); diff != "" {
		t.Error(diff)
	}
}

// TestDoubt has texts that may be about several properties, or none.
func TestDoubt(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		page, shape string
		want        docpage.Texts
	}{
		"one block in two places": {
			"## Argument Reference\n\nThe `tag` block supports:\n\n* `key` - A key.", "a{tag{key}} b{tag{key}}",
			docpage.Texts{"a.tag.key": "A key.", "b.tag.key": "A key."},
		},
		"two blocks of one name": {
			"## Argument Reference\n\nThe `tag` block supports:\n\n* `key` - One.\n\nThe `tag` block supports:\n\n* `key` - Other.", "a{tag{key}} b{tag{key}}",
			docpage.Texts{},
		},
		"two blocks told apart": {
			"## Argument Reference\n\nThe `tag` block in the `a` block supports:\n\n* `key` - One.\n\nThe `tag` block supports:\n\n* `key` - Other.", "a{tag{key}} b{tag{key}}",
			docpage.Texts{"a.tag.key": "One.", "b.tag.key": "Other."},
		},
		"by its contents": {
			"## Argument Reference\n\n### Advanced\n\n* `x` - An x.\n* `y` - A y.", "x a{x y} b{y}",
			docpage.Texts{"a.x": "An x.", "a.y": "A y."},
		},
		"by its title": {
			"## Argument Reference\n\n### Post-Gres options\n\n* `x` - An x.\n* `y` - A y.", "x postgres{x y} b{x y}",
			docpage.Texts{"postgres.x": "An x.", "postgres.y": "A y."},
		},
		"neither": {
			"## Argument Reference\n\n### Advanced\n\n* `x` - An x.\n* `y` - A y.", "b{x y} adv{x y}", docpage.Texts{},
		},
		"not that block": {
			"## Argument Reference\n\n### a\n\n* `p` - A p.\n* `q` - A q.\n* `x` - An x.", "x a{x}", docpage.Texts{},
		},
		"arguments before attributes": {
			"## Attribute Reference\n\n* `x` - Read.\n* `y` - Read, too.\n\n## Argument Reference\n\n* `x` - Written.", "x y",
			docpage.Texts{"x": "Written.", "y": "Read, too."},
		},
		"no names": {
			"## Argument Reference\n\n* Say `x` - and no more\n* `x` is what it is\n* `not a name` - no\n* 1. `y`\n* `x`", "x y", docpage.Texts{},
		},
		"several names, bold, linked": {
			"## Arguments\n\n* `a`, `b` and `c` - Three.\n* **`d`** - Bold.\n* **e** - Bare.\n* [`f`](#f) (Optional) -- Linked.\n* g - (Optional) Unmarked.\n* `h.0.i` - Deep.\n* `j[*].k`: Deeper.\n* `l` (String, Sensitive, [Write-only](https://x.y/z)) Secret.\n* `m` - (Required if `a`, Optional) Odd.",
			"a b c d e f g h{i} j{k} l m",
			docpage.Texts{
				"a": "Three.", "b": "Three.", "c": "Three.", "d": "Bold.", "e": "Bare.", "f": "Linked.", "g": "Unmarked.", "h.i": "Deep.",
				"j.k": "Deeper.", "l": "Secret.", "m": "(Required if `a`) Odd.",
			},
		},
		"pointers": {
			"## Arguments\n\n* `a` - (Optional) A `a` block as defined below.\n* `b` - B's. Structure is [documented below](#b).\n* `c` - C's. See [below](#c) for details.\n* `d` - D's. Detailed below.\n* `e` - [E][1]'s.\n* `f` (List of Object) (see [below for nested schema](#f))",
			"a b c d e f", docpage.Texts{"b": "B's.", "c": "C's.", "d": "D's.", "e": "E's."},
		},
		"too long": {
			"## Arguments\n\n* `a` - Short.\n  " + strings.Repeat("x", 10_000) + "\n* `b` - " + strings.Repeat("x", 10_000), "a b", docpage.Texts{"a": "Short."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, docpage.Parse(tt.page).Texts(shape(tt.shape))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// noLists compares pages but for their lists.
var noLists = cmpopts.IgnoreUnexported(docpage.Page{})

func TestBody(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]docpage.Page{
		"": {},
		"---\nsubcategory: x\n---\n\n# Title\n\nText.\n":                     {Intro: "Text."},
		"\ufeff---\r\na: b\r\n---\r\nText.\r\n":                              {Intro: "Text."},
		"---\nnever closed":                                                  {Intro: "---\nnever closed"},
		"# A\n\nB\n\n## Schema \n\nC\n\n## D\n\nE":                           {Intro: "B", Sections: []docpage.Section{{Title: "D", Text: "E"}}},
		"- a\n  - b < c <br>\n":                                              {Intro: "- a\n  - b < c"},
		"a <!-- b --> <a id=\"c\"></a>\n<!-- schema generated -->\n\n\n\nd":  {Intro: "a\n\nd"},
		"```hcl\n# not a title\n## Import\n\n\nx\n```\n\n### Deeper":         {Intro: "```hcl\n# not a title\n## Import\n\n\nx\n```\n\n### Deeper"},
		"## Notes\n\n* `x` - an argument\n\n## Timeouts\n\nx\n\n## Import\n": {},
		"## Computed fields\n\n- x\n- y\n- `z` - z\n\n## Required\n\n- `z`":  {Sections: []docpage.Section{{Title: "Computed fields", Text: "- x\n- y\n- `z` - z"}}},
		"a\n\n## B ##\n\n## C\n\n\xff d":                                     {Intro: "a", Sections: []docpage.Section{{Title: "C", Text: "d"}}},
		strings.Repeat("x", docpage.MaxSize+1):                               {},
	} {
		got := docpage.Parse(text)
		if diff := cmp.Diff(want, docpage.Page{Intro: got.Intro, Sections: got.Sections}, noLists); diff != "" {
			t.Errorf("%.100q (-want +got):\n%s", text, diff)
		}
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]docpage.Page{
		"Things are imported with their `id`, e.g.\n\n```\n$ terraform import x_thing.a 1-2\n```\n": {
			ImportText: "Things are imported with their `id`, e.g.", Imports: []docpage.Import{{"x_thing", "a", "1-2"}},
		},
		"Using `terraform import`, import things. For example:\n\n```console\n% terraform import 'module.m.x_thing.a[\"k\"]' \"a b\"\n```": {
			Imports: []docpage.Import{{"x_thing", "a", "a b"}},
		},
		"```shell\n# The ID\ntofu import -lock=false x_thing.a a/b\nterraform import x_thing.b c\n```\n\nAnd more.": {
			Imports: []docpage.Import{{"x_thing", "a", "a/b"}, {"x_thing", "b", "c"}},
		},
		"In Terraform v1.5.0 and later, use an `import` block:\n\n```\nimport {\n  to = x_thing.a\n}\n```": {},
		"By the `id`:\n\n```\nterraform import x_thing.a 1\n```\n\nAnd `terraform import x_thing.b 2`, which is prose.": {
			ImportText: "By the `id`:", Imports: []docpage.Import{{"x_thing", "a", "1"}},
		},
		"This cannot be imported.": {ImportText: "This cannot be imported."},
	} {
		got := docpage.Parse("## Import\n\n" + text)
		if diff := cmp.Diff(want, docpage.Page{ImportText: got.ImportText, Imports: got.Imports}, noLists); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestHostile reads pages that are meant to take long.
func TestHostile(t *testing.T) {
	t.Parallel()
	const size = docpage.MaxSize / 8
	deep := &strings.Builder{}
	deep.WriteString("## Arguments\n")
	for i := range 500 {
		fmt.Fprintf(deep, "%s* `a` - x\n", strings.Repeat(" ", 2*min(i, 200)))
	}
	many := &strings.Builder{}
	for i := range 5_000 {
		fmt.Fprintf(many, "### Title %d\n* `a` - x\n", i)
	}
	for name, text := range map[string]string{
		"deep":        deep.String(),
		"many":        many.String(),
		"parentheses": "* `a` - " + strings.Repeat("(optional, ", size/12),
		"brackets":    "* " + strings.Repeat("[`", size/3),
		"tags":        strings.Repeat("<!--", size/5),
		"headings":    strings.Repeat("## `a`\n", size/8),
		"names":       "* " + strings.Repeat("`a`,", size/5),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wide := docpage.Shape{"a": nil}
			for i := range 300 {
				wide[fmt.Sprintf("b%d", i)] = docpage.Shape{"a": docpage.Shape{"a": nil}}
			}
			p := docpage.Parse(text)
			checkSize(t, text, p, p.Texts(wide))
		})
	}
}

// checkSize holds that nothing is made up: each text is of the page.
func checkSize(t *testing.T, text string, p *docpage.Page, texts docpage.Texts) {
	t.Helper()
	size := len(p.Intro) + len(p.ImportText)
	for _, s := range p.Sections {
		size += len(s.Title) + len(s.Text)
	}
	for _, i := range p.Imports {
		size += len(i.Type) + len(i.Name) + len(i.ID)
	}
	if size > len(text) {
		t.Errorf("a page of %d bytes says %d", len(text), size)
	}
	const added = 64 // for a sentence of ours
	for path, one := range texts {
		if len(one) > 4*len(text)+added { // tabs become spaces
			t.Errorf("%s has %d bytes, and the page %d", path, len(one), len(text))
		}
	}
}

// FuzzPage reads arbitrary pages. The same page says the same, and no more
// than it has.
func FuzzPage(f *testing.F) {
	for _, name := range []string{"generated.md", "written.md"} {
		src, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Add("# a\n\n* `hull` - (Optional\n  * `paint`:\n```\n* `name`")
	f.Add("## Import\n```\nterraform import a.b c\n## Schema\nThe `hull` block in `deck` supports:\n- `a`, `b`")
	f.Fuzz(func(t *testing.T, text string) {
		s := shape("name kind hull{length paint{colour}} deck{paint{colour} plank{wood}} timeouts{delete}")
		p := docpage.Parse(text)
		texts := p.Texts(s)
		checkSize(t, text, p, texts)
		again := docpage.Parse(text)
		if diff := cmp.Diff(p.Sections, again.Sections) + cmp.Diff(texts, again.Texts(s)); diff != "" {
			t.Error(diff)
		}
		for path := range texts {
			if !has(s, strings.Split(path, ".")) {
				t.Errorf("there is no %s", path)
			}
		}
	})
}

func has(s docpage.Shape, path []string) bool {
	inner, ok := s[path[0]]
	return ok && (len(path) == 1 || has(inner, path[1:]))
}

func TestFence(t *testing.T) {
	t.Parallel()
	var fence docpage.Fence
	var got []bool
	for _, line := range []string{"a", "```", "b", "~~~", "```", "c", "  ~~~~ hcl", "```", "~~~~", "``", "````", "```", "never closed"} {
		got = append(got, fence.Code(line))
	}
	want := []bool{false, true, true, true, true, false, true, true, true, false, true, true, true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
