package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/formation-iac/formation/internal/base/progress"
)

// TestBarsOnATerminal: a terminal gets bars, which go away with the work.
func TestBarsOnATerminal(t *testing.T) {
	t.Parallel()
	const bar = "5 / 10 objects"
	shown := onTerminal(t, &app{}, func(s *terminal) bool { return strings.Contains(s.all(), bar) })
	if !strings.Contains(shown, "[====") || !strings.Contains(shown, bar) || !strings.HasSuffix(shown, erased) {
		t.Errorf("no bar, or one that stays: %q", shown)
	}
}

// TestNoBarsInJSON: with --json a terminal is nothing special.
func TestNoBarsInJSON(t *testing.T) {
	t.Parallel()
	began := time.Now()
	if shown := onTerminal(t, &app{json: true}, func(*terminal) bool { return time.Since(began) > 2*barDelay }); shown != "" {
		t.Errorf("shown: %q", shown)
	}
}

// onTerminal returns what work shows on a terminal that goes on until enough
// was seen.
func onTerminal(t *testing.T, a *app, enough func(*terminal) bool) string {
	t.Helper()
	user, tty := openTerminal(t)
	a.process.Stderr = tty
	screen, ended := &terminal{}, make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(screen, user) // fails once nobody writes any more
	}()
	ctx, done := a.watched(t.Context())
	for deadline := time.Now().Add(time.Minute); !enough(screen) && time.Now().Before(deadline); time.Sleep(barDelay / 10) {
		progress.From(ctx).Send(progress.Event{Task: "read", Done: 5, Total: 10, Unit: "objects"})
	}
	done()
	if err := tty.Close(); err != nil {
		t.Fatal(err)
	}
	<-ended
	return screen.all()
}

// openTerminal makes a terminal of the usual size, and returns its two ends.
func openTerminal(t *testing.T) (user, tty *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { user.Close() })
	master := int(user.Fd())
	number, err := unix.IoctlGetInt(master, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(master, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(master, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	if err == nil {
		tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return user, tty
}
