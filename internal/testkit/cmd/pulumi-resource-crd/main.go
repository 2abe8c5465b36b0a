// The provider of custom resource definitions, as a Pulumi resource plugin.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
	"github.com/formation-iac/formation/internal/testkit/crdprovider"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	workDir, err := os.Getwd()
	if err == nil {
		opts := crdprovider.Options()
		opts.Args, opts.Stdout, opts.Stderr = os.Args[1:], os.Stdout, os.Stderr
		err = pserve.Serve(ctx, opts, crdprovider.Factory(workDir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-resource-crd:", err)
		return 1
	}
	return 0
}
