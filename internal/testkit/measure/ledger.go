package measure

import (
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/formation-iac/formation/internal/testkit/providers/wideprovider"
)

// The ways to a provider's calls, each with a process of its own.
const (
	directly = "direct"
	byBridge = "bridge"
)

// worked is the file in which the provider at the end of a way writes down what
// it has done.
func (s *suite) worked(way string) string { return filepath.Join(s.work, way+".worked") }

// countedEnv is the environment of a provider of one type that does so.
func (s *suite) countedEnv(way string) []string {
	return append(s.bridgeEnv(1), "WIDE_WORKED="+s.worked(way))
}

// ledger notes what calls took, by name.
type ledger struct {
	worked string
	spans  map[string][]span
}

// span is what one call took, and what the provider did in that time.
type span struct {
	took     time.Duration
	provider wideprovider.Worked
}

func newLedger(worked string) *ledger { return &ledger{worked: worked, spans: map[string][]span{}} }

func (l *ledger) note(name string, call func() error) error {
	before, err := wideprovider.ReadWorked(l.worked)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := call(); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := wideprovider.ReadWorked(l.worked)
	l.spans[name] = append(l.spans[name], span{took: took, provider: after.Since(before)})
	return err
}

// took are the times of the calls of a name.
func (l *ledger) took(name string) []time.Duration {
	return l.each(name, func(s span) time.Duration { return s.took })
}

// inside are the times that the provider worked for the calls of a name.
func (l *ledger) inside(name string) []time.Duration {
	return l.each(name, func(s span) time.Duration { return s.provider.Took })
}

func (l *ledger) each(name string, of func(span) time.Duration) []time.Duration {
	out := make([]time.Duration, len(l.spans[name]))
	for i, s := range l.spans[name] {
		out[i] = of(s)
	}
	return out
}

// overheads are what each call took longer than the one beside it, so that a
// machine that is slow for a while does not count for one side more. The time
// inside of the provider does not count: it answers the same calls on both
// sides, and takes now more and now less by several times the difference. That
// it is not slower behind a bridge, which shares its processors, is a figure of
// its own.
func overheads(longer, shorter []span) ([]time.Duration, error) {
	out := make([]time.Duration, len(longer))
	for i := range out {
		a, b := longer[i], shorter[i]
		if a.provider.Calls != b.provider.Calls {
			return nil, fmt.Errorf("the provider had to answer %d calls, where %d are enough", a.provider.Calls, b.provider.Calls)
		}
		out[i] = max(0, (a.took-a.provider.Took)-(b.took-b.provider.Took)) // below the noise is nothing
	}
	return out, nil
}

// middle is the median.
func middle(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
