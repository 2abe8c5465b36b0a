package measure

import (
	"context"
	"os"
	"path/filepath"
)

// fewMS is a few milliseconds, as a number: what nobody waits for.
const fewMS = 25

// starts measures what every run of the program costs before it works.
func (s *suite) starts(ctx context.Context) error {
	s.say("starting formation")
	group := "Starting"
	cold := filepath.Join(s.work, "cold")
	schema := s.formation("schema", s.TimeProvider)
	schema.env = append(schema.env, "XDG_CACHE_HOME="+cold)
	repeats := 3 * s.Repeats
	for _, one := range []struct {
		name   string
		p      process
		target target
		reset  func() error
	}{
		{"formation --help", s.formation("--help"), atMost(fewMS), nil},
		{"formation schema, the provider seen for the first time", schema, target{}, func() error { return os.RemoveAll(cold) }},
		{"formation schema, from the cache", schema, atMost(fewMS), nil},
	} {
		used, err := one.p.median(ctx, repeats, one.reset)
		if err != nil {
			return err
		}
		s.report.add(group, one.name, 1000*used.wall.Seconds(), "ms", one.target)
	}
	return nil
}
