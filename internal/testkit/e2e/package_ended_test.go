package e2e_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
)

// TestPackageAddEnded ends `package add` at the points where it writes. Asked
// to stop, it leaves the project as it was, or with everything; killed, the
// next run does.
func TestPackageAddEnded(t *testing.T) {
	t.Parallel()
	programs := programsOf(t, t.TempDir())
	want := packageProject(t, programs)
	want.want(t, 0, want.args...)
	done := files(t, want.dir)
	for name, signal := range map[string]os.Signal{"stopped": os.Interrupt, "killed": syscall.SIGKILL} {
		for _, moment := range []string{"sdks/.lock", "sdks/.wide-*", "sdks/.wide-*/package.json", "sdks/wide", "sdks/wide/package.json"} {
			t.Run(name+" "+strings.ReplaceAll(moment, "/", " "), func(t *testing.T) {
				t.Parallel()
				p := packageProject(t, programs)
				before := files(t, p.dir)
				p.endAt(t, moment, signal)
				if got := files(t, p.dir); signal == os.Interrupt && !maps.Equal(got, before) && !maps.Equal(got, done) {
					t.Errorf("before:\n%s\nafter:\n%s", cmp.Diff(before, got), cmp.Diff(done, got))
				}
				p.want(t, 0, p.args...)
				if diff := cmp.Diff(done, files(t, p.dir)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// packageRun is a project, and a command that adds a package to it.
type packageRun struct {
	program
	args []string
}

func packageProject(t *testing.T, programs string) packageRun {
	t.Helper()
	p := newProgram(t, "WIDE_TYPES=60", "PULUMI_HOME="+t.TempDir(), "PULUMI_DISABLE_REGISTRY_RESOLVE=true")
	p.path = filepath.Join(programs, filepath.Base(p.path))
	put(t, filepath.Join(p.dir, "Pulumi.yaml"), "name: shop # ours\nruntime: nodejs\n")
	put(t, filepath.Join(p.dir, "package.json"), "{\"name\": \"shop\"}")
	return packageRun{p, []string{"package", "add", "terraform-bridge", build.Binary(t, "terraform-provider-wide")}}
}

// endAt runs the command and ends it when a file is there that a pattern
// matches, or a little later: that is the system's affair.
func (p packageRun) endAt(t *testing.T, pattern string, signal os.Signal) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, p.args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait()
	}()
	for {
		found, err := filepath.Glob(filepath.Join(p.dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) > 0 {
			break
		}
		select {
		case <-ended:
			return
		case <-time.After(200 * time.Microsecond):
		}
	}
	_ = cmd.Process.Signal(signal) // it may have ended by itself
	<-ended
}
