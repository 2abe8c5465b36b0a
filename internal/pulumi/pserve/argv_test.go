package pserve

import (
	"slices"
	"strings"
	"testing"
)

func TestParseArgs(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                             "",
		"127.0.0.1:1":                  "127.0.0.1:1",
		"--logtostderr -v=9 a:1":       "a:1",
		"--tracing 127.0.0.1:2 a:1":    "a:1",
		"--tracing=127.0.0.1:2 a:1":    "a:1",
		"-v 9 --unknown --other=2 a:1": "a:1",
		"-- a:1":                       "a:1",
		"--tracing":                    "",
	} {
		got, err := parseArgs(strings.Fields(args))
		if err != nil || got != want {
			t.Errorf("%q gives %q, %v", args, got, err)
		}
	}
}

// FuzzPositionals gives arbitrary arguments. What comes out was given, in its
// order, and everything after "--" is among it.
func FuzzPositionals(f *testing.F) {
	f.Add("--tracing\x00x\x00-v\x00a:1")
	f.Add("-\x00--\x00--\x00-v")
	f.Fuzz(func(t *testing.T, joined string) {
		args := strings.Split(joined, "\x00")
		got := positionals(args)
		rest := args
		for _, arg := range got {
			at := slices.Index(rest, arg)
			if at < 0 {
				t.Fatalf("%q of %q was not given, or not in this order", got, args)
			}
			rest = rest[at+1:]
		}
		if args[0] == "--" && !slices.Equal(args[1:], got) {
			t.Errorf("%q gives %q", args, got)
		}
	})
}
