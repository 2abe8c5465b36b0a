// Package gosdk pins what generated Go SDKs are compiled against in tests: the
// published Pulumi SDK and what it needs.
package gosdk

import (
	_ "github.com/blang/semver"                             // what generated code itself imports
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi"           // the runtime
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"    // of configuration
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals" // of plain methods
)
