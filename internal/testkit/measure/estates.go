package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// slowCall is the latency of the slow estate's API in milliseconds.
const slowCall = 20

// estates imports synthetic estates of all sorts of objects that refer to
// each other, through a provider that calls an API over HTTP.
func (s *suite) estates(ctx context.Context) error {
	group := "Import of an estate (a plugin-framework provider over HTTP)"
	for _, n := range s.Estates {
		one, calls, err := s.estate(ctx, n, 0)
		if err != nil {
			return err
		}
		s.recovered(group+", "+count(n)+" resources", one)
		s.estateFigures(group+", "+count(n)+" resources", n, one, calls)
	}
	if s.Slow == 0 {
		return nil
	}
	one, calls, err := s.estate(ctx, s.Slow, slowCall)
	if err != nil {
		return err
	}
	slow := fmt.Sprintf("%s, %s resources, every API call takes %d ms", group, count(s.Slow), slowCall)
	s.recovered(slow, one)
	s.estateFigures(slow, s.Slow, one, calls)
	least := float64(calls) * slowCall / 1000 / parallelCalls
	s.report.add(slow, fmt.Sprintf("API time alone, %d calls at a time", parallelCalls), least, "s", target{})
	return nil
}

// parallelCalls is the default of --parallel.
const parallelCalls = 10

func (s *suite) estateFigures(group string, n int, one imported, calls int) {
	s.report.add(group, "formation", one.wall.Seconds(), "s", target{})
	s.report.add(group, "formation, processor time", one.cpu.Seconds(), "s", target{})
	s.report.add(group, "API calls for each object", ratio(calls, n), "", target{})
	s.memory(group, count(n), one.usage)
}

// estate imports one estate and counts the calls that its API got.
func (s *suite) estate(ctx context.Context, n, latencyMS int) (imported, int, error) {
	s.say("importing an estate of %s objects", count(n))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := startServer(ctx, filepath.Join(s.Testkit, "estate-server"), fmt.Sprintf("--seed=%d", n))
	if err != nil {
		return imported{}, 0, err
	}
	defer server.wait(cancel)
	inventory, err := s.unlisted(ctx, server.url, n)
	if err != nil {
		return imported{}, 0, err
	}
	if err := server.slowDown(ctx, latencyMS); err != nil {
		return imported{}, 0, err
	}
	dir := filepath.Join(s.work, fmt.Sprintf("estate-%d-%d", n, latencyMS))
	env := []string{"ESTATE_ENDPOINT=" + server.url, "ESTATE_TOKEN=bench"}
	one, err := s.importInto(ctx, dir, n, 1, env, filepath.Join(s.Testkit, "terraform-provider-estate"),
		"--ids", inventory, fmt.Sprintf("--parallel=%d", parallelCalls))
	if err != nil {
		return one, 0, err
	}
	calls, err := server.calls(ctx)
	return one, calls, err
}

// unlisted writes an inventory of the kinds that the provider cannot list.
func (s *suite) unlisted(ctx context.Context, url string, n int) (string, error) {
	path := filepath.Join(s.work, fmt.Sprintf("estate-%d.jsonl", n))
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	out := json.NewEncoder(f)
	client := &estateapi.Client{Endpoint: url, Token: "bench"}
	for _, kind := range []struct{ kind, typeName string }{{"dns_records", "estate_dns_record"}, {"db_users", "estate_db_user"}} {
		for obj, err := range client.List(ctx, kind.kind, nil) {
			if err != nil {
				return "", err
			}
			if err := out.Encode(map[string]any{"type": kind.typeName, "id": obj["id"]}); err != nil {
				return "", err
			}
		}
	}
	return path, nil
}
