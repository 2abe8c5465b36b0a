package link

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// bucketSchema has every sort of place that a link can be in.
func bucketSchema() *tfschema.Block {
	destination := blockIn("destination", tfschema.NestingSingle, block([]*tfschema.Attribute{text("bucket"), text("class")}))
	secrets := &tfschema.Object{Nesting: tfschema.NestingSingle, Attributes: []*tfschema.Attribute{text("owner")}}
	rules := blockIn("rules", tfschema.NestingList, block([]*tfschema.Attribute{text("id")}, destination))
	return schema([]*tfschema.Attribute{
		text("name"), text("policy"), typed("peers", cty.Set(cty.String)), typed("by_use", cty.Map(cty.String)),
		typed("limit", cty.Number), typed("anything", cty.DynamicPseudoType),
		{Name: "password", Type: cty.String, Optional: true, Sensitive: true},
		{Name: "hidden", Optional: true, Sensitive: true, Nested: secrets, Type: secrets.ImpliedType()},
		nestedIn("policies", tfschema.NestingMap, text("document"), text("owner")),
	},
		blockIn("logging", tfschema.NestingList, block([]*tfschema.Attribute{text("target_bucket"), text("prefix")})),
		blockIn("replication", tfschema.NestingSingle, block([]*tfschema.Attribute{text("role")}, rules)),
	)
}

func roleSchema() *tfschema.Block {
	return schema([]*tfschema.Attribute{text("name"), typed("number", cty.Number)})
}

const testRules = `
x_bucket = {
  "logging[].target_bucket"     = x_bucket.id
  "peers"                       = x_bucket.id
  "by_use[]"                    = x_bucket.id
  "limit"                       = x_role.number
  "anything"                    = [x_role.number, x_bucket.id]
  "password"                    = x_role.name
  "hidden.owner"                = x_role.name
  "policies[].owner"            = [x_role.name, x_role.arn]
  "policies[].document.Statement[].Resource" = [x_bucket.arn, "${x_bucket.arn}/${any}"]
  "policy.Statement[].Principal.Role" = x_role.arn
  "policy.Statement[].Resource" = [x_bucket.arn, "${x_bucket.arn}/*"]
}

resource "x_bucket" {
  replication {
    role = x_role.arn
    rules {
      destination { bucket = x_bucket.arn }
    }
  }
}
`

func TestLink(t *testing.T) {
	t.Parallel()
	bucket, role := bucketSchema(), roleSchema()
	logs := resource(t, "x_bucket.logs", bucket, values{"id": str("logs"), "arn": str("arn:logs"), "name": str("logs")})
	web := resource(t, "x_role.web", role, values{"id": str("7"), "arn": str("arn:role/web"), "name": str("web"), "number": cty.NumberIntVal(7)})

	cases := map[string]struct {
		state values
		want  string
	}{
		"list block":       {values{"logging": cty.ListVal([]cty.Value{values{"target_bucket": str("logs"), "prefix": str("logs")}.object()})}, "logging {\n    prefix        = \"logs\"\n    target_bucket = x_bucket.logs.id\n  }"},
		"set":              {values{"peers": cty.SetVal(strs("logs", "other"))}, `peers = [x_bucket.logs.id, "other"]`},
		"map values":       {values{"by_use": cty.MapVal(values{"logs": str("logs"), "x": str("y")})}, "by_use = {\n    logs = x_bucket.logs.id\n    x    = \"y\"\n  }"},
		"number":           {values{"limit": cty.NumberIntVal(7)}, "limit = x_role.web.number"},
		"open type":        {values{"anything": cty.NumberIntVal(7)}, "anything = x_role.web.number"},
		"open type, exact": {values{"anything": str("7")}, `anything = "7"`},
		"sensitive":        {values{"password": str("web")}, `password = "web"`},
		"in a secret":      {values{"hidden": values{"owner": str("web")}.object()}, "owner = \"web\""},
		"first of several": {values{"policies": cty.MapVal(values{"owner": values{"owner": str("arn:role/web"), "document": cty.NullVal(cty.String)}.object()})}, "owner = x_role.web.arn"},
		"nested form": {values{"replication": values{"role": str("arn:role/web"), "rules": cty.ListVal([]cty.Value{
			values{"id": str("arn:logs"), "destination": values{"bucket": str("arn:logs"), "class": str("COLD")}.object()}.object(),
		})}.object()}, "replication {\n    role = x_role.web.arn\n\n    rules {\n      id = \"arn:logs\"\n\n      destination {\n        bucket = x_bucket.logs.arn\n        class  = \"COLD\"\n      }"},
		"document":          {values{"policy": str(`{"Statement":[{"Principal":{"Role":["arn:role/web","*"]},"Resource":"arn:logs/*"}]}`)}, "Role = [x_role.web.arn, \"*\"]\n        }\n        Resource = \"${x_bucket.logs.arn}/*\""},
		"lone statement":    {values{"policy": str(`{"Statement":{"Principal":{"Role":"arn:role/web"}}}`)}, "Role = x_role.web.arn"},
		"not canonical":     {values{"policy": str(`{"Statement": {"Principal": {"Role": "arn:role/web"}}}`)}, `policy = "{\"Statement\": {\"Principal\": {\"Role\": \"arn:role/web\"}}}"`},
		"document in a map": {values{"policies": cty.MapVal(values{"document": values{"owner": cty.NullVal(cty.String), "document": str(`{"Statement":[{"Resource":["arn:logs","arn:logs/a/b"]}]}`)}.object()})}, "Resource = [x_bucket.logs.arn, \"${x_bucket.logs.arn}/a/b\"]"},
		"empty":             {values{"logging": cty.ListVal([]cty.Value{values{"target_bucket": str(""), "prefix": str("p")}.object()})}, `target_bucket = ""`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := resource(t, "x_bucket.main", bucket, tc.state)
			original := printed(before)
			result, diags := Link(t.Context(), []Resource{logs, web, before}, parse(t, testRules))
			if len(diags) > 0 {
				t.Fatal(diags.Err())
			}
			if got := printed(result.Resources[2]); !strings.Contains(got, tc.want) {
				t.Errorf("got:\n%s\nwant in it:\n%s", got, tc.want)
			}
			if now := printed(before); now != original {
				t.Errorf("the input changed to:\n%s", now)
			}
		})
	}
}

