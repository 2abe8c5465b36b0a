package link

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// shelf is a decoder of schemas that are there already.
type shelf map[string]*tfschema.Block

func (s shelf) Names(kind tfschema.Kind) []string {
	var names []string
	if kind == tfschema.KindResource {
		for name := range s {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (s shelf) Schema(kind tfschema.Kind, name string) (*tfschema.Schema, error) {
	if block := s[name]; block != nil && kind == tfschema.KindResource {
		return &tfschema.Schema{Block: block}, nil
	}
	return nil, nil
}

func (s shelf) IdentityNames() []string { return []string{"x_role"} }
func (s shelf) Identity(name string) (*tfschema.Identity, error) {
	if name != "x_role" {
		return nil, nil
	}
	return &tfschema.Identity{Attributes: []*tfschema.IdentityAttribute{{Name: "account", Type: cty.String}}}, nil
}
func (s shelf) FunctionNames() []string                     { return nil }
func (s shelf) Function(string) (*tfschema.Function, error) { return nil, nil }
func (s shelf) Capabilities() (none tfschema.Capabilities)  { return none }

func TestCheck(t *testing.T) {
	t.Parallel()
	bucket := bucketSchema()
	bucket.Attributes = sorted(append(bucket.Attributes,
		typed("public", cty.Bool), typed("servers", cty.List(cty.Object(map[string]cty.Type{"role": cty.String})))))
	catalog := tfschema.NewCatalog(shelf{"x_bucket": bucket, "x_role": roleSchema()})
	cases := map[string]struct{ src, want string }{
		"right":           {strings.NewReplacer(`"password"  `, `"name"      `, `"hidden.owner"`, `"policies[].owner.a"`).Replace(testRules), ""},
		"identity":        {`x_bucket = { name = x_role.account }`, ""},
		"of a list":       {`x_bucket = { "servers.role" = x_role.id, "anything.at.all" = x_role.id }`, ""},
		"unknown type":    {`x_buckt = { name = x_role.id }`, `LK0101 1:13 Unknown resource type "x_buckt": The provider has no such resource type. Did you mean "x_bucket"?`},
		"unknown target":  {`x_bucket = { name = x_rolle.id }`, "LK0101 1:21"},
		"foreign type":    {`y_bucket = { name = x_role.id }`, "LK0102 1:14"},
		"unknown name":    {`x_bucket = { nam = x_role.id }`, `LK0104 1:14 x_bucket has no nam: There is no "nam" at this place. Did you mean "name"?`},
		"in a block":      {`x_bucket = { "logging[].target" = x_role.id }`, "LK0104 1:14"},
		"in a nested one": {`x_bucket = { "policies[].ower" = x_role.id }`, `Did you mean "owner"?`},
		"in an object":    {`x_bucket = { "servers[].rule" = x_role.id }`, `Did you mean "role"?`},
		"below a number":  {`x_bucket = { "limit.x" = x_role.id }`, "LK0104"},
		"whole block":     {`x_bucket = { replication = x_role.id }`, "LK0105 1:14 Path does not lead to a value: replication is a whole object, which cannot be a link. Go on to an attribute of it, such as replication.role."},
		"whole attribute": {`x_bucket = { "policies[]" = x_role.id }`, "LK0105"},
		"whole object":    {`x_bucket = { "servers[]" = x_role.id }`, "LK0105"},
		"whole map":       {`x_bucket = { by_use = x_role.id }`, "LK0106"},
		"one key":         {`x_bucket = { "by_use.logs" = x_role.id }`, ""},
		"computed":        {`x_bucket = { id = x_role.id }`, "LK0107 1:14 Rule has no effect: x_bucket.id: id is set by the provider alone"},
		"secret":          {`x_bucket = { password = x_role.id }`, "secrets are not looked at"},
		"bool":            {`x_bucket = { public = x_role.id }`, "it is true or false"},
		"no attribute":    {`x_bucket = { name = x_role.nam }`, `LK0108 1:21 x_role has no attribute "nam": Links are to attributes at the root of a resource. Did you mean "name"?`},
		"target a block":  {`x_bucket = { name = x_bucket.logging }`, "LK0109 1:21"},
		"target secret":   {`x_bucket = { name = x_bucket.password }`, "it is secret"},
		"within":          {`x_bucket = { name = x_role[name].id }`, ""},
		"within identity": {`x_bucket = { name = x_role[{ account = policy }].id }`, ""},
		"within nothing":  {`x_bucket = { name = x_role[policy].id }`, `LK0110 1:21 x_role has no attribute "policy"`},
		"without ours":    {`x_bucket = { name = x_role[number].id }`, `LK0110 1:21 x_bucket has no attribute "number"`},
		"within a secret": {`x_bucket = { name = x_bucket[password].id }`, "LK0111 1:21 Resources cannot be compared by x_bucket.password: The attribute cannot stand in brackets: it is secret."},
		"target a set":    {`x_bucket = { name = x_bucket.peers }`, "it is a set of string"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := lines(Check(parse(t, tc.src), catalog))
			if tc.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || tc.want == "" || !strings.Contains(got[0], tc.want) {
				t.Errorf("got:\n%s\nwant one with:\n%s", strings.Join(got, "\n"), tc.want)
			}
		})
	}
}

// TestBuiltinFitsProviders asks real providers whether the rules for them
// are right.
func TestBuiltinFitsProviders(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			binary := "terraform-provider-" + name
			p := tfprovider.Launch(tfprovider.Config{Name: binary, Path: build.Binary(t, binary), Env: os.Environ()})
			t.Cleanup(func() { _ = p.Close() })
			catalog, diags := p.Schema(t.Context())
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			own := &Rules{byType: map[string][]*Rule{}}
			for _, resourceType := range Builtin().Types() {
				if strings.HasPrefix(resourceType, name+"_") {
					own.byType[resourceType] = Builtin().For(resourceType)
				}
			}
			if diff := cmp.Diff([]string(nil), lines(Check(own, catalog))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(own.byType) < 8 {
				t.Errorf("rules for %d types only", len(own.byType))
			}
		})
	}
}
