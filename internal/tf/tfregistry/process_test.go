package tfregistry_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// childVariable makes the test binary a process that installs the demo
// provider; its value is a childTask.
const childVariable = "TFREGISTRY_TEST_CHILD"

type childTask struct{ CacheDir, CAFile, Address string }

func TestMain(m *testing.M) {
	if task := os.Getenv(childVariable); task != "" {
		os.Exit(childMain(task))
	}
	os.Exit(m.Run())
}

// childMain prints "bytes" for each progress event and then the path of the
// binary.
func childMain(text string) int {
	var task childTask
	if err := json.Unmarshal([]byte(text), &task); err != nil {
		fmt.Println(err)
		return 2
	}
	authority, err := os.ReadFile(task.CAFile)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	r, diags := tfregistry.New(tfregistry.Options{CacheDir: task.CacheDir, WorkDir: task.CacheDir, Env: emptyEnv, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, task.Address)
		},
	}})
	ctx := progress.WithListener(context.Background(), func(progress.Event) { fmt.Println("bytes") })
	var got tfregistry.Installed
	if !diags.HasErrors() {
		got, diags = r.Ensure(ctx, tfregistry.Request{Provider: demo})
	}
	if len(diags) > 0 {
		fmt.Println(diags)
		return 1
	}
	fmt.Println(got.Path)
	return 0
}

// child prepares a process that installs into cache from s.
func child(t *testing.T, s *registrytest.Server, cache string) *exec.Cmd {
	t.Helper()
	task, err := json.Marshal(childTask{cache, s.CAFile(t), strings.Replace(s.Host(), "localhost", "127.0.0.1", 1)})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+string(task))
	return cmd
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

func TestTwoProcessesShareACache(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	p := large(t, 400<<10)
	s.Publish(t, p)
	s.Fail(registrytest.Fault{Path: ".zip", Pace: 5 * time.Millisecond})
	cache := t.TempDir()
	type result struct {
		out []byte
		err error
	}
	results := make(chan result, 2)
	for range 2 {
		cmd := child(t, s, cache)
		go func() {
			out, err := cmd.CombinedOutput()
			results <- result{out, err}
		}()
	}
	for range 2 {
		got := <-results
		if got.err != nil {
			t.Fatalf("%v\n%s", got.err, got.out)
		}
		content, err := os.ReadFile(lastLine(got.out))
		if err != nil || string(content) != string(p.Files["terraform-provider-demo_v1.0.0"]) {
			t.Errorf("%v, %d bytes", err, len(content))
		}
	}
	if n := s.Count(".zip"); n != 1 {
		t.Errorf("%d downloads", n)
	}
}

func TestKilledDownloadIsContinued(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, large(t, 800<<10))
	s.Fail(registrytest.Fault{Path: ".zip", Pace: 10 * time.Millisecond})
	cache := t.TempDir()
	cmd := child(t, s, cache)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for seen := 0; seen < 3 && lines.Scan(); seen++ {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if len(leftovers(t, cache)) == 0 {
		t.Fatal("the process was not killed midway")
	}
	s.Heal()
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	if requests := s.Requests(); requests[len(requests)-1].Range == "" {
		t.Error("what had come was not continued")
	}
	if left := leftovers(t, cache); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

// TestKilledAnywhere kills installations at times spread over their length:
// the package is whole or absent each time, and the next run needs no help.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	p := large(t, 2<<20)
	for i := range 40 {
		p.Files[fmt.Sprintf("docs/%d", i)] = noise(t, 10<<10)
	}
	s.Publish(t, p)
	binary := "terraform-provider-demo_v1.0.0"
	const kills = 12
	for i := range kills {
		cache := t.TempDir()
		cmd := child(t, s, cache)
		cmd.Stdout = io.Discard
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 12 * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		dir := filepath.Join(cache, demo.String(), "1.0.0", platform.String())
		if entries, err := os.ReadDir(dir); err == nil && len(entries) != 2 {
			t.Fatalf("kill %d left half a package: %v", i, entries)
		}
		r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
		got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo, Constraint: "1.0.0"})
		wantCodes(t, diags)
		if content, err := os.ReadFile(got.Path); err != nil || string(content) != string(p.Files[binary]) {
			t.Fatalf("kill %d: %v", i, err)
		}
	}
}
