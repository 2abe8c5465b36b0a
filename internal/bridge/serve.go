package bridge

import (
	"context"
	"io"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// Process is what the program has around it.
type Process struct {
	// Args is the command line. The first is the name that the program was
	// called by, and says which plugin it is.
	Args []string
	// Stdout gets the port line, Stderr what no engine takes.
	Stdout, Stderr io.Writer
	// Env is the environment as "key=value". Terraform providers inherit it.
	Env []string
	// WorkDir is what relative paths are relative to.
	WorkDir string
	// Configured is told of each provider that was configured: calls are what
	// comes then, and schemas seldom. May be nil.
	Configured func()
}

// Serve runs the plugin until ctx ends or the engine is gone. An error means
// that it could not begin.
func Serve(ctx context.Context, process Process) error {
	program, args := "", process.Args
	if len(args) > 0 {
		program, args = args[0], args[1:]
	}
	base := basePlugin{name: pluginName(program), version: pluginVersion(program)}
	return pserve.Serve(ctx, pserve.Options{
		Name: base.name, Version: base.version, Parameterized: true, Accepts: accepts(), Packed: true,
		Args: args, Stdout: process.Stdout, Stderr: process.Stderr,
	}, func(host *pserve.Host) pserve.Plugin { return newBridge(base, process, host) })
}

// accepts are the forms of values that the bridge takes. Output values are
// left to calls that ask for them: a provider of resources has no use for what
// a value depends on.
func accepts() pserve.Capabilities {
	return pserve.Capabilities{Secrets: true, Resources: true, Autonaming: true, ByteStrings: true}
}
