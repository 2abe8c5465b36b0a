package discover

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Command runs a shell command that prints an inventory, in any format that
// [Inventory] reads, on its standard output. It inherits the environment.
// What the command printed on standard error is shown, up to its end. An exit
// code other than 0 is an error; then nothing of the output is used.
type Command struct {
	Line string
	// LocalName is that of [Inventory].
	LocalName string
	// Kept is filled with the output of the first run, which later ones take
	// for theirs; nil runs the command each time. It may be used by one at a time.
	Kept *Output
}

// Name is "ids-from" and the program.
func (c Command) Name() string { return "ids-from " + c.program() }

// program is the first command of the line. The rest of it may hold passwords,
// in variables before the command and in its arguments, and a name goes into
// reports.
func (c Command) program() string {
	for word := range strings.FieldsSeq(c.Line) {
		word = strings.TrimLeft(word, "({!")
		if variable, _, assigned := strings.Cut(word, "="); word != "" && !(assigned && hclsyntax.ValidIdentifier(variable)) {
			return strings.TrimRight(word, ";|&)")
		}
	}
	return "command"
}

// stderrKept is how much of the end of standard error is shown, in bytes.
const stderrKept = 4 << 10

// endGrace is how long a command may take to end after it was told to.
const endGrace = 5 * time.Second

// Output is what a command printed and how it ended, once it has been run.
type Output struct {
	ran    bool
	stdout []byte // as far as it was read
	stderr string
	err    error
}

// Discover runs the command and reads its output as it comes, or reads what was
// kept of it.
func (c Command) Discover(ctx context.Context, scope Scope, yield func(Found) error) (Outcome, diag.List) {
	in := newIntake(ctx, c.Name(), scope, yield)
	in.localName = c.LocalName
	var ended Output
	if c.Kept != nil && c.Kept.ran {
		ended = *c.Kept
		in.read(c.outputName(), formatUnknown, bytes.NewReader(ended.stdout))
	} else {
		ended = c.run(ctx, in)
	}
	switch {
	case ended.err != nil && in.ctx.Err() != nil: // we ended it, and nothing is wrong with it
		return Outcome{}, diag.List{interrupted(c.Name(), context.Cause(in.ctx))}
	case ended.err != nil && !in.stopped:
		return Outcome{}, diag.List{commandFailed(c.program(), ended.err, ended.stderr)}
	}
	if ended.stderr != "" {
		in.diags = append(in.diags, commandSaid(c.program(), ended.stderr))
	}
	return in.done("printed by " + c.program())
}

func (c Command) outputName() string { return "output of " + c.program() }

// run runs the command, takes in what it prints, and keeps that where it may
// be wanted again.
func (c Command) run(ctx context.Context, in *intake) Output {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", c.Line)
	cmd.WaitDelay = endGrace
	stopWholeGroup(cmd)
	var stderr tail
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return Output{ran: true, err: err}
	}
	var kept bytes.Buffer
	var stdout io.Reader = pipe
	if c.Kept != nil {
		stdout = io.TeeReader(pipe, &kept)
	}
	in.read(c.outputName(), formatUnknown, stdout)
	if in.stopped {
		cancel() // no more of it is wanted
	} else {
		_, _ = io.Copy(io.Discard, pipe) // what follows a fault in its middle
	}
	err = cmd.Wait()
	ended := Output{ran: true, stdout: kept.Bytes(), stderr: stderr.String(), err: err}
	if c.Kept != nil {
		*c.Kept = ended
	}
	return ended
}

// tail keeps the last stderrKept bytes of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - stderrKept; extra > 0 {
		t.kept = append(t.kept[:0], t.kept[extra:]...)
	}
	return len(p), nil
}

// String is the text kept, from the beginning of a line where it was cut.
func (t *tail) String() string {
	text := t.kept
	if len(text) == stderrKept {
		if _, rest, ok := bytes.Cut(text, []byte("\n")); ok {
			text = rest
		}
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(text)), "�")
}
