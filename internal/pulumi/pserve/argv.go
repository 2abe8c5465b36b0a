package pserve

import (
	"fmt"
	"net"
	"strings"
)

// parseArgs reads a resource plugin's command line: flags, of which none
// matters here, and the engine's address, or none where an engine attaches
// later. Unknown flags are let pass, as newer engines may have some.
func parseArgs(args []string) (engine string, err error) {
	positionals := positionals(args)
	switch len(positionals) {
	case 0:
		return "", nil
	case 1:
		if _, _, err := net.SplitHostPort(positionals[0]); err != nil {
			return "", fmt.Errorf("%q is not the address of an engine: %w", positionals[0], err)
		}
		return positionals[0], nil
	default:
		return "", fmt.Errorf("one argument is taken, the engine's address, and not %d: %q", len(positionals), positionals)
	}
}

// positionals drops the flags, and the values of those that are known to have
// one in the next argument.
func positionals(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return append(out, args[i+1:]...)
		case arg == "--tracing", arg == "-tracing", arg == "-v", arg == "--v":
			i++
		case !strings.HasPrefix(arg, "-"):
			out = append(out, arg)
		}
	}
	return out
}
