package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Run measures everything. The report is whole as far as it goes where an
// error stands beside it.
func Run(ctx context.Context, opts Options) (*Report, error) {
	work, err := os.MkdirTemp("", "formation-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	s := &suite{Options: opts, work: work, report: &Report{Machine: machine(), Missing: []string{}}}
	if err := s.layOut(); err != nil {
		return s.report, err
	}
	for _, scenario := range []func(context.Context) error{s.clock, s.stages, s.estates, s.links, s.starts, s.bridges, s.packages, s.accuracy} {
		if err := scenario(ctx); err != nil {
			return s.report, err
		}
	}
	return s.report, ctx.Err()
}

// suite is one run.
type suite struct {
	Options
	work   string // a directory that goes away with the run
	report *Report
	// clockOut is the directory of the first import of time_static objects,
	// and clockTimings what it said of its stages.
	clockOut     string
	clockTimings map[string]float64
}

func (s *suite) say(format string, args ...any) {
	if s.Log != nil {
		s.Log(fmt.Sprintf(format, args...))
	}
}

// layOut writes the CLI configuration by which all tools find the providers,
// so that nothing is downloaded.
func (s *suite) layOut() error {
	var b strings.Builder
	b.WriteString("provider_installation {\n  dev_overrides {\n")
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		fmt.Fprintf(&b, "    \"%s/hashicorp/time\" = %q\n", host, filepath.Dir(s.TimeProvider))
	}
	for _, name := range []string{"estate", "classic"} {
		fmt.Fprintf(&b, "    \"registry.opentofu.org/formation-iac/%s\" = %q\n", name, s.Testkit)
	}
	b.WriteString("  }\n}\n")
	return os.WriteFile(s.cliConfig(), []byte(b.String()), 0o600)
}

func (s *suite) cliConfig() string { return filepath.Join(s.work, "cli.tfrc") }

// env is what every tool gets: its own caches, and no word to the network.
func (s *suite) env() []string {
	return []string{
		"XDG_CACHE_HOME=" + filepath.Join(s.work, "cache"), "TF_CLI_CONFIG_FILE=" + s.cliConfig(),
		"CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
	}
}

// formation is a run of the program under measure.
func (s *suite) formation(args ...string) process {
	return process{path: s.Formation, args: args, dir: s.work, env: s.env()}
}

// machine says what the figures depend on besides the programs.
func machine() string {
	parts := []string{runtime.GOOS + "/" + runtime.GOARCH, fmt.Sprintf("%d processors", runtime.NumCPU())}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		parts = append(parts, "load "+strings.Fields(string(load))[0]+" before the run")
	}
	return strings.Join(slices.Clip(parts), ", ")
}
