package write

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ident"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func object(texts map[string]string) cty.Value {
	vals := map[string]cty.Value{}
	for name, text := range texts {
		vals[name] = cty.StringVal(text)
	}
	return cty.ObjectVal(vals)
}

func tagged(name string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("x"), "tags": cty.MapVal(map[string]cty.Value{"Name": cty.StringVal(name)})})
}

func TestNames(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		hints []NameHint
		want  []string
	}{
		"the user's wish is kept":   {[]NameHint{{Type: "x_net", Wanted: "My-Net_1", DisplayName: "other"}}, []string{"My-Net_1"}},
		"a wish that is no name":    {[]NameHint{{Type: "x_net", Wanted: "my net!"}}, []string{"my_net"}},
		"a name tag":                {[]NameHint{{Type: "x_net", State: tagged("Prod VPC")}}, []string{"prod_vpc"}},
		"the name":                  {[]NameHint{{Type: "x_net", State: object(map[string]string{"name": "main", "id": "net-1"}), DisplayName: "net-1"}}, []string{"main"}},
		"the attribute of the noun": {[]NameHint{{Type: "x_s3_bucket", State: object(map[string]string{"bucket": "logs", "id": "logs"})}}, []string{"logs"}},
		"the noun's name":           {[]NameHint{{Type: "x_lambda_function", State: object(map[string]string{"function_name": "resize"})}}, []string{"resize"}},
		"no document": {[]NameHint{
			{Type: "x_bucket_policy", ID: "web", State: object(map[string]string{"policy": `{"Statement": [{"Action": ["s3:GetObject"]}]}`})},
			{Type: "x_script", ID: "boot", State: object(map[string]string{"script": "#!/bin/sh\nset -e\n"}), DisplayName: `["a"]`},
			{Type: "x_net", State: object(map[string]string{"name": "[prod] core"})},
		}, []string{"web", "boot", "prod_core"}},
		"metadata of one member":      {[]NameHint{{Type: "k_pod", State: cty.ObjectVal(map[string]cty.Value{"metadata": cty.ListVal([]cty.Value{object(map[string]string{"name": "web"})})})}}, []string{"web"}},
		"the display name":            {[]NameHint{{Type: "x_net", DisplayName: "Main Network", ID: "net-1"}}, []string{"main_network"}},
		"the identity without scopes": {[]NameHint{{Type: "x_net", Identity: object(map[string]string{"region": "eu", "vpc": "core", "part": "a"})}}, []string{"a_core"}},
		"the end of an ARN":           {[]NameHint{{Type: "x_role", ID: "arn:aws:iam::123456789012:role/admin"}}, []string{"admin"}},
		"a readable id":               {[]NameHint{{Type: "x_grant", ID: "sales_reader"}}, []string{"sales_reader"}},
		"a leading digit":             {[]NameHint{{Type: "x_bucket", ID: "2024-logs"}}, []string{"bucket_2024_logs"}},
		"another script":              {[]NameHint{{Type: "x_bucket", DisplayName: "東京", ID: "tokyo"}}, []string{"tokyo"}},
		"opaque ids":                  {[]NameHint{{Type: "x_security_group", ID: "sg-0a1b2c3d4e5f60718", DisplayName: "sg-0a1b2c3d4e5f60718"}}, []string{"security_group_f60718"}},
		"an id of short parts":        {[]NameHint{{Type: "x_integer", ID: "15,1,100"}, {Type: "x_integer", ID: "115,1,100"}}, []string{"integer_15_1_100", "integer_115_1_100"}},
		"an address":                  {[]NameHint{{Type: "x_range", ID: "10.0.0.0/8"}}, []string{"range_10_0_0_0_8"}},
		"an id of long parts":         {[]NameHint{{Type: "x_key", ID: "6f9619ff-8b86-d011-b42d-00cf4fc964ff"}}, []string{"key_c964ff"}},
		"nothing at all":              {[]NameHint{{Type: "x_thing"}, {Type: "x_thing"}}, []string{"thing", "thing_2"}},
		"the same in two types":       {[]NameHint{{Type: "x_a", ID: "web"}, {Type: "x_b", ID: "web"}}, []string{"web", "web"}},
		"told apart by place": {
			[]NameHint{
				{Type: "x_table", ID: "sales.public", State: object(map[string]string{"name": "public", "database": "sales"})},
				{Type: "x_table", ID: "hr.public", State: object(map[string]string{"name": "public", "database": "hr"})},
			}, []string{"public_sales", "public_hr"},
		},
		"told apart by kind": {
			[]NameHint{
				{Type: "x_record", ID: "1", State: object(map[string]string{"name": "www.example.com", "zone": "z", "type": "A"})},
				{Type: "x_record", ID: "2", State: object(map[string]string{"name": "www.example.com", "zone": "z", "type": "MX"})},
			}, []string{"www_example_com_a", "www_example_com_mx"},
		},
		"sensitive attributes are not used": {
			[]NameHint{{
				Type: "x_user", ID: "u1", State: object(map[string]string{"name": "secret", "title": "boss"}),
				Schema: &tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "name", Type: cty.String, Sensitive: true}}},
			}}, []string{"boss"},
		},
		"the earlier name": {
			[]NameHint{{Type: "x_net", ID: "a", DisplayName: "web"}, {Type: "x_net", ID: "b", DisplayName: "db", Earlier: "web"}}, []string{"web_a", "web"},
		},
		"the earlier name, in another type": {
			[]NameHint{{Type: "x_net", ID: "a", Wanted: "web"}, {Type: "x_role", ID: "b", Earlier: "web"}}, []string{"web", "web"},
		},
		"a wish goes before an earlier name": {[]NameHint{{Type: "x_net", ID: "a", Wanted: "db", Earlier: "web"}}, []string{"db"}},
		"an earlier name wished for another": {
			[]NameHint{{Type: "x_net", ID: "a", Earlier: "web"}, {Type: "x_net", ID: "b", Wanted: "web"}}, []string{"a", "web"},
		},
		"earlier names that were exchanged": {
			[]NameHint{{Type: "x_net", ID: "a", Earlier: "web", Wanted: "db"}, {Type: "x_net", ID: "b", Earlier: "db", Wanted: "web"}}, []string{"db", "web"},
		},
		"what repeats a secret is not used": {
			[]NameHint{
				{
					Type: "x_user", ID: "sha256:deadbeef", DisplayName: "open sesame", Secrets: []string{"open sesame", "pin"},
					Identity: object(map[string]string{"key": "sha256:deadbeef", "part": "pin"}),
					State:    object(map[string]string{"name": "The open sesame", "title": "pin", "label": "open"}),
				},
				{Type: "x_role", ID: "sha256:deadbeef", DisplayName: "open sesame", Secrets: []string{"open sesame"}},
			}, []string{"open", "role_adbeef"},
		},
		"a wish is served first": {
			[]NameHint{{Type: "x_net", ID: "a", DisplayName: "web"}, {Type: "x_net", ID: "b", Wanted: "web"}}, []string{"web_a", "web"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(tt.want, Names(tt.hints, nil)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestNamesOfOthers gives no resource the address of somebody's block, unless
// it has that already, or the user says so.
func TestNamesOfOthers(t *testing.T) {
	t.Parallel()
	taken := func(addr tfaddr.Resource) bool { return addr.Type == "x_net" && addr.Name == "web" }
	for name, tt := range map[string]struct {
		hint NameHint
		want string
	}{
		"found":         {NameHint{Type: "x_net", DisplayName: "web", ID: "1"}, "web_1"},
		"another type":  {NameHint{Type: "x_role", DisplayName: "web", ID: "1"}, "web"},
		"wanted":        {NameHint{Type: "x_net", DisplayName: "site", Wanted: "web", ID: "1"}, "web"},
		"from earlier":  {NameHint{Type: "x_net", DisplayName: "site", Earlier: "web", ID: "1"}, "web"},
		"told by place": {NameHint{Type: "x_net", DisplayName: "web", ID: "1", State: object(map[string]string{"zone": "eu"})}, "web_eu"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff([]string{tt.want}, Names([]NameHint{tt.hint}, taken)); d != "" {
				t.Error(d)
			}
		})
	}
}

func FuzzNames(f *testing.F) {
	f.Add("web,web,db,", "a1,b2", uint64(1))
	f.Add("東京,10.0.0.0/8,sg-0a1b2c3d4e5f", "arn:a:b/c", uint64(2))
	f.Fuzz(func(t *testing.T, names, ids string, seed uint64) {
		var hints []NameHint
		idList := strings.Split(ids, ",")
		for i, name := range strings.Split(names, ",") {
			hints = append(hints, NameHint{
				Type: []string{"x_net", "x_role"}[i%2], DisplayName: name, ID: idList[i%len(idList)] + strings.Repeat("x", i),
				State: object(map[string]string{"zone": idList[0], "title": name}),
			})
		}
		byHint := map[string]string{}
		seen := map[string]bool{}
		for i, name := range Names(hints, nil) {
			if key := hints[i].Type + "." + name; !ident.Valid(name) || seen[key] {
				t.Fatalf("%s is not valid or there twice", key)
			} else {
				seen[key] = true
			}
			byHint[keyOf(hints[i])+hints[i].Type] = name
		}
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(hints), func(i, j int) { hints[i], hints[j] = hints[j], hints[i] })
		for i, name := range Names(hints, nil) {
			if want := byHint[keyOf(hints[i])+hints[i].Type]; want != name {
				t.Fatalf("%q, in another order %q", want, name)
			}
		}
	})
}
