package parameter_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/bridge/parameter"
)

// TestParseValue reads values as Pulumi's own bridge writes them, and writes
// them as it does.
func TestParseValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]parameter.Parameter{
		`{"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.6.0"}}`: {
			Provider: opentofu("hashicorp", "random"), Version: "3.6.0",
		},
		`{"remote":{"url":"registry.opentofu.org/azure/alz","version":"0.11.1-rc.1"},"includes":["a","b"],"excludes":["c"],"providerName":"other"}`: {
			Provider: opentofu("azure", "alz"), Version: "0.11.1-rc.1",
			Includes: []string{"a", "b"}, Excludes: []string{"c"}, ProviderName: "other",
		},
		`{"local":{"path":"/opt/terraform-provider-x"}}`: {Path: "/opt/terraform-provider-x"},
	} {
		got, err := parameter.ParseValue([]byte(text), workDir)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(text, string(got.Value())); diff != "" {
			t.Error(diff)
		}
	}
}

// TestLenientValue reads what the bridge itself would not write.
func TestLenientValue(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"local":{"path":"./bin/terraform-provider-x"}}`:                             `{"local":{"path":"/home/me/project/bin/terraform-provider-x"}}`,
		`{"remote":{"url":"random","version":"v3.6.0","sha":"1"},"later":{"a":[1]}}`:  `{"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.6.0"}}`,
		` {"local":null,"remote":{"url":"random","version":"3.6.0"},"includes":null}`: `{"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.6.0"}}`,
	} {
		got, err := parameter.ParseValue([]byte(text), workDir)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, string(got.Value())); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                               "cannot be read: unexpected end of JSON input",
		"\xff\x00":                       "invalid character",
		"[]":                             "cannot unmarshal array",
		"{}":                             "it names no provider",
		"null":                           "it names no provider",
		`{"local":{"path":""}}`:          "it names no provider",
		`{"local":{"path":"/opt/time"}}`: "/opt/time cannot be a Terraform provider",
		`{"remote":{"url":"time","version":"1.0.0"},"local":{"path":"terraform-provider-x"}}`: "both",
		`{"remote":{"url":"","version":"1.0.0"}}`:                                             `provider address ""`,
		`{"remote":{"url":"time","version":""}}`:                                              "cannot be read",
		`{"remote":{"url":"time","version":">= 1.0"}}`:                                        "cannot be read",
		`{"remote":{"url":"time","version":"1.0.0"},"includes":["a"],"excludes":["a"]}`:       "Both included and excluded: a",
		`{"remote":{"url":"time","version":"1.0.0"},"providerName":"a:b"}`:                    "No name for a package: a:b",
		`{"remote":{"url":"time","version":"1.0.0"}} trailing`:                                "invalid character",
	} {
		_, err := parameter.ParseValue([]byte(text), workDir)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// FuzzParseValue reads arbitrary bytes. What is accepted is written so that it
// reads the same, and is written the same again.
func FuzzParseValue(f *testing.F) {
	f.Add([]byte(`{"remote":{"url":"registry.opentofu.org/hashicorp/random","version":"3.6.0"},"includes":["a"]}`))
	f.Add([]byte(`{"local":{"path":"../terraform-provider-x"},"providerName":"y"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parameter.ParseValue(data, workDir)
		if err != nil {
			return
		}
		again, err := parameter.ParseValue(p.Value(), "/elsewhere")
		if err != nil {
			t.Fatalf("%s is refused: %v", p.Value(), err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Error(diff)
		}
		if !bytes.Equal(p.Value(), again.Value()) {
			t.Errorf("%s and %s", p.Value(), again.Value())
		}
	})
}
