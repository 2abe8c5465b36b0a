package lifecycle

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// meanwhile makes something while a provider is at work on the call that is
// made next, and returns how to wait for it. What sends that call may be
// waiting for the same processor, and goes first. A panic is that of who waits:
// the server knows how to end one call for it.
func meanwhile[T any](do func() T) (made func() T) {
	var out T
	var failure error
	var doing sync.WaitGroup
	doing.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				failure = fmt.Errorf("%v\n%s", r, debug.Stack())
			}
		}()
		runtime.Gosched()
		out = do()
	})
	return func() T {
		doing.Wait()
		if failure != nil {
			panic(failure)
		}
		return out
	}
}
