package tfprovider

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestAtEnd looks at processes that run, that have ended and nobody has waited
// for, and that are gone.
func TestAtEnd(t *testing.T) {
	t.Parallel()
	if atEnd(os.Getpid()) {
		t.Error("this process has ended")
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "echo up; read line")
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if atEnd(pid) {
		t.Error("a process that waits for input has ended")
	}
	if err := input.Close(); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); !atEnd(pid); time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("a process that has ended still runs")
		}
	}
	_ = cmd.Wait()
	if !atEnd(pid) {
		t.Error("a process that is gone still runs")
	}
}

// TestExiting reads the state of threads with odd names, and what is none.
func TestExiting(t *testing.T) {
	t.Parallel()
	for stat, want := range map[string]bool{
		"7 (terraform) S 1 7 7 0 -1 4194560 9 0": false,
		"7 (terraform) Z 1 7 7 0 -1 4228100 9 0": true,
		"7 (a ) Z 1) S 1 7 7 0 -1 4194560 9 0":   false,
		"7 (a) b) R 1 7 7 0 -1 4194308 9 0":      true,
		"":                                       false, "7": false, "7 (a) S 1 7": false, "7 (a) S 1 7 7 0 -1 x": false,
	} {
		if got := exiting([]byte(stat)); got != want {
			t.Errorf("%q: %v", stat, got)
		}
	}
}
