// The dynamic bridged provider: any Terraform provider as a Pulumi one.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/formation-iac/formation/internal/bridge"
	"github.com/formation-iac/formation/internal/bridge/parameter"
)

func main() {
	os.Exit(run())
}

// callsPercent is how much may be garbage, in percent of what is not, once
// calls come. At first the schema of a large provider is in memory, and Go's
// default serves; what calls leave behind is small, and looking for it that
// often costs a fifth of their time.
const callsPercent = 200

// collectSeldom has the garbage collector go by callsPercent, unless the user
// has chosen.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(callsPercent)
	}
}

// run gives the first interrupt to the program, which winds down, and lets
// the second end it.
func run() int {
	if slices.Equal(os.Args[1:], []string{"--help"}) {
		fmt.Println("A Pulumi resource plugin that becomes any Terraform provider. Programs like pulumi start it; their users say what it is to be.\n" + parameter.Help())
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	workDir, err := os.Getwd()
	if err == nil {
		err = bridge.Serve(ctx, bridge.Process{
			Args: os.Args, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Environ(), WorkDir: workDir,
			Configured: collectSeldom,
		})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-terraform-bridge:", err)
		return 1
	}
	return 0
}
