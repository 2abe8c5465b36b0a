package install_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/testkit/gitrepo"
)

const gitComponent = "git.example/org/repo.git@1.0.0"

// gitWorld is a component in a git repository that a server has, which may be
// disturbed.
type gitWorld struct {
	environ []string
	cache   plugin.Cache
	// disturb answers in the place of the server, and says whether it did.
	disturb atomic.Pointer[func(http.ResponseWriter, *http.Request) bool]
}

func newGitWorld(t *testing.T) *gitWorld {
	t.Helper()
	r := gitrepo.New(t)
	r.Commit(t, map[string]string{"PulumiPlugin.yaml": "runtime: toy\n", "data": strings.Repeat("component\n", 1000)})
	r.Git(t, "tag", "v1.0.0")
	w := &gitWorld{cache: plugin.Cache{Root: filepath.Join(t.TempDir(), "plugins")}}
	w.environ = r.Serve(t, func(server http.Handler) http.Handler {
		return http.HandlerFunc(func(out http.ResponseWriter, req *http.Request) {
			if disturb := w.disturb.Load(); disturb == nil || !(*disturb)(out, req) {
				server.ServeHTTP(out, req)
			}
		})
	})
	return w
}

// install installs the component, and returns what is said where that fails.
func (w *gitWorld) install(ctx context.Context, t *testing.T) (said string) {
	t.Helper()
	h := &home{install.New(options(t, w.cache, "", source.Options{Environ: w.environ})), w.cache}
	return h.installText(ctx, t, gitComponent)
}

// task is the task to install the component.
func (w *gitWorld) task() childTask {
	return childTask{Cache: w.cache.Root, Server: "http://127.0.0.1:9", Environ: w.environ, Text: gitComponent}
}

// wantNothing fails where the cache shows anything, wantWhole where it is not
// as it is to be.
func (w *gitWorld) wantNothing(t *testing.T) {
	t.Helper()
	entries, err := w.cache.Entries()
	if err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

func (w *gitWorld) wantWhole(t *testing.T) {
	t.Helper()
	const dir = "resource-git.example_org_repo.git-v1.0.0/"
	(&home{cache: w.cache}).wantTree(t, map[string]string{
		dir + "PulumiPlugin.yaml": "runtime: toy\n", dir + "data": strings.Repeat("component\n", 1000), dir + "dependencies": "of toy",
	})
}

// TestGitNetworkFaults has every fault of the network at every request that
// git makes.
func TestGitNetworkFaults(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/info/refs", "/git-upload-pack"} {
		for fault, status := range map[string]int{"cut": 0, "404": 404, "403": 403, "500": 500} {
			t.Run(path+" "+fault, func(t *testing.T) {
				t.Parallel()
				w := newGitWorld(t)
				disturb := func(out http.ResponseWriter, req *http.Request) bool {
					if !strings.HasSuffix(req.URL.Path, path) {
						return false
					}
					if status == 0 {
						panic(http.ErrAbortHandler)
					}
					http.Error(out, "struck", status)
					return true
				}
				w.disturb.Store(&disturb)
				said := w.install(t.Context(), t)
				if !strings.HasPrefix(said, "PS0019 ") || !strings.Contains(said, "https://git.example/org/repo") {
					t.Errorf("it is said: %s", said)
				}
				w.wantNothing(t)
				w.disturb.Store(nil)
				if said := w.install(t.Context(), t); said != "" {
					t.Error(said)
				}
				w.wantWhole(t)
			})
		}
	}
}

// TestGitPassingFault has a server that is out of order for a moment.
func TestGitPassingFault(t *testing.T) {
	t.Parallel()
	w := newGitWorld(t)
	var left atomic.Int32
	left.Store(2)
	disturb := func(out http.ResponseWriter, _ *http.Request) bool {
		struck := left.Add(-1) >= 0
		if struck {
			http.Error(out, "struck", http.StatusServiceUnavailable)
		}
		return struck
	}
	w.disturb.Store(&disturb)
	if said := w.install(t.Context(), t); said != "" {
		t.Error(said)
	}
	w.wantWhole(t)
}

// hold has the server keep git waiting for what it fetches, until it is let go.
// asked is closed when git asks, and gone when it does not wait any longer.
func (w *gitWorld) hold(t *testing.T) (asked, gone <-chan struct{}, let func()) {
	t.Helper()
	asks, goes, lets := make(chan struct{}), make(chan struct{}), make(chan struct{})
	disturb := func(_ http.ResponseWriter, req *http.Request) bool {
		if !strings.HasSuffix(req.URL.Path, "/git-upload-pack") {
			return false
		}
		close(asks)
		_, _ = io.Copy(io.Discard, req.Body) // only then it is seen who goes
		select {
		case <-req.Context().Done():
			close(goes)
		case <-lets:
		case <-time.After(20 * time.Second):
		}
		panic(http.ErrAbortHandler)
	}
	w.disturb.Store(&disturb)
	return asks, goes, func() { close(lets) }
}

// TestGitKilled ends the process while git waits for the server, by a signal
// that it cannot catch. The next run finishes the job, and what git does when
// the server comes back is nobody's concern.
func TestGitKilled(t *testing.T) {
	t.Parallel()
	w := newGitWorld(t)
	asked, _, let := w.hold(t)
	cmd := w.task().command(t)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait(t, asked)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	w.wantNothing(t)
	w.disturb.Store(nil)
	if said := w.install(t.Context(), t); said != "" {
		t.Error(said)
	}
	let()
	w.wantWhole(t)
}

// TestGitOnFullDisk has files that git may not make as large as it must: a
// setting, and what it fetches.
func TestGitOnFullDisk(t *testing.T) {
	t.Parallel()
	needLimits(t)
	for _, limit := range []uint64{1, 5000} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			t.Parallel()
			w := newGitWorld(t)
			task := w.task()
			task.FileLimit = limit
			task.end(t).wantNoRoom(t, "PS0003 git.example")
			w.wantNothing(t)
			wantTidy(t, w.cache)
			if said := w.install(t.Context(), t); said != "" {
				t.Error(said)
			}
			w.wantWhole(t)
		})
	}
}

// TestGitByEight has eight processes clone the same.
func TestGitByEight(t *testing.T) {
	t.Parallel()
	w := newGitWorld(t)
	for _, e := range runAll(t, eight(w.task())) {
		e.wantDone(t)
	}
	w.wantWhole(t)
}

// TestGitStopped stops while git waits for the server: nothing of it runs on.
func TestGitStopped(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no groups of processes here")
	}
	w := newGitWorld(t)
	asked, gone, _ := w.hold(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if said := w.install(ctx, t); !strings.HasPrefix(said, "PI0002 ") {
		t.Errorf("it is said: %s", said)
	}
	wait(t, gone)
	w.wantNothing(t)
	w.disturb.Store(nil)
	if said := w.install(t.Context(), t); said != "" {
		t.Error(said)
	}
	w.wantWhole(t)
}

// wait waits for something that has to happen.
func wait(t *testing.T, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(15 * time.Second):
		t.Fatal("it does not happen")
	}
}
