package estate

import "fmt"

// SeedOptions says how much a seed creates.
type SeedOptions struct {
	// Objects is spread over all kinds but bucket objects, ledgers and listeners.
	Objects int
	// BucketObjects are put into the first bucket.
	BucketObjects int
	// Ledgers are objects that nothing can read.
	Ledgers int
	// Listeners have names for the same things, of which some go together.
	Listeners int
}

// weights is how many objects of each kind a seed of 60 has. They add up to 60.
var weights = [...]struct {
	kind  string
	count int
}{
	{"networks", 3}, {"subnets", 9}, {"security_groups", 8}, {"roles", 7},
	{"buckets", 8}, {"instances", 12}, {"dns_records", 8}, {"db_users", 5},
}

// Seed adds a realistic estate, as if people had built it by hand: names, tags
// and references of every sort. The same options always give the same estate.
// It answers how many objects of each kind it made.
func (s *Store) Seed(opts SeedOptions) (map[string]int, error) {
	g := &gardener{store: s, made: map[string][]Object{}}
	made := map[string]int{}
	for _, share := range shares(opts.Objects) {
		for range share.count {
			obj, err := s.Create(share.kind, g.next(share.kind))
			if err != nil {
				return made, fmt.Errorf("seed %s: %w", share.kind, err)
			}
			g.made[share.kind] = append(g.made[share.kind], obj)
			made[share.kind]++
		}
	}
	if err := g.entangle(); err != nil {
		return made, fmt.Errorf("seed: entangle: %w", err)
	}
	for i := range opts.BucketObjects {
		if _, err := s.Create("bucket_objects", g.bucketObject(i)); err != nil {
			return made, fmt.Errorf("seed bucket_objects: %w", err)
		}
		made["bucket_objects"]++
	}
	for i := range opts.Ledgers {
		if _, err := s.Create("ledgers", Object{"name": fmt.Sprintf("ledger-%04d", i+1)}); err != nil {
			return made, fmt.Errorf("seed ledgers: %w", err)
		}
		made["ledgers"]++
	}
	for i := range opts.Listeners {
		if _, err := s.Create("listeners", g.listener(i)); err != nil {
			return made, fmt.Errorf("seed listeners: %w", err)
		}
		made["listeners"]++
	}
	return made, nil
}

type share struct {
	kind  string
	count int
}

// shares spreads n over the kinds by weight, at least one each for small n,
// and gives what rounding leaves to instances.
func shares(n int) []share {
	out, given := make([]share, len(weights)), 0
	for i, w := range weights {
		count := min(max(n*w.count/60, 1), n-given)
		out[i] = share{w.kind, count}
		given += count
	}
	for i := range out {
		if out[i].kind == "instances" {
			out[i].count += n - given
		}
	}
	return out
}
