// Command bench measures Formation's speed and accuracy beside its peers and
// prints one table. `make bench` builds what it needs. Its exit code is 1 where
// a figure misses its target.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/formation-iac/formation/internal/testkit/measure"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	opts, asJSON, err := parse(args, stderr)
	if err != nil {
		return err
	}
	opts.Log = func(what string) { fmt.Fprintln(stderr, what) }
	if err := opts.FindPrograms("."); err != nil {
		return fmt.Errorf("%w: run make build testkit tools, or name them by flags", err)
	}
	report, err := measure.Run(ctx, opts)
	if report != nil && asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if encodeErr := encoder.Encode(report); err == nil {
			err = encodeErr
		}
	} else if report != nil {
		fmt.Fprint(stdout, report.Table())
	}
	if err == nil {
		err = report.Misses()
	}
	return err
}

// parse reads the flags. Lists of sizes are separated by commas; an empty one
// leaves its scenario out.
func parse(args []string, stderr io.Writer) (opts measure.Options, asJSON bool, err error) {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	quick := flags.Bool("quick", false, "measure on a small scale")
	flags.BoolVar(&asJSON, "json", false, "write JSON instead of a table")
	formation := flags.String("formation", "", "the program to measure (default bin/formation)")
	bridge := flags.String("bridge", "", "pulumi-resource-terraform-bridge (default: the one beside formation)")
	testkit := flags.String("testkit", "", "directory of estate-server and the test providers (default bin/testkit)")
	provider := flags.String("time-provider", "", "terraform-provider-time (default: the one on the PATH)")
	var sizes, peers, estates, links sizesFlag
	flags.Var(&sizes, "sizes", "numbers of time_static objects to import")
	flags.Var(&peers, "peers", "more numbers of them for terraform and tofu, such as 4000")
	flags.Var(&estates, "estates", "numbers of objects of the estates to import; the first also slowed down")
	flags.Var(&links, "links", "how many resources to link")
	truths := flags.String("truths", "estate,classic", "ground truths to recover")
	if err := flags.Parse(args); err != nil {
		return opts, asJSON, err
	}
	if flags.NArg() > 0 {
		return opts, asJSON, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	opts = measure.Full()
	if *quick {
		opts = measure.Quick()
	}
	opts.Formation, opts.Bridge, opts.Testkit, opts.TimeProvider, opts.PeerSizes = *formation, *bridge, *testkit, *provider, peers.sizes
	opts.Truths = slices.DeleteFunc(strings.Split(*truths, ","), func(name string) bool { return name == "" })
	if sizes.set {
		opts.Sizes = sizes.sizes
	}
	if estates.set {
		opts.Estates, opts.Slow = estates.sizes, estates.first()
	}
	if links.set {
		opts.Links = links.first()
	}
	return opts, asJSON, nil
}

// sizesFlag is a list of positive numbers.
type sizesFlag struct {
	sizes []int
	set   bool
}

func (f *sizesFlag) String() string { return strings.Trim(fmt.Sprint(f.sizes), "[]") }

// Set implements [flag.Value].
func (f *sizesFlag) Set(text string) error {
	f.sizes, f.set = nil, true
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is not a positive number", part)
		}
		f.sizes = append(f.sizes, n)
	}
	return nil
}

func (f *sizesFlag) first() int {
	if len(f.sizes) == 0 {
		return 0
	}
	return f.sizes[0]
}
