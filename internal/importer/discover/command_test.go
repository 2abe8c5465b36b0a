package discover

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCommand(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line         string
		want, wrong  []string
		detailHolds  string
		detailsLacks string
	}{
		"json lines":                        {line: `printf '{"type":"x_role","id":"%s"}\n' a b`, want: []string{"x_role id=a", "x_role id=b"}},
		"the name of a script says nothing": {line: `echo '{"type":"x_role","id":"a"}' # ids.csv`, want: []string{"x_role id=a"}},
		"csv":                               {line: `printf 'type,id\nx_role,a\n'`, want: []string{"x_role id=a"}},
		"failure": {
			line: `echo '{"type":"x_role","id":"a"}'; echo oh no >&2; exit 3`, want: []string{"x_role id=a"},
			wrong: []string{"The command for ids failed: LINE"}, detailHolds: "exit status 3. Nothing of its output is used; run it by hand to see what is wrong. It printed:\noh no",
		},
		"complaints": {
			line: `echo '{"type":"x_role","id":"a"}'; echo only half of it >&2`, want: []string{"x_role id=a"},
			wrong: []string{"The command for ids complained: LINE"}, detailHolds: "It printed:\nonly half of it",
		},
		"complaints alone": {
			line: `(echo no server >&2; exit 1) | cat`, detailHolds: "no server",
			wrong: []string{"The command for ids complained: LINE", "The inventory printed by LINE names no resource"},
		},
		"much noise": {
			line:  `i=0; while [ $i -lt 2000 ]; do echo "line $i" >&2; i=$((i+1)); done; exit 1`,
			wrong: []string{"The command for ids failed: LINE"}, detailHolds: "line 1999", detailsLacks: "line 10\n",
		},
		"import blocks":    {line: `printf 'import {\nto = x_role.a\nid = "a"\nprovider = x\n}'`, want: []string{"x_role id=a as a"}},
		"malformed":        {line: `printf 'type,id\n,a\n'`, wrong: []string{"2:1 No resource type"}},
		"nothing":          {line: `true`, wrong: []string{"The inventory printed by LINE names no resource"}},
		"no command":       {line: `formation-test-no-such-command`, wrong: []string{"The command for ids failed: LINE"}, detailHolds: "exit status 127"},
		"endless nonsense": {line: `printf 'type,id\n'; yes ,`, wrong: append(nonsense(), "There are more faults")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, _, diags := discoverAll(t, Command{Line: tt.line, LocalName: "x"}, estateScope())
			if d := cmp.Diff(tt.want, describe(found)); d != "" {
				t.Error(d)
			}
			got := places(diags, "")
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], Command{Line: tt.line}.program(), "LINE")
			}
			if d := cmp.Diff(tt.wrong, got); d != "" {
				t.Error(d)
			}
			if len(diags) > 0 && !strings.Contains(diags[0].Detail, tt.detailHolds) {
				t.Error(diags[0].Detail)
			}
			if tt.detailsLacks != "" && strings.Contains(diags[0].Detail, tt.detailsLacks) {
				t.Error(diags[0].Detail)
			}
		})
	}
}

// TestCommandIsRunOnce reads the same from what was kept as from the command.
func TestCommandIsRunOnce(t *testing.T) {
	t.Parallel()
	for name, print := range map[string]string{
		"objects":          `printf '{"type":"x_role","id":"%s"}\n' a b`,
		"complaints":       `echo '{"type":"x_role","id":"a"}'; echo hm >&2`,
		"malformed":        `printf 'type,id\n,a\nx_role,b\n'`,
		"failure":          `echo no >&2; exit 3`,
		"endless nonsense": `printf 'type,id\n'; yes ,`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := writeFile(t, "runs", "")
			command := Command{Line: "echo x >>" + runs + "; " + print, LocalName: "x", Kept: &Output{}}
			found, _, diags := discoverAll(t, command, estateScope())
			again, _, more := discoverAll(t, command, estateScope())
			if d := cmp.Diff(describe(found), describe(again)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(diags, more); d != "" {
				t.Error(d)
			}
			if data, err := os.ReadFile(runs); err != nil || string(data) != "x\n" {
				t.Errorf("runs: %q, %v", data, err)
			}
		})
	}
}

func nonsense() []string {
	var out []string
	for i := range maxProblems {
		out = append(out, "LINE:1 No resource type")
		out[i] = strings.Replace(out[i], "LINE", string(rune('0'+(i+2)/10))+string(rune('0'+(i+2)%10)), 1)
		out[i] = strings.TrimPrefix(out[i], "0")
	}
	return out
}

func TestCommandIsStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, diags := Command{Line: "sleep 60; true"}.Discover(ctx, estateScope(), func(Found) error { return nil })
	if len(diags) != 1 || diags[0].Code != "DI0007" || time.Since(begin) > 30*time.Second {
		t.Error(diags, time.Since(begin))
	}
}

func TestCommandIsNamedByItsProgram(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"psql -c 'select 1'":                    "psql",
		"PGPASSWORD=s3cret LANG=C psql -h db":   "psql",
		"( PGPASSWORD=s3cret ./ids.sh; true )":  "./ids.sh",
		"(cat ids.csv)":                         "cat",
		"TOKEN=s3cret":                          "command",
		"\n  curl -H 'Authorization: s3cret' x": "curl",
		"":                                      "command",
	} {
		if got := (Command{Line: line}).Name(); got != "ids-from "+want {
			t.Errorf("%q: %q", line, got)
		}
	}
}
