package tfprovider_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// TestCannotStart starts what is no provider, or one that fails, and compares
// what the user is told.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ls, err := exec.LookPath("ls")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		config tfprovider.Config
		want   string // PATH stands for the path
	}{
		"missing":        {tfprovider.Config{Path: filepath.Join(dir, "nowhere")}, "There is no file PATH. Correct the path, or name the provider as NAMESPACE/TYPE to have it installed."},
		"not on PATH":    {tfprovider.Config{Path: "terraform-provider-nowhere"}, "There is no file PATH. Correct the path, or name the provider as NAMESPACE/TYPE to have it installed."},
		"directory":      {tfprovider.Config{Path: dir}, "PATH is a directory. Name the provider's executable in it."},
		"not executable": {tfprovider.Config{Path: write("plain", "#!/bin/sh\n", 0o600)}, "PATH is not executable. If it is a provider, allow that: chmod +x PATH"},
		"text file": {tfprovider.Config{Path: write("prose", "once upon a time\n", 0o700)},
			"PATH is not a program for this machine: it is no executable at all, or one for another system or processor. Name the provider's executable, built for this one."},
		"ls": {tfprovider.Config{Path: ls, Args: []string{write("listed", "", 0o600)}},
			`PATH is not a Terraform provider: it starts with "` + filepath.Join(dir, "listed") + `". Name the executable of one, usually called terraform-provider-TYPE.`},
		"true":        {tfprovider.Config{Path: "true"}, "PATH is not a Terraform provider, or it failed: it ended without a word to a client. Run it by itself to see why; a provider says that it is a plugin."},
		"fails":       {broken(t, "BROKEN_MODE=exit"), "PATH is not a Terraform provider, or it failed: it ended without a word to a client. Run it by itself to see why; a provider says that it is a plugin.\nIts last words:\nbroken: the moon is in the wrong phase"},
		"garbage":     {broken(t, "BROKEN_MODE=garbage"), `PATH is not a Terraform provider: it starts with "hello, this is no provider at all". Name the executable of one, usually called terraform-provider-TYPE.`},
		"half a line": {broken(t, "BROKEN_MODE=half-line"), `PATH is not a Terraform provider: it starts with "1|6|tcp". Name the executable of one, usually called terraform-provider-TYPE.`},
		"no TMPDIR": {inTemp(broken(t), "/nope"),
			"Nothing can be made in the directory for temporary files, /nope: no such file or directory. Set TMPDIR to a directory that exists and can be written to."},
		"protocol 4": {broken(t, "BROKEN_MODE=protocol4"), "PATH speaks a plugin protocol that is too old or too new; protocols 5 and 6 are supported. Choose another version of the provider."},
		"silent": {withTimeout(broken(t, "BROKEN_MODE=silent"), 300*time.Millisecond),
			"PATH did not answer as a Terraform provider does within 300ms: it runs, and says nothing that a client could connect to. If it is one, run it by itself to see what it waits for."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.config.Env == nil {
				test.config.Env = environment()
			}
			catalog, diags := unstarted(t, test.config).Schema(t.Context())
			if catalog != nil || len(diags) != 1 {
				t.Fatalf("got %v and %v", catalog, diags)
			}
			if diff := cmp.Diff(tfprovider.CodeNotStarted+" Cannot start provider test", diags[0].Code+" "+diags[0].Summary); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(strings.ReplaceAll(test.want, "PATH", test.config.Path), diags[0].Detail); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func inTemp(c tfprovider.Config, dir string) tfprovider.Config {
	c.Env = append(slices.Clip(c.Env), "TMPDIR="+dir)
	return c
}

// TestNothingIsLeftInTemp ends providers in every way, and one that is never
// asked to end: none leaves its socket behind.
func TestNothingIsLeftInTemp(t *testing.T) {
	t.Parallel()
	read := func(p peer) {
		p.ReadResource(t.Context(), tfprovider.ReadRequest{TypeName: "broken_thing"})
	}
	for name, test := range map[string]struct {
		orders []string
		use    func(p peer)
	}{
		"well":    {nil, func(p peer) { _ = p.Close() }},
		"running": {nil, func(peer) {}},
		"crash":   {[]string{"BROKEN_MODE=crash"}, func(p peer) { read(p); _ = p.Close() }},
		"deaf":    {[]string{"BROKEN_MODE=deaf"}, func(p peer) { _ = p.Close() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			p := launch(t, inTemp(broken(t, test.orders...), temp))
			test.use(p)
			wantEmpty(t, temp)
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		temp := t.TempDir()
		for _, wait := range []time.Duration{0, 5, 10, 20, 40} {
			ctx, cancel := context.WithTimeout(t.Context(), wait*time.Millisecond)
			p := unstarted(t, inTemp(broken(t), temp))
			p.Schema(ctx)
			cancel()
			_ = p.Close()
		}
		wantEmpty(t, temp)
	})
}

// TestLongTemp starts a provider where a directory of its own would make the
// path of its socket too long.
func TestLongTemp(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	temp := filepath.Join(base, strings.Repeat("x", max(1, 80-len(base)-1)))
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if len(temp) > 85 {
		t.Skip("the path is too long for any socket:", temp)
	}
	if err := launch(t, inTemp(broken(t), temp)).Close(); err != nil {
		t.Error(err)
	}
	wantEmpty(t, temp)
}

func wantEmpty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func withTimeout(c tfprovider.Config, timeout time.Duration) tfprovider.Config {
	c.StartTimeout = timeout
	return c
}

// TestBadSchema starts providers whose first answers are of no use.
func TestBadSchema(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		orders []string
		code   string
		words  []string
	}{
		"noise":        {[]string{"BROKEN_MODE=noise"}, "TP0006", []string{"sent a malformed answer", "GetProviderSchema: malformed provider schema"}},
		"no calls":     {[]string{"BROKEN_MODE=no-calls"}, tfprovider.CodeUnsupported, []string{"does not implement GetProviderSchema"}},
		"dead address": {[]string{"BROKEN_MODE=dead-address"}, "TP0005", []string{"connection refused"}},
		"refuses":      {[]string{"BROKEN_MODE=refuse", "BROKEN_CALL=GetProviderSchema"}, tfprovider.CodeProvider, []string{"Refused", "Asked to refuse"}},
		"fails":        {[]string{"BROKEN_MODE=fail", "BROKEN_CALL=GetProviderSchema"}, "TP0005", []string{"asked to fail"}},
		"crashes":      {[]string{"BROKEN_MODE=crash", "BROKEN_CALL=GetProviderSchema"}, tfprovider.CodeCrashed, []string{"during GetProviderSchema", "panic: broken: asked to panic"}},
		"exits":        {[]string{"BROKEN_MODE=exit-in-call", "BROKEN_CALL=GetProviderSchema"}, tfprovider.CodeCrashed, []string{"broken: asked to exit in GetProviderSchema"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			catalog, diags := unstarted(t, broken(t, test.orders...)).Schema(t.Context())
			if catalog != nil {
				t.Error("there is a schema")
			}
			wantDiag(t, diags.Errors(), test.code, test.words...)
		})
	}
	t.Run("empty", func(t *testing.T) {
		t.Parallel()
		catalog, diags := unstarted(t, broken(t, "BROKEN_MODE=empty")).Schema(t.Context())
		noDiags(t, diags)
		if names := catalog.FunctionNames(); len(names) != 0 {
			t.Errorf("functions %v", names)
		}
	})
	t.Run("one bad type", func(t *testing.T) {
		t.Parallel()
		p := unstarted(t, broken(t, "BROKEN_MODE=bad-schema"))
		if _, diags := p.Schema(t.Context()); diags.HasErrors() {
			t.Fatal(diags) // warnings there are: its identity schemas are the same bytes
		}
		_, diags := p.ReadResource(t.Context(), tfprovider.ReadRequest{TypeName: "broken_thing"})
		wantDiag(t, diags, "TP0006", `attribute "name": malformed type "{not a type"`)
	})
}

// TestCancelledStart ends the context, or closes the provider, while the
// process says nothing.
func TestCancelledStart(t *testing.T) {
	t.Parallel()
	cause := errors.New("ctrl-c")
	tests := map[string]struct {
		end  func(cancel context.CancelCauseFunc, p peer)
		code string
		want string
	}{
		"cancel": {func(cancel context.CancelCauseFunc, _ peer) { cancel(cause) }, tfprovider.CodeInterrupted, "ctrl-c"},
		"close":  {func(_ context.CancelCauseFunc, p peer) { _ = p.Close() }, "TP0010", "is closed"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			p := unstarted(t, broken(t, "BROKEN_MODE=silent"))
			time.AfterFunc(200*time.Millisecond, func() { test.end(cancel, p) })
			promptly(t, func() {
				_, diags := p.Schema(ctx)
				wantDiag(t, diags, test.code, test.want)
			})
		})
	}
}

// TestWaitersDoNotShareACancel has one caller give up a start that another
// waits for: the other starts the provider itself.
func TestWaitersDoNotShareACancel(t *testing.T) {
	t.Parallel()
	p := unstarted(t, broken(t))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.Schema(ctx)
	}()
	time.AfterFunc(5*time.Millisecond, cancel)
	_, diags := p.Schema(t.Context())
	noDiags(t, diags)
	<-done
}

// TestOutlivesItsStarter ends the context of the call that started the
// process.
func TestOutlivesItsStarter(t *testing.T) {
	t.Parallel()
	p := unstarted(t, broken(t))
	ctx, cancel := context.WithCancel(t.Context())
	catalog, diags := p.Schema(ctx)
	noDiags(t, diags)
	cancel()
	time.Sleep(50 * time.Millisecond)
	p.catalog = catalog
	noDiags(t, p.Configure(t.Context(), p.object(t, 1, "", nil)))
	p.read(t, "broken_thing", "one")
}

// TestClosed calls a provider that has ended.
func TestClosed(t *testing.T) {
	t.Parallel()
	p := launch(t, broken(t))
	for range 2 {
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, diags := p.ReadResource(t.Context(), tfprovider.ReadRequest{TypeName: "broken_thing"})
	wantDiag(t, diags, "TP0010", "Provider test is closed")
	if err := p.Stop(t.Context()); err != nil {
		t.Errorf("stopping what has ended: %v", err)
	}
}
