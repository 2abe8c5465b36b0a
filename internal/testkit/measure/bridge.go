package measure

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// bridges measures the dynamic bridged provider beside the Terraform provider
// that it runs, one of many types.
func (s *suite) bridges(ctx context.Context) error {
	provider := filepath.Join(s.Testkit, "terraform-provider-wide")
	if err := s.bridgeSchema(ctx, provider); err != nil {
		return err
	}
	return s.bridgeCalls(ctx, provider)
}

// bridgeSchema measures the way from nothing to a served schema.
func (s *suite) bridgeSchema(ctx context.Context, provider string) error {
	s.say("serving the schema of %d resource types", s.Types)
	group := fmt.Sprintf("Bridge: a provider of %s resource types", count(s.Types))
	var last served
	var memory int64 // the largest resident size of all bridges
	serve := func() (_ time.Duration, err error) {
		last, err = s.serveSchema(ctx, provider)
		memory = max(memory, last.memory)
		return last.wall, err
	}
	own, cold, err := s.coldStarts(ctx, provider, serve)
	if err != nil {
		return err
	}
	warm, err := medianOf(3*s.Repeats, serve)
	if err != nil {
		return err
	}
	little := target{} // a small schema is read in less time than a process starts
	if s.Types >= 1000 {
		little = atMost(1.3)
	}
	s.report.add(group, "the provider's own start and GetProviderSchema", milliseconds(own), "ms", target{})
	s.report.add(group, "cold: the bridge's start to a served GetSchema", milliseconds(cold), "ms", target{})
	s.report.add(group, "cold, against the provider's own", cold.Seconds()/own.Seconds(), "×", little)
	s.report.add(group, "warm: the bridge's start to a served GetSchema", milliseconds(warm), "ms", atMost(100))
	s.report.add(group, "memory of the bridge", float64(memory)/(1<<20), "MB", atMost(150))
	s.report.add(group, "the schema served", float64(last.size)/(1<<20), "MB", target{})
	return nil
}

// coldStarts returns the medians of the provider's own starts and of the
// bridge's, neither of which knows anything yet. They take turns, since no
// machine is equally fast all the time; and there are many, since their
// difference is little beside what each of them varies by.
func (s *suite) coldStarts(ctx context.Context, provider string, serve func() (time.Duration, error)) (own, cold time.Duration, err error) {
	var owns, colds []time.Duration
	for range 9 * s.Repeats {
		if own, err = providerSchema(ctx, provider, s.bridgeEnv(s.Types)); err != nil {
			return 0, 0, err
		}
		if err = os.RemoveAll(s.pulumiHome()); err != nil {
			return 0, 0, err
		}
		if cold, err = serve(); err != nil {
			return 0, 0, err
		}
		owns, colds = append(owns, own), append(colds, cold)
	}
	return middle(owns), middle(colds), nil
}

// providerSchema starts a provider and decodes the header of its schema, as
// every client must.
func providerSchema(ctx context.Context, provider string, env []string) (time.Duration, error) {
	began := time.Now()
	p := tfprovider.Launch(tfprovider.Config{Name: "wide", Path: provider, Env: append(cleanEnv(), env...), Stderr: io.Discard})
	defer p.Close()
	_, diags := p.Schema(ctx)
	return time.Since(began), diags.Err()
}

// served is a schema that a bridge gave.
type served struct {
	wall   time.Duration
	memory int64 // the largest resident size of the bridge, in bytes
	size   int   // of the schema, in bytes
}

// serveSchema starts a bridge, parameterizes it and asks for the schema.
func (s *suite) serveSchema(ctx context.Context, provider string) (served, error) {
	h, err := s.pluginHost(ctx, s.bridgeEnv(s.Types))
	if err != nil {
		return served{}, err
	}
	defer h.Close()
	began := time.Now()
	r, diags := h.Resource(ctx, host.Wanted{Path: s.Bridge}, plugin.Parameterization{Args: []string{provider}})
	if r == nil {
		return served{}, diags.Err()
	}
	schema, diags := r.Schema(ctx)
	out := served{wall: time.Since(began), size: len(schema)}
	for _, pid := range children(os.Getpid()) {
		if exe, err := os.Readlink(filepath.Join("/proc", pid, "exe")); err == nil && exe == s.Bridge {
			out.memory = max(out.memory, peak(pid))
		}
	}
	return out, diags.Err()
}

func (s *suite) pulumiHome() string { return filepath.Join(s.work, "pulumi") }

// bridgeEnv is the environment of bridges and of providers that have as many
// types.
func (s *suite) bridgeEnv(types int) []string {
	return append(s.env(), "PULUMI_HOME="+s.pulumiHome(), "WIDE_TYPES="+strconv.Itoa(types))
}

func (s *suite) pluginHost(ctx context.Context, extra []string) (*host.Host, error) {
	env := host.Environment(append(cleanEnv(), extra...))
	return host.New(ctx, host.Options{Env: env, WorkDir: s.work, Finder: host.Finder{Env: env}})
}

func milliseconds(d time.Duration) float64 { return 1000 * d.Seconds() }

// medianOf runs something n times.
func medianOf(n int, run func() (time.Duration, error)) (time.Duration, error) {
	var all []time.Duration
	for range max(n, 1) {
		took, err := run()
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	return middle(all), nil
}
