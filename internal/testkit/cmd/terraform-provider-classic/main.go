// Command terraform-provider-classic serves the test provider "classic" (SDKv2,
// protocol 5) over the synthetic estate. It manages nothing real.
package main

import (
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"

	"github.com/formation-iac/formation/internal/testkit/providers/classicprovider"
)

func main() {
	crash := crashOn(os.Stderr)
	plugin.Serve(&plugin.ServeOpts{
		ProviderAddr: classicprovider.Address,
		ProviderFunc: func() *schema.Provider { return classicprovider.New(crash) },
	})
}

// crashOn ends the process in the middle of a call, because a test asked for
// it. stderr must be taken before the plugin server replaces os.Stderr with a
// pipe to the client: what is in that pipe at the end is lost.
func crashOn(stderr *os.File) func(message string) {
	return func(message string) {
		fmt.Fprintln(stderr, "terraform-provider-classic: crash:", message)
		os.Exit(3)
	}
}
