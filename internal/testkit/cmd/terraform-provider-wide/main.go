// Command terraform-provider-wide serves the test provider "wide" with as many
// resource types as WIDE_TYPES says; a thousand where it says nothing. Where
// WIDE_WORKED names a file, it writes down there what it has done.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

	"github.com/formation-iac/formation/internal/testkit/providers/wideprovider"
)

func main() {
	types := 1000
	if n, err := strconv.Atoi(os.Getenv("WIDE_TYPES")); err == nil {
		types = n
	}
	err := serve(wideprovider.Wide{Types: types}, os.Getenv("WIDE_WORKED"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "terraform-provider-wide:", err)
		os.Exit(1)
	}
}

// serve serves the provider, which keeps a file of what it has done unless that
// has no name.
func serve(wide wideprovider.Wide, worked string) error {
	if worked == "" {
		return providerserver.Serve(context.Background(), func() provider.Provider { return wide }, providerserver.ServeOpts{Address: wideprovider.Address})
	}
	done, err := wideprovider.ReadWorked(worked)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(worked, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	return tf6server.Serve(wideprovider.Address, func() tfprotov6.ProviderServer {
		return wideprovider.Counted(providerserver.NewProtocol6(wide)(), file, done)
	})
}
