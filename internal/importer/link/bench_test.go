package link

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// estateOf is n resources that refer to each other in all sorts of places:
// one in three is a role, the others are buckets. Real resources are made one
// after the other, so most refer back; tangled says that they refer anywhere.
func estateOf(t testing.TB, n int, tangled bool) []Resource {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	bucket, role := bucketSchema(), roleSchema()
	out := make([]Resource, n)
	for i := range out {
		other := func(kind string) string {
			most := n
			if !tangled && r.IntN(50) > 0 {
				most = max(i, 3)
			}
			if kind == "role" {
				return fmt.Sprintf("role-%d", 3*r.IntN(most/3))
			}
			return fmt.Sprintf("bucket-%d", 3*r.IntN(most/3)+1+r.IntN(2))
		}
		if i%3 == 0 {
			name := fmt.Sprintf("role-%d", i)
			out[i] = resource(t, fmt.Sprintf("x_role.r%d", i), role, values{
				"id": str(name), "arn": str("arn:" + name), "name": str(name), "number": cty.NumberIntVal(int64(i)),
			})
			continue
		}
		name := fmt.Sprintf("bucket-%d", i)
		out[i] = resource(t, fmt.Sprintf("x_bucket.b%d", i), bucket, values{
			"id": str(name), "arn": str("arn:" + name), "name": str(name),
			"peers":   cty.SetVal(strs(other("bucket"), other("bucket"), "elsewhere")),
			"limit":   cty.NumberIntVal(int64(3 * r.IntN(n/3))),
			"logging": cty.ListVal([]cty.Value{values{"target_bucket": str(other("bucket")), "prefix": str("p/")}.object()}),
			"policy": str(fmt.Sprintf(`{"Statement":[{"Principal":{"Role":["arn:%s","*"]},"Resource":["arn:%s/*","arn:%s"]}]}`,
				other("role"), other("bucket"), other("bucket"))),
		})
	}
	return out
}

// shared is n buckets of one name, each of which refers to that name.
func shared(t testing.TB, n int) []Resource {
	out := make([]Resource, n)
	for i := range out {
		out[i] = resource(t, fmt.Sprintf("x_bucket.b%d", i), bucketSchema(), values{
			"id": str("same"), "name": str("same"), "peers": cty.SetVal(strs("same")),
		})
	}
	return out
}

func BenchmarkLink(b *testing.B) {
	for _, c := range []struct {
		n       int
		tangled bool
	}{{1_000, false}, {10_000, false}, {10_000, true}} {
		resources, rules := estateOf(b, c.n, c.tangled), parse(b, testRules)
		b.Run(fmt.Sprintf("%d,tangled=%t", c.n, c.tangled), func(b *testing.B) {
			var links int
			for b.Loop() {
				result, _ := Link(b.Context(), resources, rules)
				links = len(result.Links)
			}
			b.ReportMetric(float64(links), "links")
		})
	}
	resources, rules := shared(b, 8_000), parse(b, testRules)
	b.Run("8000,shared", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Link(b.Context(), resources, rules)
		}
	})
}
