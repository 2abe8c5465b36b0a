package measure

import (
	"errors"
	"os/exec"
	"path/filepath"
)

// Options says what to measure and how much of it.
type Options struct {
	// Formation is the program; Testkit is the directory of the estate's
	// server and providers; TimeProvider is terraform-provider-time.
	// Bridge is pulumi-resource-terraform-bridge, beside Formation.
	Formation, Bridge, Testkit, TimeProvider string
	// Sizes are the numbers of time_static objects to import, the first of
	// them also by the peers; PeerSizes are more numbers for the peers.
	Sizes, PeerSizes []int
	// Estates are the numbers of objects of the estates to import, and Slow
	// that of the one whose API takes 20 ms for each call.
	Estates []int
	Slow    int
	// Links is the number of resources to link.
	Links int
	// Truths are the names of the ground truths to recover.
	Truths []string
	// Types is how many resource types the provider has over which the bridge
	// and the generators of SDKs are measured, and Calls how often each call
	// is made through the bridge.
	Types, Calls int
	// Repeats is how often what takes a moment is run; the median counts.
	Repeats int
	// Log is told what is under way. May be nil.
	Log func(string)
}

// Full is what `make bench` measures.
func Full() Options {
	return Options{Sizes: []int{1000, 2000, 4000, 8000}, Estates: []int{60, 600, 3000}, Slow: 600, Links: 10_000, Truths: []string{"estate", "classic"}, Types: 1000, Calls: 800, Repeats: 3}
}

// Quick measures the same on a smaller scale, in a fraction of the time.
func Quick() Options {
	return Options{Sizes: []int{200, 400}, Estates: []int{60, 300}, Slow: 60, Links: 1000, Truths: []string{"estate", "classic"}, Types: 50, Calls: 20, Repeats: 1}
}

// FindPrograms fills in the programs that are not named: formation and the
// testkit where `make build testkit` leaves them below root, the provider on
// the PATH. Paths become absolute.
func (o *Options) FindPrograms(root string) error {
	if o.Formation == "" {
		o.Formation = filepath.Join(root, "bin", "formation")
	}
	if o.Bridge == "" {
		o.Bridge = filepath.Join(filepath.Dir(o.Formation), "pulumi-resource-terraform-bridge")
	}
	if o.Testkit == "" {
		o.Testkit = filepath.Join(root, "bin", "testkit")
	}
	if o.TimeProvider == "" {
		o.TimeProvider = timeProvider
	}
	var errs []error
	for _, program := range []*string{&o.Formation, &o.Bridge, &o.TimeProvider} {
		path, err := exec.LookPath(*program)
		if err == nil {
			*program, err = filepath.Abs(path)
		}
		errs = append(errs, err)
	}
	testkit, err := filepath.Abs(o.Testkit)
	o.Testkit = testkit
	return errors.Join(append(errs, err)...)
}

const timeProvider = "terraform-provider-time"
