// Command terraform-provider-wide serves the test provider "wide" with as many
// resource types as WIDE_TYPES says; a thousand where it says nothing.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"github.com/formation-iac/formation/internal/testkit/providers/wideprovider"
)

func main() {
	types := 1000
	if n, err := strconv.Atoi(os.Getenv("WIDE_TYPES")); err == nil {
		types = n
	}
	wide := func() provider.Provider { return wideprovider.Wide{Types: types} }
	err := providerserver.Serve(context.Background(), wide, providerserver.ServeOpts{Address: wideprovider.Address})
	if err != nil {
		fmt.Fprintln(os.Stderr, "terraform-provider-wide:", err)
		os.Exit(1)
	}
}
