package measure

import (
	"context"
	"maps"
	"slices"
)

// stages says where the time of the first import went, and what proving it
// again from its files takes.
func (s *suite) stages(ctx context.Context) error {
	if len(s.Sizes) == 0 {
		return nil
	}
	group := "Of these, the stages for " + count(s.Sizes[0])
	known := []string{"start", "discover", "read", "minimise", "link", "write", "prove"}
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(s.clockTimings)), func(name string) bool { return slices.Contains(known, name) })
	for _, name := range append(known, rest...) {
		if seconds, ok := s.clockTimings[name]; ok {
			s.report.add(group, name, seconds, "s", target{})
		}
	}
	s.say("verifying %s resources", count(s.Sizes[0]))
	verified, err := s.formation("verify", s.clockOut).median(ctx, s.Repeats, nil)
	if err != nil {
		return err
	}
	s.report.add(group, "formation verify of the result", verified.wall.Seconds(), "s", target{})
	return nil
}
