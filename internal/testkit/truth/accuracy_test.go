package truth

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

const smallSource = `
resource "x_net" "a" {
  name = "a"
  size = 1
}
resource "x_host" "b" {
  name   = "b"
  net_id = x_net.a.id
  rule {
    port = 80
  }
  rule {
    port = 443
  }
  secret = var.password
}
`

const smallSchemas = `{"provider_schemas": {"p/x": {"resource_schemas": {
  "x_net": {"block": {"attributes": {
    "id": {"computed": true}, "name": {"required": true}, "size": {"optional": true, "computed": true},
    "friend": {"optional": true}}}},
  "x_host": {"block": {
    "attributes": {"id": {"computed": true}, "name": {"required": true}, "net_id": {"optional": true}, "secret": {"optional": true}},
    "block_types": {"rule": {"block": {"attributes": {"port": {"required": true}, "number": {"computed": true}}}}}}}}}}}`

// small is a module of two resources, and the state that applying it left.
func small(t *testing.T) (Module, []tfcli.Instance, Schemas) {
	t.Helper()
	m := Module{Name: "x", Provider: "p/x", Source: []byte(smallSource), Variables: map[string]string{"password": "hush-hush"}, passwords: map[string]string{"b": "password"}}
	var err error
	if m.Resources, err = derive(m.Source, knowledge{}); err != nil {
		t.Fatal(err)
	}
	schemas, err := m.DecodeSchemas([]byte(smallSchemas))
	if err != nil {
		t.Fatal(err)
	}
	return m, []tfcli.Instance{
		{Address: "x_net.a", Type: "x_net", Name: "a", Values: map[string]any{"id": "net-1", "name": "a", "size": 1}},
		{Address: "x_host.b", Type: "x_host", Name: "b", Values: map[string]any{"id": "host-1"}},
	}, schemas
}

// imported is the same state under the names of an import.
func imported(applied []tfcli.Instance) []tfcli.Instance {
	out := append([]tfcli.Instance{}, applied...)
	out[0].Address, out[0].Name = "x_net.net", "net"
	out[1].Address, out[1].Name = "x_host.host", "host"
	return out
}

// TestCompare measures imports that are whole and imports that are not.
func TestCompare(t *testing.T) {
	t.Parallel()
	whole := strings.NewReplacer(`"x_net" "a"`, `"x_net" "net"`, `"x_host" "b"`, `"x_host" "host"`, "x_net.a.id", "x_net.net.id").Replace(smallSource)
	complete := Accuracy{Attributes: 7, Recovered: 7, Links: 1, LinksFound: 1}
	for name, c := range map[string]struct {
		replace []string
		want    func(*Accuracy)
	}{
		"whole": {},
		"a default, a value and an element lost": {
			replace: []string{"  size = 1\n", "", "port = 80", "port = 8080", `name = "a"`, `name = "z"`},
			want: func(a *Accuracy) {
				a.Recovered, a.Lost = 4, []string{"x_net.a name", "x_net.a size", "x_host.b rule[].port"}
			},
		},
		"written too much": {
			replace: []string{"  size = 1\n", "  size = 1\n  id = \"net-1\"\n", "port = 80", "port = 80\n    number = 1"},
			want: func(a *Accuracy) {
				a.Extra, a.ComputedOnly = []string{"x_net.a id"}, []string{"x_host.host.rule[].number", "x_net.net.id"}
			},
		},
		"a link as a literal": {
			replace: []string{"x_net.net.id", `"net-1"`},
			want: func(a *Accuracy) {
				a.LinksFound, a.LinksMissing = 0, []string{"x_host.host net_id = x_net.net.id"}
			},
		},
		"a circle": {
			replace: []string{"  size = 1\n", "  size = 1\n  friend = x_host.host.id\n"},
			want: func(a *Accuracy) {
				a.Extra, a.LinksWrong = []string{"x_net.a friend"}, []string{"x_net.net friend = x_host.host.id"}
				a.Cycles = []string{"x_host.host", "x_net.net"}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, applied, schemas := small(t)
			text := strings.NewReplacer(c.replace...).Replace(whole)
			got, err := m.Compare(applied, Import{
				Files: map[string]string{"main.tf": text, "secrets.auto.tfvars": `password = "hush-hush"`, "report.json": "{"},
				State: imported(applied),
			}, schemas)
			if err != nil {
				t.Fatal(err)
			}
			want := complete
			if c.want != nil {
				c.want(&want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompareNamesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	m, applied, schemas := small(t)
	_, err := m.Compare(applied, Import{State: imported(applied)[:1]}, schemas)
	if err == nil || err.Error() != "x_host.b is not in both states" {
		t.Errorf("got %v", err)
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	secrets, err := Secrets([]byte(`{"db_users": [{"name": "u", "password": "hush-hush"}, {"password": ""}], "instances": [{"api_token": "t0ken"}, {"api_token": "t0ken"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"hush-hush", "t0ken"}, secrets); diff != "" {
		t.Error(diff)
	}
	files := map[string]string{
		"main.tf": "password = hush-hush", "terraform.tfstate": "hush-hush", "a.auto.tfvars": "t0ken", "stdout": "all is well",
	}
	if diff := cmp.Diff([]string{`main.tf holds the secret "hush-hush"`}, Leaks(secrets, files)); diff != "" {
		t.Error(diff)
	}
}

func TestFillIn(t *testing.T) {
	t.Parallel()
	m, _, _ := small(t)
	text := "# host_b_secret = nothing\nother         = \"x\"\nhost_b_secret = \"REPLACE_ME\"\n"
	got, err := m.FillIn(text, []StandIn{{Name: "host_b_secret", Owner: "x_host.b", Path: "secret"}})
	if want := strings.Replace(text, `= "REPLACE_ME"`, `= "hush-hush"`, 1); err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	for _, s := range []StandIn{{Name: "host_b_secret", Owner: "x_net.a"}, {Name: "unheard_of", Owner: "x_host.b"}} {
		if _, err := m.FillIn(text, []StandIn{s}); err == nil {
			t.Errorf("%+v was filled in", s)
		}
	}
}

func TestInventory(t *testing.T) {
	t.Parallel()
	m, _, _ := small(t)
	dump := []byte(`{"hosts": [{"id": "host-1"}, {"id": "host-2"}], "nets": [{"id": "net-1"}]}`)
	all, err := m.Inventory(dump)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Item{{"x_host", "host-1"}, {"x_host", "host-2"}, {"x_net", "net-1"}}, all); diff != "" {
		t.Error(diff)
	}
	nets, err := m.Inventory(dump, "net")
	if want := "{\"type\": \"x_net\", \"id\": \"net-1\"}\n"; err != nil || JSONLines(nets) != want {
		t.Errorf("got %q, %v", JSONLines(nets), err)
	}
}
