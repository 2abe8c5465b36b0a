package measure

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"
)

// server is an estate's API, running as a process of its own.
type server struct {
	url  string
	done chan struct{}
}

// startServer starts it; it runs until ctx ends.
func startServer(ctx context.Context, path string, args ...string) (*server, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{done: make(chan struct{})}
	lines := bufio.NewReader(stdout)
	line, err := lines.ReadString('\n')
	go func() {
		defer close(s.done)
		_, _ = io.Copy(io.Discard, lines)
		_ = cmd.Wait() // it ends by being killed
	}()
	if err != nil {
		return nil, fmt.Errorf("%s printed no address: %w", path, err)
	}
	s.url = strings.TrimSpace(line)
	return s, nil
}

// wait ends the server and waits until it is gone.
func (s *server) wait(cancel context.CancelFunc) {
	cancel()
	<-s.done
}

// slowDown makes every call from now on take so long, and counts from zero.
func (s *server) slowDown(ctx context.Context, latencyMS int) error {
	if err := s.ask(ctx, http.MethodPost, "/_admin/faults", fmt.Sprintf(`{"latency_ms": %d}`, latencyMS), nil); err != nil {
		return err
	}
	return s.ask(ctx, http.MethodDelete, "/_admin/stats", "", nil)
}

// calls is how many calls the API got since it was slowed down.
func (s *server) calls(ctx context.Context) (int, error) {
	var stats struct {
		Total int `json:"total"`
	}
	err := s.ask(ctx, http.MethodGet, "/_admin/stats", "", &stats)
	return stats.Total, err
}

// objects are the estate's objects, the ids that it gave them included.
func (s *server) objects(ctx context.Context) (json.RawMessage, error) {
	var dump json.RawMessage
	err := s.ask(ctx, http.MethodGet, "/_admin/dump", "", &dump)
	return dump, err
}

// dump is what the estate means, its secrets included, whatever ids it gave:
// equal estates give equal dumps.
func (s *server) dump(ctx context.Context) (json.RawMessage, error) {
	var dump json.RawMessage
	err := s.ask(ctx, http.MethodGet, "/_admin/dump?ids=drop&secrets=1", "", &dump)
	return dump, err
}

func (s *server) ask(ctx context.Context, method, path, body string, into any) error {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s", method, path, resp.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(resp.Body).Decode(into)
}
