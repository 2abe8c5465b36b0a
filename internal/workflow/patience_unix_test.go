//go:build unix

package workflow

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/formation-iac/formation/internal/base/diag"
)

// TestReadingIsInterrupted has the user's files be pipes that nobody writes to.
func TestReadingIsInterrupted(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, read := range map[string]func(ctx context.Context) diag.List{
		"query": func(ctx context.Context) diag.List {
			_, diags := (&importing{req: ImportRequest{QueryFile: pipe}}).module(ctx, nil)
			return diags
		},
		"rules": func(ctx context.Context) diag.List {
			_, diags := (&importing{req: ImportRequest{RuleFiles: []string{pipe}}}).module(ctx, nil)
			return diags
		},
		"provider's configuration": func(ctx context.Context) diag.List {
			return (&importing{req: ImportRequest{ConfigFile: pipe}}).loadConfig(ctx, cloud())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			done := make(chan diag.List, 1)
			go func() { done <- read(ctx) }()
			select {
			case diags := <-done:
				if len(diags) != 1 || diags[0].Code != "WF0008" {
					t.Error(diags)
				}
			case <-time.After(10 * time.Second):
				t.Error("it still waits for somebody to write")
			}
		})
	}
}
