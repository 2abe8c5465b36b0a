package estate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

func TestItSaysThatItIsSynthetic(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 5}})
	var page struct {
		Synthetic bool   `json:"synthetic"`
		About     string `json:"about"`
	}
	body := admin(t, http.MethodGet, server.URL+"/", "")
	if err := json.Unmarshal([]byte(body), &page); err != nil {
		t.Fatal(err)
	}
	if !page.Synthetic || !strings.Contains(page.About, "synthetic") {
		t.Errorf("got %s", body)
	}
}

func TestListWalksPages(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 700}})
	client := &estateapi.Client{Endpoint: server.URL}
	want := server.Store.Count("instances")
	if want < 101 {
		t.Fatalf("only %d instances: no third page", want)
	}
	seen := map[any]bool{}
	for obj, err := range client.List(t.Context(), "instances", nil) {
		if err != nil {
			t.Fatal(err)
		}
		seen[obj["id"]] = true
	}
	if len(seen) != want {
		t.Errorf("listed %d different instances of %d", len(seen), want)
	}
	if got, pages := server.Stats().Calls["list instances"], (want+49)/50; got != pages {
		t.Errorf("%d list calls for %d pages", got, pages)
	}
	network := first(t, client, "networks", nil)
	for obj, err := range client.List(t.Context(), "subnets", map[string]string{"network_id": network["id"].(string)}) {
		if err != nil {
			t.Fatal(err)
		}
		if obj["network_id"] != network["id"] {
			t.Errorf("the filter let %v through", obj)
		}
	}
}

func first(t *testing.T, client *estateapi.Client, kind string, filter map[string]string) estateapi.Object {
	t.Helper()
	for obj, err := range client.List(t.Context(), kind, filter) {
		if err != nil {
			t.Fatal(err)
		}
		return obj
	}
	t.Fatalf("there are no %s", kind)
	return nil
}

// TestFaults switches faults on in a running server, as tests of other
// packages do, and looks at what a client sees.
func TestFaults(t *testing.T) {
	t.Parallel()
	const bucket = "estate-checkout-prod"
	get := func(c *estateapi.Client, id string) error {
		_, err := c.Get(context.Background(), "buckets", id)
		return err
	}
	tests := map[string]struct {
		faults string
		check  func(t *testing.T, c *estateapi.Client)
	}{
		"throttled calls are tried again": {`{"throttle_every": 2}`, func(t *testing.T, c *estateapi.Client) {
			for range 5 {
				if err := get(c, bucket); err != nil {
					t.Error(err)
				}
			}
		}},
		"throttled calls fail without retries": {`{"throttle_every": 1, "retry_after": 1}`,
			func(t *testing.T, c *estateapi.Client) {
				c.MaxRetries = 0
				wantError(t, get(c, bucket), "estate API: 429 Throttled: too many calls; try again later")
			}},
		"a kind is refused": {`{"refuse": [{"kind": "buckets"}]}`, func(t *testing.T, c *estateapi.Client) {
			wantError(t, get(c, bucket), `estate API: 403 Forbidden: not allowed to read buckets "estate-checkout-prod"`)
			first(t, c, "networks", nil)
		}},
		"an object is refused": {`{"refuse": [{"op": "read", "kind": "buckets", "id": "` + bucket + `", "status": 500, "message": "no"}]}`,
			func(t *testing.T, c *estateapi.Client) {
				wantError(t, get(c, bucket), "estate API: 500 Internal Server Error: no")
				if err := get(c, "estate-billing-prod"); err != nil {
					t.Error(err)
				}
			}},
		"a crash reaches the provider, once": {`{"crash": [{"kind": "buckets", "times": 1, "message": "bang"}]}`,
			func(t *testing.T, c *estateapi.Client) {
				var message string
				c.Crash = func(m string) { message = m }
				_ = get(c, bucket)
				if message != "bang" {
					t.Errorf("the crash said %q", message)
				}
				if err := get(c, bucket); err != nil {
					t.Error(err)
				}
			}},
		"a connection is reset": {`{"reset": [{"kind": "buckets"}]}`, func(t *testing.T, c *estateapi.Client) {
			if err := get(c, bucket); !errors.Is(err, io.EOF) {
				t.Errorf("got %v", err)
			}
		}},
		"a call hangs until the client leaves": {`{"hang": [{"kind": "buckets"}]}`, func(t *testing.T, c *estateapi.Client) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := c.Get(ctx, "buckets", bucket); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		}},
		"a call with a body hangs until the client leaves": {`{"hang": [{"op": "create", "kind": "buckets"}]}`, func(t *testing.T, c *estateapi.Client) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if _, err := c.Create(ctx, "buckets", estateapi.Object{"name": "b"}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		}},
		"latency delays": {`{"latency_ms": 30}`, func(t *testing.T, c *estateapi.Client) {
			start := time.Now()
			if err := get(c, bucket); err != nil {
				t.Error(err)
			}
			if took := time.Since(start); took < 30*time.Millisecond {
				t.Errorf("took only %v", took)
			}
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
			admin(t, http.MethodPost, server.URL+"/_admin/faults", test.faults)
			test.check(t, &estateapi.Client{Endpoint: server.URL, MaxRetries: 4})
		})
	}
}

func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
}

func TestAdmin(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Token: "t"})
	admin(t, http.MethodPost, server.URL+"/_admin/seed?n=60&ledgers=2&bucket_objects=3", "")
	if got := server.Store.Total(); got != 65 {
		t.Errorf("seeded %d objects, not 65", got)
	}
	if dump := admin(t, http.MethodGet, server.URL+"/_admin/dump?ids=drop", ""); dump != string(server.Store.Dump(estate.DumpOptions{DropGenerated: true})) {
		t.Error("the dump over HTTP is not the store's")
	}
	client := &estateapi.Client{Endpoint: server.URL}
	_, err := client.Get(t.Context(), "buckets", "estate-checkout-prod")
	wantError(t, err, "estate API: 401 Unauthorized: the token is missing or wrong")
	client.Token = "t"
	ledger := first(t, client, "ledgers", nil)
	_, err = client.Get(t.Context(), "ledgers", ledger["id"].(string))
	wantError(t, err, fmt.Sprintf("estate API: 500 Sealed: ledgers %q is sealed and cannot be read", ledger["id"]))
	if got := admin(t, http.MethodGet, server.URL+"/_admin/stats", ""); !strings.Contains(got, `"read ledgers":1`) {
		t.Errorf("statistics: %s", got)
	}
	admin(t, http.MethodDelete, server.URL+"/_admin/stats", "")
	admin(t, http.MethodPost, server.URL+"/_admin/reset", "")
	if server.Store.Total() != 0 || server.Stats().Total != 0 {
		t.Error("the resets left something")
	}
	for _, bad := range []string{"/_admin/dump?ids=perhaps", "/_admin/seed?n=many"} {
		method := http.MethodGet
		if strings.Contains(bad, "seed") {
			method = http.MethodPost
		}
		if status, body := call(t, method, server.URL+bad, ""); status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", bad, status, body)
		}
	}
	if status, body := call(t, http.MethodPost, server.URL+"/_admin/faults", `{"latency": 3}`); status != http.StatusBadRequest {
		t.Errorf("an unknown fault: %d %s", status, body)
	}
}

// admin makes a call that must succeed and answers the body.
func admin(t *testing.T, method, url, body string) string {
	t.Helper()
	status, answer := call(t, method, url, body)
	if status >= 300 {
		t.Fatalf("%s %s: %d %s", method, url, status, answer)
	}
	return answer
}

func call(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}