func TestLinkSaysWhyNot(t *testing.T) {
	t.Parallel()
	bucket, role := bucketSchema(), roleSchema()
	logging := func(target string) values {
		return values{"logging": cty.ListVal([]cty.Value{values{"target_bucket": str(target), "prefix": cty.NullVal(cty.String)}.object()})}
	}
	with := func(v values, more values) values {
		for name, value := range more {
			v[name] = value
		}
		return v
	}
	resources := []Resource{
		resource(t, "x_bucket.a", bucket, with(logging("b"), values{"id": str("a")})),
		resource(t, "x_bucket.b", bucket, with(logging("a"), values{"id": str("b")})),
		resource(t, "x_bucket.c", bucket, with(logging("c"), values{"id": str("c")})),
		resource(t, "x_bucket.d", bucket, with(logging("twin"), values{"id": str("d")})),
		resource(t, "x_bucket.e", bucket, with(logging("gone"), values{"id": str("twin"), "password": str("hunter2")})),
		resource(t, "x_bucket.f", bucket, values{"id": str("twin"), "anything": str("5")}),
		resource(t, "x_role.r", role, values{"number": cty.NumberIntVal(5)}),
	}
	result, diags := Link(t.Context(), resources, parse(t, testRules))
	wantLinks := []string{"x_bucket.a: logging[0].target_bucket = x_bucket.b.id (rules.hcl:3)"}
	if diff := cmp.Diff(wantLinks, madeLines(result)); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	wantSkipped := []string{
		"x_bucket.b: logging[0].target_bucket is no link: x_bucket.a depends on this resource already (rules.hcl:3)",
		"x_bucket.c: logging[0].target_bucket is no link: the value is the resource's own (rules.hcl:3)",
		"x_bucket.d: logging[0].target_bucket is no link: several resources have the value: x_bucket.e, x_bucket.f (rules.hcl:3)",
		"x_bucket.e: password is no link: the value is secret (rules.hcl:8)",
		"x_bucket.e: logging[0].target_bucket is no link: no imported resource has the value (rules.hcl:3)",
		"x_bucket.f: anything is no link: x_role.r has no attribute at its root that could stand for the value (rules.hcl:7)",
	}
	if diff := cmp.Diff(wantSkipped, skippedLines(result)); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	var codes []string
	for _, d := range diags {
		codes = append(codes, d.Code+" "+d.Address)
	}
	if diff := cmp.Diff([]string{"LK0202 x_bucket.b", "LK0201 x_bucket.d"}, codes); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

// TestLinkIdentity finds a resource by its identity and refers to the id,
// because configuration cannot refer to identities.
func TestLinkIdentity(t *testing.T) {
	t.Parallel()
	role := roleSchema()
	target := resource(t, "x_role.r", role, values{"id": str("r-1")})
	target.Identity = values{"key": str("r-1"), "region": str("north")}.object()
	from := resource(t, "x_bucket.b", bucketSchema(), values{"name": str("r-1"), "policy": str("north")})
	rules := parse(t, `x_bucket = {
		name   = x_role.key
		policy = x_role.region
	}`)
	result, _ := Link(t.Context(), []Resource{target, from}, rules)
	if diff := cmp.Diff([]string{"x_bucket.b: name = x_role.r.id (rules.hcl:2)"}, madeLines(result)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(result.Skipped) != 1 || result.Skipped[0].Reason != Unreferable {
		t.Errorf("skipped: %v", skippedLines(result))
	}
}

// TestLinkPrefersStrong keeps what must exist first before what a document
// merely mentions.
func TestLinkPrefersStrong(t *testing.T) {
	t.Parallel()
	bucket := bucketSchema()
	a := resource(t, "x_bucket.a", bucket, values{"id": str("a"), "arn": str("arn:a"), "policy": str(`{"Statement":[{"Resource":"arn:b"}]}`)})
	b := resource(t, "x_bucket.b", bucket, values{"id": str("b"), "arn": str("arn:b"), "peers": cty.SetVal(strs("a"))})
	result, _ := Link(t.Context(), []Resource{a, b}, parse(t, testRules))
	if diff := cmp.Diff([]string{"x_bucket.b: peers[0] = x_bucket.a.id (rules.hcl:4)"}, madeLines(result)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMergeOverrides(t *testing.T) {
	t.Parallel()
	user := parse(t, `x_bucket = {
		"logging.target_bucket" = []
		"peers[]"               = x_role.name
	}`)
	b := resource(t, "x_bucket.b", bucketSchema(), values{
		"logging": cty.ListVal([]cty.Value{values{"target_bucket": str("logs"), "prefix": cty.NullVal(cty.String)}.object()}),
		"peers":   cty.SetVal(strs("logs")),
	})
	logs := resource(t, "x_bucket.logs", bucketSchema(), values{"id": str("logs")})
	role := resource(t, "x_role.logs", roleSchema(), values{"name": str("logs")})
	result, _ := Link(t.Context(), []Resource{b, logs, role}, Merge(user, parse(t, testRules)))
	if diff := cmp.Diff([]string{"x_bucket.b: peers[0] = x_role.logs.name (rules.hcl:3)"}, madeLines(result)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBuiltinParses(t *testing.T) {
	t.Parallel()
	rules := Builtin()
	for _, want := range []string{"estate_instance", "classic_instance", "aws_s3_bucket", "aws_iam_role_policy_attachment", "postgresql_grant"} {
		if len(rules.For(want)) == 0 {
			t.Errorf("no built-in rules for %s", want)
		}
	}
}

// TestSharedValue holds that what is kept of ambiguous values grows with the
// number of references, and not with that of resources for each.
func TestSharedValue(t *testing.T) {
	t.Parallel()
	const n = 300
	resources := shared(t, n)
	for i := range resources { // found by the state and by the identity
		resources[i].Identity = values{"id": str("same")}.object()
	}
	if h, _ := NewIndex(resources, parse(t, testRules)).find(0, &Target{Type: "x_bucket", Attribute: "id"}, "same"); len(h.more) != n-1 {
		t.Errorf("%d holders, want each of %d once", len(h.more)+1, n)
	}
	result, _ := Link(t.Context(), resources, parse(t, testRules))
	if len(result.Skipped) != n {
		t.Fatalf("%d skipped, want %d", len(result.Skipped), n)
	}
	for _, s := range result.Skipped {
		if s.Reason != Ambiguous || cap(s.Candidates) > 2*maxNamed || len(s.Candidates)+s.More != n {
			t.Fatalf("%s: %d candidates kept, and %d more", s.Reason, cap(s.Candidates), s.More)
		}
	}
	want := "several resources have the value: x_bucket.b0, x_bucket.b1, x_bucket.b2, x_bucket.b3, x_bucket.b4 and 295 more"
	if d := cmp.Diff(want, result.Skipped[n-1].Why()); d != "" {
		t.Error(d)
	}
}
