package measure

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// clock imports moments in time, which cost no API call: what is measured is
// the tools themselves, side by side, over the real hashicorp/time provider.
func (s *suite) clock(ctx context.Context) error {
	group := "Import of time_static objects (hashicorp/time)"
	ours, err := s.clockSizes(ctx, group)
	if err != nil || len(ours) == 0 {
		return err
	}
	if err := s.peers(ctx, group, s.Sizes[0]); err != nil {
		return err
	}
	for _, n := range s.PeerSizes {
		if n == s.Sizes[0] { // they did that above
			continue
		}
		if err := s.peers(ctx, group, n); err != nil {
			return err
		}
	}
	s.memory(group, count(s.Sizes[0]), ours[0].usage)
	if last := len(s.Sizes) - 1; last > 0 {
		s.memory(group, count(s.Sizes[last]), ours[last].usage)
	}
	s.recovered(group, ours...)
	return nil
}

// clockSizes imports every size. Work that is linear takes as long for each
// thousand of many as of few.
func (s *suite) clockSizes(ctx context.Context, group string) ([]imported, error) {
	var out []imported
	for i, n := range s.Sizes {
		repeats := 1
		if i == 0 {
			repeats = s.Repeats
		}
		one, err := s.clockImport(ctx, n, repeats)
		if err != nil {
			return out, err
		}
		out = append(out, one)
		s.report.add(group, "formation, "+count(n), one.wall.Seconds(), "s", target{})
		perThousand := one.wall.Seconds() * 1000 / float64(n)
		if i > 0 {
			first := out[0].wall.Seconds() * 1000 / float64(s.Sizes[0])
			s.report.add(group, fmt.Sprintf("time for each at %s against %s", count(n), count(s.Sizes[0])), perThousand/first, "×", atMost(1.25))
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	s.report.add(group, "formation, processor time, "+count(s.Sizes[0]), out[0].cpu.Seconds(), "s", target{})
	s.clockOut, s.clockTimings = s.clockDir(s.Sizes[0]), out[0].Report.Timings
	return out, nil
}

func (s *suite) clockDir(n int) string { return filepath.Join(s.work, fmt.Sprintf("clock-%d", n)) }

func (s *suite) clockImport(ctx context.Context, n, repeats int) (imported, error) {
	s.say("importing %s time_static objects", count(n))
	inventory, err := s.clockInventory(n)
	if err != nil {
		return imported{}, err
	}
	return s.importInto(ctx, s.clockDir(n), n, repeats, nil, s.TimeProvider, "--ids", inventory)
}

// clockInventory writes down the objects to import.
func (s *suite) clockInventory(n int) (path string, err error) {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"type\": \"time_static\", \"id\": %q}\n", moment(i))
	}
	path = filepath.Join(s.work, fmt.Sprintf("clock-%d.jsonl", n))
	return path, os.WriteFile(path, b.Bytes(), 0o600)
}

// moment is the id of the ith object.
func moment(i int) string {
	return time.Date(2020, 1, 1, 0, i, 0, 0, time.UTC).Format(time.RFC3339)
}

// peers lets the tools that can generate configuration do so for the same
// objects.
func (s *suite) peers(ctx context.Context, group string, n int) error {
	for _, tool := range []string{"terraform", "tofu"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			s.report.Missing = append(s.report.Missing, tool+" is not on the PATH: no comparison with it")
			continue
		}
		ours, theirs, err := s.beside(ctx, path, n)
		if err != nil {
			return err
		}
		wanted := target{}
		if tool == "terraform" && n >= 1000 {
			wanted = atLeast(10)
		}
		s.report.add(group, fmt.Sprintf("%s plan -generate-config-out, %s", tool, count(n)), theirs.wall.Seconds(), "s", target{})
		s.report.add(group, fmt.Sprintf("%s, processor time, %s", tool, count(n)), theirs.cpu.Seconds(), "s", target{})
		s.report.add(group, fmt.Sprintf("formation, %s, in turn with %s", count(n), tool), ours.wall.Seconds(), "s", target{})
		s.report.add(group, fmt.Sprintf("%s / formation, %s", tool, count(n)), theirs.wall.Seconds()/ours.wall.Seconds(), "×", wanted)
		s.report.add(group, fmt.Sprintf("%s / formation, processor time, %s", tool, count(n)), theirs.cpu.Seconds()/ours.cpu.Seconds(), "×", wanted)
	}
	return nil
}

// beside returns the runs of median duration of ours and of a peer's. They
// take turns, since no machine is equally fast all the time.
func (s *suite) beside(ctx context.Context, peer string, n int) (ours, theirs usage, err error) {
	s.say("importing %s time_static objects, and %s plan -generate-config-out, in turn", count(n), filepath.Base(peer))
	inventory, err := s.clockInventory(n)
	if err != nil {
		return ours, theirs, err
	}
	p := s.formation("import", "--out", s.clockDir(n), s.TimeProvider, "--ids", inventory)
	p.unwatched = true
	var all, others []usage
	for range 2*s.Repeats - 1 {
		one, err := p.median(ctx, 1, func() error { return os.RemoveAll(s.clockDir(n)) })
		if err != nil {
			return ours, theirs, err
		}
		other, err := s.generate(ctx, peer, n)
		if err != nil {
			return ours, theirs, err
		}
		all, others = append(all, one), append(others, other)
	}
	return median(all), median(others), nil
}

// generate runs a peer over n import blocks.
func (s *suite) generate(ctx context.Context, path string, n int) (usage, error) {
	dir := filepath.Join(s.work, fmt.Sprintf("%s-%d", filepath.Base(path), n))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return usage{}, err
	}
	var b bytes.Buffer
	b.WriteString("terraform {\n  required_providers {\n    time = {\n      source = \"hashicorp/time\"\n    }\n  }\n}\n")
	for i := range n {
		fmt.Fprintf(&b, "\nimport {\n  to = time_static.t%d\n  id = %q\n}\n", i, moment(i))
	}
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), b.Bytes(), 0o600); err != nil {
		return usage{}, err
	}
	_ = os.Remove(filepath.Join(dir, "generated.tf")) // the peer refuses where there is one
	p := process{path: path, args: []string{"plan", "-generate-config-out=generated.tf", "-no-color", "-input=false"}, dir: dir, env: s.env(), unwatched: true}
	used, err := p.run(ctx)
	if err != nil {
		return used, err
	}
	_, err = os.Stat(filepath.Join(dir, "generated.tf"))
	return used, err
}
