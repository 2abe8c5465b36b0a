package tfaddr_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func TestParseProvider(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		want tfaddr.Provider
		err  string
	}{
		"type":           {in: "aws", want: tfaddr.Provider{Host: "registry.opentofu.org", Namespace: "hashicorp", Type: "aws"}},
		"namespace":      {in: "acme/demo", want: tfaddr.Provider{Host: "registry.opentofu.org", Namespace: "acme", Type: "demo"}},
		"whole":          {in: "registry.terraform.io/acme/demo", want: tfaddr.Provider{Host: "registry.terraform.io", Namespace: "acme", Type: "demo"}},
		"upper case":     {in: "Registry.Example/ACME/Demo", want: tfaddr.Provider{Host: "registry.example", Namespace: "acme", Type: "demo"}},
		"port":           {in: "localhost:8443/acme/demo", want: tfaddr.Provider{Host: "localhost:8443", Namespace: "acme", Type: "demo"}},
		"standard port":  {in: "registry.example:443/acme/demo", want: tfaddr.Provider{Host: "registry.example", Namespace: "acme", Type: "demo"}},
		"unicode":        {in: "café.example/acme/demo", want: tfaddr.Provider{Host: "café.example", Namespace: "acme", Type: "demo"}},
		"empty":          {in: "", err: "invalid type"},
		"four parts":     {in: "a/b/c/d", err: "4 parts"},
		"empty part":     {in: "acme/", err: "invalid type"},
		"dot":            {in: "acme/..", err: "invalid type"},
		"bad namespace":  {in: "a b/demo", err: "invalid namespace"},
		"bad host":       {in: "a b/acme/demo", err: "invalid host"},
		"punycode host":  {in: "xn--caf-dma.example/acme/demo", err: "invalid host"},
		"long label":     {in: strings.Repeat("r", 80) + "é.example/acme/demo", err: "invalid host"},
		"long host":      {in: strings.Repeat("abc.", 80) + "example/acme/demo", err: "invalid host"},
		"scheme as host": {in: "https:/acme/demo", err: "invalid host"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tfaddr.ParseProvider(c.in)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v, %v", got, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestProviderStrings(t *testing.T) {
	t.Parallel()
	p := tfaddr.Provider{Host: "registry.example", Namespace: "acme", Type: "demo"}
	for got, want := range map[string]string{
		p.String():          `registry.example/acme/demo`,
		p.StateString(""):   `provider["registry.example/acme/demo"]`,
		p.StateString("eu"): `provider["registry.example/acme/demo"].eu`,
		tfaddr.Resource{Mode: tfaddr.Managed, Type: "a_b", Name: "c"}.String(): `a_b.c`,
		tfaddr.Resource{Mode: tfaddr.Data, Type: "a_b", Name: "c"}.String():    `data.a_b.c`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if p.IsZero() || !(tfaddr.Provider{}).IsZero() {
		t.Error("IsZero")
	}
}

// FuzzParseProvider holds that what is read reads as itself once written, and
// can be a path on disk that leads nowhere else.
func FuzzParseProvider(f *testing.F) {
	for _, seed := range []string{"aws", "acme/demo", "localhost:8443/acme/demo", "café.example/acme/demo", "../x/y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := tfaddr.ParseProvider(text)
		if err != nil {
			return
		}
		again, err := tfaddr.ParseProvider(p.String())
		if err != nil || again != p {
			t.Errorf("%q gave %v, which reads as %v, %v", text, p, again, err)
		}
		for _, part := range []string{p.Host, p.Namespace, p.Type} {
			if part == "" || part == "." || part == ".." || strings.ContainsAny(part, "/\\\x00") {
				t.Errorf("%q gave the part %q", text, part)
			}
		}
	})
}
