package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// TestImportEstate imports everything of an estate that grew wild, through
// both protocols: a program of what comes back is to change nothing.
func TestImportEstate(t *testing.T) {
	t.Parallel()
	types := map[string]string{
		"networks": "test:index/network:Network", "subnets": "test:index/subnet:Subnet",
		"security_groups": "test:index/securityGroup:SecurityGroup", "roles": "test:index/role:Role",
		"buckets": "test:index/bucket:Bucket", "bucket_objects": "test:index/bucketObject:BucketObject",
		"instances": "test:index/instance:Instance", "dns_records": "test:index/dnsRecord:DnsRecord",
	}
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, name, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
			for kind, token := range types {
				objects, _, err := w.estate.Store.Page(kind, nil, 0, 10)
				must(t, err)
				for _, o := range objects {
					w.unchanged(t, w.imported(t, token, o["id"].(string)))
				}
			}
		})
	}
}

// TestSettled names the defaults that the provider plans and never reads, and
// nothing where they would not stay. Timeouts are imported as the older SDKs
// do: as an object of nothing, which no plan keeps.
func TestSettled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forgets bool // at the next read
		want    []string
	}{
		"kept":      {false, []string{"LC0022"}},
		"forgotten": {true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			none := cty.NullVal(cty.String)
			found := f.thing(map[string]cty.Value{
				"id": cty.StringVal("x"), "arn": cty.StringVal("a"), "zone": cty.StringVal("z"),
				"timeouts": cty.ObjectVal(map[string]cty.Value{"create": none, "delete": none, "update": none}),
			})
			f.imported = func(tfprovider.ImportRequest) ([]tfprovider.Imported, diag.List) {
				return []tfprovider.Imported{{TypeName: "test_thing", State: found}}, nil
			}
			f.planned = func(req tfprovider.PlanRequest, resp *tfprovider.PlanResponse) diag.List {
				if !req.Prior.IsNull() {
					filled := with(req.Prior, "size", cty.NumberIntVal(3))
					resp.Planned, resp.RequiresReplace = with(filled, "timeouts", cty.NullVal(filled.GetAttr("timeouts").Type())), nil
				}
				return nil
			}
			f.read = func(_ tfprovider.ReadRequest, resp *tfprovider.ReadResponse) diag.List {
				if test.forgets {
					resp.State = found
				}
				return nil
			}
			w := faked(t, f)
			got := w.imported(t, thingToken, "x")
			if size := got.outputs.Get("size"); size.IsNull() != test.forgets {
				t.Errorf("size is %#v", size)
			}
			if diff := cmp.Diff(test.want, w.log.codes()); diff != "" {
				t.Fatalf("warnings (-want +got):\n%s", diff)
			}
			if len(test.want) > 0 && !strings.Contains(w.log.warnings[0].Detail, "The provider sets size whatever") {
				t.Errorf("got %v", w.log.warnings[0])
			}
		})
	}
}
