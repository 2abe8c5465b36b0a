package bridge_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"
)

// TestKilled kills the bridge without a word: its provider ends as well.
func TestKilled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.publish(t, "1.0.0")
	p := w.bridge(t)
	parameterize(t, p, args(w.address("broken")), "broken", "1.0.0")
	schemaText(t, p, "broken", "1.0.0")
	providers := w.processes(t)
	if len(providers) != 1 || ended(providers[0]) {
		t.Fatalf("the bridge has the processes %v", providers)
	}
	p.Kill()
	for end := time.Now().Add(10 * time.Second); !ended(providers[0]); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.kill(t)
			t.Fatal("the provider runs on")
		}
	}
}

// ended reports whether nothing runs under an ID. A process that nobody waits
// for stays, as a zombie.
func ended(id string) bool {
	stat, err := os.ReadFile("/proc/" + id + "/stat")
	return errors.Is(err, fs.ErrNotExist) || strings.Contains(string(stat), ") Z ")
}
