package measure

import (
	"context"
	"os"
	"path/filepath"
)

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
		target string
		reset  func() error
	}{
		{"formation --help", s.formation("--help"), "a few ms", nil},
		{"formation schema, the provider seen for the first time", schema, "", func() error { return os.RemoveAll(cold) }},
		{"formation schema, from the cache", schema, "a few ms", nil},
	} {
		used, err := one.p.median(ctx, repeats, one.reset)
		if err != nil {
			return err
		}
		s.report.add(group, one.name, 1000*used.wall.Seconds(), "ms", one.target)
	}
	return nil
}
