// Command terraform-provider-broken serves the test provider "broken", which
// misbehaves as the environment asks; see package brokenprovider.
package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/formation-iac/formation/internal/testkit/providers/brokenprovider"
)

func main() {
	orders := brokenprovider.FromEnvironment()
	if orders.Mode != "" && !slices.Contains(brokenprovider.Modes(), orders.Mode) {
		fmt.Fprintf(os.Stderr, "terraform-provider-broken: there is no BROKEN_MODE %q\n", orders.Mode)
		os.Exit(2)
	}
	orders.Handshake()
	if orders.Wire() {
		return
	}
	stderr := os.Stderr
	serve := func() tfprotov6.ProviderServer { return brokenprovider.Server(orders, stderr) }
	if err := tf6server.Serve(brokenprovider.Address, serve); err != nil {
		fmt.Fprintln(os.Stderr, "terraform-provider-broken:", err)
		os.Exit(1)
	}
}
