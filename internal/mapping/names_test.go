package mapping

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCamel(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "", "a": "a", "foo_bar": "fooBar", "foo_bar_2_b": "fooBar2B", "_foo_bar": "_fooBar", "__a": "__a",
		"foo_": "foo_", "foo_bar_": "fooBar_", "_": "__", "a__b": "aB", "fooBar": "fooBar", "foo_Bar": "fooBar", "foo-bar": "foo-bar", "é_é": "éé",
	} {
		if got := camel(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestPropertyName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		list   bool
		others []string
		want   string
	}{
		{"foo_bar", false, nil, "fooBar"},
		{"foo_bar", true, nil, "fooBars"},
		{"foo_bar", true, []string{"foo_bars"}, "fooBar"},
		{"foo_bars", true, nil, "fooBars"},
		{"policy", true, nil, "policies"},
		{"status", true, nil, "statuses"},
		{"security_group_ids", true, nil, "securityGroupIds"},
		{"network_data", true, nil, "networkDatas"},
		{"address:", false, nil, "address"},
	} {
		got := propertyName(test.name, test.list, func(name string) bool { return slices.Contains(test.others, name) })
		if got != test.want {
			t.Errorf("%s, list %t, beside %v: got %q, want %q", test.name, test.list, test.others, got, test.want)
		}
	}
}

func TestTypeName(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		prefix, property string
		list             bool
		want             string
	}{
		{"Instance", "disks", true, "InstanceDisk"},
		{"Instance", "disks", false, "InstanceDisks"},
		{"getThing", "policies", true, "getThingPolicy"},
		{"A", "_private", false, "A_Private"},
		{"A", "foo-bar", false, "AFooBar"},
		{"", "1st", false, "OneSt"},
	} {
		if got := tokenName(typeName(test.prefix, test.property, test.list)); got != test.want {
			t.Errorf("%+v: got %q", test, got)
		}
	}
}

// FuzzNames holds what names must be, whatever a provider calls things.
func FuzzNames(f *testing.F) {
	for _, name := range []string{"foo_bar", "_", "1", "é", "a-b", "status", "pulumi", "A__b_"} {
		f.Add(name, "x")
	}
	f.Fuzz(func(t *testing.T, name, prefix string) {
		if !utf8.ValidString(name) || name == "" {
			t.Skip("providers' names are checked when they are decoded")
		}
		if got := camel(name); strings.Contains(strings.Trim(got, "_"), "_") {
			t.Errorf("%q in camel case is %q", name, got)
		}
		if got := tokenName(typeName("", name, true)); strings.ContainsFunc(got, func(r rune) bool { return r > '~' || r == '-' || r == ':' || r == '/' }) {
			t.Errorf("the type of %q is %q", name, got)
		}
		if got := letterFirst(memberName(name, prefix)); got == "" || '0' <= got[0] && got[0] <= '9' {
			t.Errorf("the member %q of %q is %q", name, prefix, got)
		}
	})
}
