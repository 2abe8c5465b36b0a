package brokenprovider

import (
	"fmt"
	"os"
	"time"
)

// Handshake misbehaves before there is a provider. It returns where the mode is
// another one; otherwise it ends the process, or stays until it is killed (for
// ten minutes at most, so that no test leaves a process behind).
func (o Orders) Handshake() {
	const stay = 10 * time.Minute
	switch o.Mode {
	case Exit:
		fmt.Fprintln(os.Stderr, "broken: the moon is in the wrong phase")
		os.Exit(1)
	case Garbage:
		fmt.Println("hello, this is no provider at all")
	case Silent:
	case OldProtocol:
		fmt.Println("1|4|tcp|127.0.0.1:1|netrpc|")
	case DeadAddress:
		fmt.Println("1|6|tcp|127.0.0.1:1|grpc|")
	case HalfLine:
		fmt.Print("1|6|tcp")
		os.Exit(0)
	default:
		return
	}
	time.Sleep(stay)
	os.Exit(5)
}
