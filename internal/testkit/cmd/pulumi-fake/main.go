// Command pulumi-fake is a Pulumi plugin of the kind that the name says by
// which it is called, such as pulumi-resource-fake; see package fakeplugin.
package main

import (
	"fmt"
	"os"

	"github.com/formation-iac/formation/internal/testkit/plugins/fakeplugin"
)

func main() {
	p, err := fakeplugin.Named(os.Args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, "pulumi-fake:", err)
		os.Exit(2)
	}
	p.Args, p.Stdin, p.Stdout, p.Stderr = os.Args[1:], os.Stdin, os.Stdout, os.Stderr
	os.Exit(p.Run())
}
