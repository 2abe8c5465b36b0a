package host_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

// TestCannotStart starts what is no plugin, or one that fails, and compares
// what the user is told.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"exit":          "PATH ended before it answered (exit status 3).\nIts last words:\nfake: the moon is in the wrong phase",
		"silent":        "PATH did not tell a port within 300ms.",
		"garbage":       `PATH is not a Pulumi plugin: it starts with "hello, this is ` + "\ufffd[31mno\ufffd" + `[0m port", where a plugin tells its port.`,
		"bad-port":      `PATH is not a Pulumi plugin: it starts with "70000", where a plugin tells its port.`,
		"half-line":     "PATH ended before it answered (exit status 0).",
		"endless":       `PATH is not a Pulumi plugin: it starts with "` + strings.Repeat("9", 200) + "…\", where a plugin tells its port.",
		"closed-stdout": "PATH is not a Pulumi plugin: it closed its output without telling a port.",
		"late-panic":    "PATH ended before it answered (exit status 2).\nIts last words:\npanic: fake: asked to panic\n",
	}
	for mode, want := range tests {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p := fake(t, "FAKE_MODE="+mode)
			if mode == "silent" {
				p.opts.StartTimeout = 300 * time.Millisecond
			}
			h := p.host()
			promptly(t, func() {
				r, diags := h.Resource(t.Context(), host.Wanted{Name: "fake"})
				if r != nil {
					t.Error("it runs")
				}
				wantDiag(t, diags, host.CodeNotStarted, "Cannot start resource plugin fake: "+
					strings.ReplaceAll(want, "PATH", filepath.Join(p.path, "pulumi-resource-fake")))
			})
		})
	}
}

// TestDeadPort tells apart who waits for a port where nobody is.
func TestDeadPort(t *testing.T) {
	t.Parallel()
	p := fake(t, "FAKE_MODE=dead-port")
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errors.New("no more patience"))
	defer cancel()
	_, diags := p.host().Resource(ctx, host.Wanted{Name: "fake"})
	wantDiag(t, diags, host.CodeInterrupted, "resource plugin fake was interrupted: no more patience.")
}

// TestNotRunnable names files that the system does not run.
func TestNotRunnable(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	tests := map[string]string{
		write(t, filepath.Join(p.project, "plain"), "x", 0o644):                       "is not executable. If it is a plugin, allow that: chmod +x",
		write(t, filepath.Join(p.project, "prose"), "once upon a time", 0o755):        "is not a program for this machine",
		write(t, filepath.Join(p.project, "lost"), "#!/nowhere/interpreter\n", 0o755): "or what it says it is to be run by is not there",
	}
	h := p.host()
	for path, want := range tests {
		_, diags := h.Resource(t.Context(), host.Wanted{Path: path})
		wantDiag(t, diags, host.CodeNotStarted, want)
	}
	p = fake(t)
	p.opts.WorkDir = filepath.Join(p.project, "nowhere")
	_, diags := p.host().Resource(t.Context(), host.Wanted{Name: "fake"})
	wantDiag(t, diags, host.CodeNotStarted, "It cannot run in "+p.opts.WorkDir)
}

// TestCancelledStart ends the context, or the host, while a plugin says
// nothing.
func TestCancelledStart(t *testing.T) {
	t.Parallel()
	p := fake(t, "FAKE_MODE=silent")
	h := p.host()
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	time.AfterFunc(200*time.Millisecond, func() { cancel(errors.New("ctrl-c")) })
	promptly(t, func() {
		_, diags := h.Resource(ctx, host.Wanted{Name: "fake"})
		wantDiag(t, diags, host.CodeInterrupted, "ctrl-c")
	})
}

func TestClosedHost(t *testing.T) {
	t.Parallel()
	h := fake(t).host()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	_, diags := h.Resource(t.Context(), host.Wanted{Name: "fake"})
	wantDiag(t, diags, host.CodeNotStarted, "the program is ending")
}

// TestOutlivesItsStarter ends the context of the call that started a plugin.
func TestOutlivesItsStarter(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, diags := fake(t).host().Resource(ctx, host.Wanted{Name: "fake"})
	if r == nil {
		t.Fatal(diags)
	}
	cancel()
	time.Sleep(50 * time.Millisecond)
	self(t, r)
}

// TestScript starts a plugin through a script, as many are.
func TestScript(t *testing.T) {
	t.Parallel()
	p := newPlace(t, "PATH=/bin:/usr/bin")
	real := fakeplugin.Link(t, p.path, "resource", "fake")
	script := write(t, filepath.Join(p.project, "pulumi-resource-fake"), "#!/bin/sh\n"+real+" \"$@\"\n", 0o755)
	r, diags := p.host().Resource(t.Context(), host.Wanted{Path: script})
	if r == nil {
		t.Fatal(diags)
	}
	if got := self(t, r); got.Root != p.project {
		t.Errorf("root %s", got.Root)
	}
}

// attach runs a plugin by a host of its own, and returns a place whose
// environment says so.
func attach(t *testing.T, variable string, more ...string) (*place, fakeplugin.Self) {
	other := fake(t, more...)
	r := resource(t, other.host())
	_, port, err := net.SplitHostPort(r.Address())
	if err != nil {
		t.Fatal(err)
	}
	return newPlace(t, fmt.Sprintf("%s=other:1, fake:%s", variable, port)), self(t, r)
}

// TestAttach uses a plugin that runs already, and leaves it running.
func TestAttach(t *testing.T) {
	t.Parallel()
	p, owner := attach(t, "PULUMI_DEBUG_PROVIDERS")
	h := p.host()
	for range 2 {
		r := resource(t, h)
		got := self(t, r)
		if got.PID != owner.PID || got.Attached == "" || got.Engine != got.Attached || got.Engine == owner.Engine || got.Root != "" {
			t.Errorf("attached to %+v, which began as %+v", got, owner)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAttachRefused(t *testing.T) {
	t.Parallel()
	for _, entry := range []string{"fake:x", "fake"} {
		p := newPlace(t, "PULUMI_DEBUG_PROVIDERS="+entry)
		_, diags := p.host().Resource(t.Context(), host.Wanted{Name: "fake"})
		wantDiag(t, diags, "PH0009", `Invalid PULUMI_DEBUG_PROVIDERS: "`+entry+`": what stands behind a name and a colon is not a port`)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	p := newPlace(t, "PULUMI_DEBUG_PROVIDERS=fake:1")
	_, diags := p.host().Resource(ctx, host.Wanted{Name: "fake"})
	wantDiag(t, diags, host.CodeNotStarted, "Cannot attach to resource plugin fake: PULUMI_DEBUG_PROVIDERS says that it listens on port 1")
}

// TestConcurrentStarts starts many plugins at once, each its own process.
func TestConcurrentStarts(t *testing.T) {
	t.Parallel()
	h := fake(t).host()
	pids := make(chan int, 8)
	for range cap(pids) {
		go func() {
			r, diags := h.Resource(t.Context(), host.Wanted{Name: "fake"}, plugin.Parameterization{Args: []string{"same"}})
			if r == nil {
				t.Error(diags)
				pids <- 0
				return
			}
			pids <- self(t, r).PID
		}()
	}
	seen := map[int]bool{}
	for range cap(pids) {
		seen[<-pids] = true
	}
	if len(seen) != cap(pids) {
		t.Errorf("%d processes", len(seen))
	}
}
