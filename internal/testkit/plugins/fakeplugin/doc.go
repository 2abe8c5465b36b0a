// Package fakeplugin is a Pulumi plugin for tests of those who start plugins.
// Its executable, pulumi-fake, is of the kind that its name says. It behaves,
// or misbehaves as the environment asks:
//
//	FAKE_MODE           one of [Modes]; empty behaves well
//	FAKE_LANGUAGE_MODE  the same for language plugins, which run others
//	FAKE_CALL           the call that misbehaves; Invoke where it is not set
//	FAKE_STARTS         a file that gets a line with the name for each start
//	FAKE_TAG            the tag of the schema's edition; empty names none
//
// A variable counts for one plugin only with its name at the end, in capitals:
// FAKE_MODE_OTHER=exit.
//
// As a resource plugin it provides a package of its own name, is parameterized
// by `name [version]`, has the mappings that FAKE_MAPPINGS (name,name) and
// FAKE_MAPPING (a name, told only when asked for any) say, and a function,
// fake:index:self, that tells how it was started. As a language plugin it runs
// the program that the option `binary` names. As a converter it asks the
// broker for what its arguments say. As a tool it tells how it was started.
package fakeplugin

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
)

// Mode is a way of misbehaving.
type Mode string

// The modes. Those of the first group never tell a port where they serve; of
// the second, misbehave in FAKE_CALL; the others behave but for one thing.
const (
	Exit         Mode = "exit"          // words on stderr, exit code 3
	Silent       Mode = "silent"        // no word, and stays
	Garbage      Mode = "garbage"       // a line that is no port, and stays
	BadPort      Mode = "bad-port"      // a number that is no port
	HalfLine     Mode = "half-line"     // part of a line, exit code 0
	Endless      Mode = "endless"       // a line without end
	ClosedStdout Mode = "closed-stdout" // closes stdout, and stays
	DeadPort     Mode = "dead-port"     // a port where nobody listens, and stays
	LatePanic    Mode = "late-panic"    // a good port, and then a panic

	Crash       Mode = "crash"       // panics on a goroutine of its own
	ExitInCall  Mode = "exit-call"   // words on stderr, exit code 4
	ExitAloud   Mode = "exit-aloud"  // the same on stdout
	Hang        Mode = "hang"        // no answer until the client gives up
	Unavailable Mode = "unavailable" // answers that something is unavailable

	NoHandshake  Mode = "no-handshake"  // Handshake is unimplemented
	Patient      Mode = "patient"       // ends on SIGINT when all streams have ended, which it leaves open
	Stubborn     Mode = "stubborn"      // heeds neither Cancel nor SIGINT
	Chatty       Mode = "chatty"        // floods both streams
	Fork         Mode = "fork"          // leaves a child in its group
	Detach       Mode = "detach"        // leaves a child in a session of its own, for a while
	WrongPackage Mode = "wrong-package" // Parameterize answers another package
	BadVersion   Mode = "bad-version"   // Parameterize answers no version

	linger Mode = "linger" // what a child does
)

// Modes lists every mode that tests may ask for.
func Modes() []Mode {
	return []Mode{
		Exit, Silent, Garbage, BadPort, HalfLine, Endless, ClosedStdout, DeadPort, LatePanic,
		Crash, ExitInCall, ExitAloud, Hang, Unavailable,
		NoHandshake, Patient, Stubborn, Chatty, Fork, Detach, WrongPackage, BadVersion,
	}
}

// Plugin is one run of the executable.
type Plugin struct {
	Kind, Name     string
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr *os.File

	mode Mode
	call string
}

// Named returns the plugin of an executable's name.
func Named(executable string) (*Plugin, error) {
	base := strings.TrimSuffix(filepath.Base(executable), ".exe")
	parts := strings.SplitN(base, "-", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("%q is not the name of a plugin, as in pulumi-resource-fake", base)
	}
	p := &Plugin{Kind: parts[1], Name: parts[2]}
	p.mode = Mode(p.order("FAKE_MODE"))
	if p.Kind == "language" {
		p.mode = Mode(p.order("FAKE_LANGUAGE_MODE"))
	}
	p.call = cmp.Or(p.order("FAKE_CALL"), "Invoke")
	if p.mode != "" && p.mode != linger && !slices.Contains(Modes(), p.mode) {
		return nil, fmt.Errorf("there is no mode %q", p.mode)
	}
	return p, nil
}

// order is a variable of the environment, this plugin's own before that of all.
func (p *Plugin) order(name string) string {
	return cmp.Or(os.Getenv(name+"_"+strings.ToUpper(p.Name)), os.Getenv(name))
}

// Link puts the executable of a fake plugin into dir, and returns its path.
func Link(t testing.TB, dir, kind, name string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, fmt.Sprintf("pulumi-%s-%s", kind, name))
	if err := os.Symlink(build.Binary(t, "pulumi-fake"), path); err != nil {
		t.Fatal(err)
	}
	return path
}
