package docpage

import (
	"regexp"
	"sync"
)

// lazily compiles a pattern when it is first used: programs of which few runs
// read documentation would compile all of them at every start.
func lazily(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
