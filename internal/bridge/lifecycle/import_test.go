package lifecycle_test

import (
	"testing"

	"github.com/formation-iac/formation/internal/testkit/estate"
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
