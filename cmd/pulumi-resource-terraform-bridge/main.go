// The dynamic bridged provider: any Terraform provider as a Pulumi one.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"syscall"

	"github.com/formation-iac/formation/internal/bridge"
	"github.com/formation-iac/formation/internal/bridge/parameter"
)

func main() {
	os.Exit(run())
}

// How much may be garbage, in percent of what is not. At first the schema of a
// large provider is in memory, and made into that of the package: most of it is
// text, which the collector need not look at, so that memory is saved cheaply.
// Once calls come, what they leave behind is small, and looking for it often
// costs a fifth of their time: it may be so many bytes, and for a large provider
// so many percent.
const (
	schemaPercent = 75
	callsSpare    = 64 << 20
	callsPercent  = 200
)

// sparing is the percentage that leaves room for callsSpare beside what is
// alive.
func sparing() int {
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(alive)
	if alive[0].Value.Kind() != metrics.KindUint64 {
		return callsPercent
	}
	const least = 4 << 20 // the runtime takes no less for alive
	return max(callsPercent, int(100*callsSpare/max(alive[0].Value.Uint64(), least)))
}

// collect has the garbage collector go by a percentage, unless the user has
// chosen.
func collect(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// share leaves half of the processors to the provider, which has the longer
// part of each call, unless the user has chosen. What several of ours save by
// working side by side is less than it takes to wake them: a tenth of a
// millisecond and more for each call.
func share(processors int) {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(1, processors/2))
	}
}

// run gives the first interrupt to the program, which winds down, and lets
// the second end it.
func run() int {
	if slices.Equal(os.Args[1:], []string{"--help"}) {
		fmt.Println("A Pulumi resource plugin that becomes any Terraform provider. Programs like pulumi start it; their users say what it is to be.\n" + parameter.Help())
		return 0
	}
	collect(schemaPercent)
	processors := runtime.GOMAXPROCS(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	workDir, err := os.Getwd()
	if err == nil {
		err = bridge.Serve(ctx, bridge.Process{
			Args: os.Args, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Environ(), WorkDir: workDir,
			Configured: func() { collect(sparing()); share(processors) },
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-terraform-bridge:", err)
		return 1
	}
	return 0
}
