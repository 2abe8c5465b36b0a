// Command terraform-provider-estate serves the test provider "estate" (plugin
// framework, protocol 6) over the synthetic estate. It manages nothing real.
//
// With ESTATE_SILENT_CAPABILITIES=1 it does not announce that it generates
// configuration, as plain framework providers at 1.19.0 do not.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/formation-iac/formation/internal/testkit/providers/estateprovider"
)

func main() {
	debug := flag.Bool("debug", false, "serve for a debugger and print how to attach")
	flag.Parse()
	var opts []tf6server.ServeOpt
	if *debug {
		opts = append(opts, tf6server.WithManagedDebug())
	}
	announce := os.Getenv("ESTATE_SILENT_CAPABILITIES") != "1"
	crash := crashOn(os.Stderr)
	serve := func() tfprotov6.ProviderServer { return estateprovider.Server(crash, announce) }
	if err := tf6server.Serve(estateprovider.Address, serve, opts...); err != nil {
		fmt.Fprintln(os.Stderr, "terraform-provider-estate:", err)
		os.Exit(1)
	}
}

// crashOn ends the process in the middle of a call, because a test asked for
// it. stderr must be taken before the plugin server replaces os.Stderr with a
// pipe to the client: what is in that pipe at the end is lost.
func crashOn(stderr *os.File) func(message string) {
	return func(message string) {
		fmt.Fprintln(stderr, "terraform-provider-estate: crash:", message)
		os.Exit(3)
	}
}
