package lifecycle

import (
	"runtime"
	"sync"
)

// meanwhile makes something while a provider is at work on the call that is
// made next, and returns how to wait for it. What sends that call may be
// waiting for the same processor, and goes first.
func meanwhile[T any](do func() T) (made func() T) {
	var out T
	var doing sync.WaitGroup
	doing.Go(func() {
		runtime.Gosched()
		out = do()
	})
	return func() T {
		doing.Wait()
		return out
	}
}
