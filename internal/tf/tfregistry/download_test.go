package tfregistry_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/testkit/registrytest"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

func TestCutDownloadIsResumed(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, large(t, 400<<10))
	s.Fail(registrytest.Fault{Path: ".zip", Cut: 100 << 10, Times: 3})
	r, _ := online(t, s, tfregistry.Options{})
	var events []progress.Event
	ctx := progress.WithListener(t.Context(), func(e progress.Event) {
		if e.Task == "download" {
			events = append(events, e)
		}
	})
	got, diags := r.Ensure(ctx, tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
	if got.Version != "1.0.0" {
		t.Errorf("got %+v", got)
	}
	var ranges []string
	for _, req := range s.Requests() {
		if strings.HasSuffix(req.Path, ".zip") {
			ranges = append(ranges, req.Range)
		}
	}
	if d := cmp.Diff([]string{"", "bytes=102400-", "bytes=204800-", "bytes=307200-"}, ranges); d != "" {
		t.Errorf("ranges (-want +got):\n%s", d)
	}
	last := events[len(events)-1]
	if !last.End || last.Done != last.Total || last.Total < 400<<10 || last.Unit != progress.UnitBytes || last.Label != "acme/demo 1.0.0" {
		t.Errorf("last event %+v", last)
	}
	for i := 1; i < len(events); i++ {
		if events[i].Done < events[i-1].Done {
			t.Errorf("progress went back: %+v after %+v", events[i], events[i-1])
		}
	}
}

func TestResumeNeedsTheSameFile(t *testing.T) {
	t.Parallel()
	for name, bend := range map[string]func(t *testing.T, s *registrytest.Server){
		"replaced": func(t *testing.T, s *registrytest.Server) { s.Publish(t, large(t, 300<<10)) },
		"no range": func(t *testing.T, s *registrytest.Server) { s.Fail(registrytest.Fault{Path: ".zip", NoRange: true}) },
		"no validator": func(t *testing.T, s *registrytest.Server) {
			s.Fail(registrytest.Fault{Path: ".zip", NoValidator: true})
		},
		"not in range": func(t *testing.T, s *registrytest.Server) {
			s.Fail(registrytest.Fault{Path: ".zip", Status: 416, Times: 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := registrytest.Start(t)
			s.Publish(t, large(t, 200<<10))
			s.Fail(registrytest.Fault{Path: ".zip", Cut: 100 << 10, Times: 1, NoValidator: name == "no validator"})
			s.Fail(registrytest.Fault{Path: ".zip", Status: 404})
			cache := t.TempDir()
			req := tfregistry.Request{Provider: demo}
			r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
			_, diags := r.Ensure(t.Context(), req)
			wantCodes(t, diags, "TR0031")
			if left := leftovers(t, cache); len(left) != 2 {
				t.Fatalf("what had come was not kept: %q", left)
			}
			s.Heal()
			bend(t, s)
			got, diags := r.Ensure(t.Context(), req)
			wantCodes(t, diags)
			if got.Version != "1.0.0" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestDamagedPartIsFetchedAnew(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, large(t, 200<<10))
	cache := t.TempDir()
	r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
	s.Fail(registrytest.Fault{Path: ".zip", Cut: 100 << 10, Times: 1})
	s.Fail(registrytest.Fault{Path: ".zip", Status: 404, Times: 1})
	_, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0031")
	parts, err := filepath.Glob(filepath.Join(cache, demo.String(), "*", "*.partial"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	content, err := os.ReadFile(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, parts[0], string(bytes.Repeat([]byte("x"), len(content))), 0o644)
	_, diags = r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
	wantCodes(t, diags)
}

func TestStopped(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, large(t, 400<<10))
	s.Fail(registrytest.Fault{Path: ".zip", Pace: 20 * time.Millisecond})
	r, _ := online(t, s, tfregistry.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	ctx = progress.WithListener(ctx, func(e progress.Event) {
		if e.Done > 0 {
			cancel()
		}
	})
	_, diags := r.Ensure(ctx, tfregistry.Request{Provider: demo})
	wantCodes(t, diags, "TR0002")
	s.Heal()
	if _, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo}); len(diags) > 0 {
		t.Error(diags)
	}
	if requests := s.Requests(); requests[len(requests)-1].Range == "" {
		t.Error("what had come was not continued")
	}
}

func TestConcurrentEnsure(t *testing.T) {
	t.Parallel()
	s := registrytest.Start(t)
	s.Publish(t, large(t, 300<<10))
	s.Fail(registrytest.Fault{Path: ".zip", Pace: time.Millisecond})
	cache := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		r, _ := online(t, s, tfregistry.Options{CacheDir: cache})
		wg.Go(func() {
			got, diags := r.Ensure(t.Context(), tfregistry.Request{Provider: demo})
			if len(diags) > 0 || got.Version != "1.0.0" {
				t.Errorf("%+v, %v", got, diags)
			}
		})
	}
	wg.Wait()
	if n := s.Count(".zip"); n != 1 {
		t.Errorf("%d downloads", n)
	}
}
