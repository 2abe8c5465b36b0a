package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
)

// imported is what `formation import --json` says, as far as it is measured.
type imported struct {
	usage
	// want is how much there was to import.
	want   int
	Proven bool `json:"proven"`
	Report struct {
		Summary struct {
			Found    int `json:"found"`
			Imported int `json:"imported"`
			NoOp     int `json:"no_op"`
			Links    int `json:"links"`
		} `json:"summary"`
		Resources []struct {
			Address string   `json:"address"`
			Settled []string `json:"settled"`
		} `json:"resources"`
		Timings map[string]float64 `json:"timings"`
	} `json:"report"`
}

// importInto imports want objects into a directory that it clears before each
// of n runs.
func (s *suite) importInto(ctx context.Context, dir string, want, n int, env []string, args ...string) (imported, error) {
	p := s.formation(append([]string{"import", "--json", "--out", dir}, args...)...)
	p.env, p.partly = append(p.env, env...), true
	used, err := p.median(ctx, n, func() error { return os.RemoveAll(dir) })
	out := imported{usage: used, want: want}
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(used.stdout, &out); err != nil {
		return out, fmt.Errorf("formation import --json: %w", err)
	}
	return out, nil
}

// recovered reports how much of what exists was imported and proven.
func (s *suite) recovered(group string, runs ...imported) {
	imported, noOp, all, links := 0, 0, 0, 0
	for _, r := range runs {
		imported += r.Report.Summary.Imported
		noOp += r.Report.Summary.NoOp
		all += max(r.want, r.Report.Summary.Found)
		links += r.Report.Summary.Links
	}
	s.report.share(group, "recovered", imported, all, exactly(100))
	s.report.share(group, "proven to be a no-op", noOp, all, exactly(100))
	if links > 0 {
		s.report.add(group, "links made", float64(links), "", target{})
	}
}

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// memory reports peaks where the system told them.
func (s *suite) memory(group, of string, u usage) {
	if u.memory == 0 {
		return
	}
	s.report.add(group, "peak memory of formation, "+of, megabytes(u.memory), "MB", target{})
	s.report.add(group, "peak memory of the provider, "+of, megabytes(u.childMemory), "MB", target{})
}
