package ident

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func TestCasings(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, snake, kebab, camel, pascal string }{
		{"web server", "web_server", "web-server", "webServer", "WebServer"},
		{"HTTPServer2Go", "http_server2_go", "http-server2-go", "httpServer2Go", "HttpServer2Go"},
		{"already_snake_case", "already_snake_case", "already-snake-case", "alreadySnakeCase", "AlreadySnakeCase"},
		{"  --a..b//c--", "a_b_c", "a-b-c", "aBC", "ABC"},
		{"", "", "", "", ""},
		{"東京", "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got := []string{Snake(tt.in), Kebab(tt.in), Camel(tt.in), Pascal(tt.in)}
			if d := cmp.Diff([]string{tt.snake, tt.kebab, tt.camel, tt.pascal}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"Café Zürich":             "cafe_zurich",
		"Łódź":                    "lodz",
		"straße":                  "strasse",
		"Москва":                  "moskva",
		"Αθήνα":                   "athina",
		"Йод":                     "yod",
		"don’t":                   "dont",
		"don't":                   "dont",
		"2024-logs":               "_2024_logs",
		"ﬁle①":                    "file1",
		"東京 office":               "office",
		"__x__":                   "x",
		"***":                     "",
		strings.Repeat("ab_", 40): strings.TrimRight(strings.Repeat("ab_", 21), "_"),
		strings.Repeat("a", 100):  strings.Repeat("a", 64),
	}
	for in, want := range tests {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOpaque(t *testing.T) {
	t.Parallel()
	tests := map[string]bool{
		"6f1b7a52-9c1e-4f0e-8a7b-1f2d3c4b5a69": true,
		"sg-0a1b2c3d4e5f60718":                 true,
		"i-1234567890abcdef0":                  true,
		"123456789012":                         true,
		"d41d8cd98f00b204e9800998ecf8427e":     true,
		"Z08341242ABCDEFGHIJKL":                true,
		"web":                                  false,
		"web-2024":                             false,
		"logs-archive-123456789012":            false,
		"kubernetes2024":                       false,
		"db01":                                 false,
		"logs-20240101":                        false,
		"logs-123456789012":                    false,
		"x-123456":                             true,
		"subnet-0a12bc34de":                    true,
		"deadline":                             false,
		"facade":                               false,
		"production-database":                  false,
		"":                                     false,
		"10.0.0.0/16":                          true,
	}
	for in, want := range tests {
		if got := Opaque(in); got != want {
			t.Errorf("Opaque(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestUnique(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		wishes   []Wish
		reserved []string
		want     []string
	}{
		"distinct names stay": {
			wishes: []Wish{{Key: "1", Base: "a"}, {Key: "2", Base: "b"}},
			want:   []string{"a", "b"},
		},
		"hints tell apart": {
			wishes: []Wish{{Key: "1", Base: "web", Hints: hinting("x", "eu-west-1a")}, {Key: "2", Base: "web", Hints: hinting("x", "eu-west-1b")}},
			want:   []string{"web_eu_west_1a", "web_eu_west_1b"},
		},
		"numbers last, by key": {
			wishes: []Wish{{Key: "z", Base: "web"}, {Key: "a", Base: "web"}, {Key: "m", Base: "web"}},
			want:   []string{"web_3", "web", "web_2"},
		},
		"a derived name never takes a base": {
			wishes: []Wish{{Key: "1", Base: "web"}, {Key: "2", Base: "web"}, {Key: "3", Base: "web_2"}},
			want:   []string{"web", "web_3", "web_2"},
		},
		"pinned first": {
			wishes: []Wish{{Key: "1", Base: "web"}, {Key: "2", Base: "web", Pinned: true}},
			want:   []string{"web_2", "web"},
		},
		"reserved words": {
			wishes:   []Wish{{Key: "1", Base: "count"}},
			reserved: []string{"count"},
			want:     []string{"count_2"},
		},
		"empty base": {
			wishes: []Wish{{Key: "1"}, {Key: "2"}},
			want:   []string{"_", "__2"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Unique(tt.wishes, func(n string) bool { return slices.Contains(tt.reserved, n) })
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUniqueIgnoresOrder(t *testing.T) {
	t.Parallel()
	var wishes []Wish
	for i := range 60 {
		wishes = append(wishes, Wish{
			Key: fmt.Sprint(i), Base: []string{"web", "db", "web_2", "x"}[i%4],
			Hints: hinting(fmt.Sprint("zone ", i%7)), Pinned: i%11 == 0,
		})
	}
	want := map[string]string{}
	for i, name := range Unique(wishes, nil) {
		want[wishes[i].Key] = name
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		random.Shuffle(len(wishes), func(i, j int) { wishes[i], wishes[j] = wishes[j], wishes[i] })
		got := map[string]string{}
		for i, name := range Unique(wishes, nil) {
			got[wishes[i].Key] = name
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	}
}

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"", "web server", "2x", "Ünïcode", "東京", "ΆΈ", "a\xffb", "İstanbul", "ǅ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Slug(s)
		if got == "" {
			return
		}
		if !Valid(got) || !hclsyntax.ValidIdentifier(got) || len(got) > MaxLength {
			t.Fatalf("Slug(%q) = %q", s, got)
		}
		if again := Slug(got); again != got {
			t.Fatalf("Slug(%q) = %q, again %q", s, got, again)
		}
	})
}

func FuzzUnique(f *testing.F) {
	f.Add("web,web,db", "a,b,c")
	f.Add("a,a_2,a,a_b", "b,b,b,b")
	f.Fuzz(func(t *testing.T, bases, hints string) {
		var wishes []Wish
		hs := strings.Split(hints, ",")
		for i, b := range strings.Split(bases, ",") {
			wishes = append(wishes, Wish{Key: fmt.Sprint(i), Base: Slug(b), Hints: hinting(hs[i%len(hs)])})
		}
		seen := map[string]bool{}
		for _, name := range Unique(wishes, nil) {
			if seen[name] || !Valid(name) || len(name) > MaxLength {
				t.Fatalf("%q taken twice or invalid: %v", name, wishes)
			}
			seen[name] = true
		}
	})
}

func hinting(texts ...string) func() []string { return func() []string { return texts } }
