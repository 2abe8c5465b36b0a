package pserve

import (
	"io"
	"time"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// Plugin is a resource provider: what [Serve] cannot do for it. Its methods
// are called concurrently, and in the order that [Serve] enforces.
type Plugin interface {
	pulumirpc.ResourceProviderServer
	// Stop asks running calls to end early. It returns without waiting for
	// them, and may be called at any time, more than once.
	Stop()
	// Close releases what the plugin holds. It is called once, when no call
	// runs and none will come, or when calls did not end in time.
	Close() error
}

// Factory makes a plugin that talks to the engine behind host. It is called
// for every engine that attaches, and must not block.
type Factory func(host *Host) Plugin

// Options says what is served, and how.
type Options struct {
	// Name is the plugin's, such as "terraform-bridge", for messages.
	Name string
	// Version is what GetPluginInfo answers, a semantic version without "v".
	Version string
	// Parameterized says that there is nothing to configure and to do before
	// Parameterize.
	Parameterized bool
	// Accepts are the forms of values that the plugin takes.
	Accepts Capabilities
	// Packed has the structs of requests come packed, as pvalue.Decode reads
	// them sooner: their own fields are empty then.
	Packed bool

	// Args is the command line without the program's name.
	Args []string
	// Stdout gets the port line, and nothing else.
	Stdout io.Writer
	// Stderr gets messages for which there is no engine.
	Stderr io.Writer

	// HealthInterval is how often the engine is looked for; 0 means every 30 s.
	HealthInterval time.Duration
	// Grace is how long running calls get to end when the plugin is told to;
	// 0 means 4 s, which is less than the engine waits before it kills.
	Grace time.Duration
}

func (o Options) withDefaults() Options {
	if o.HealthInterval == 0 {
		o.HealthInterval = 30 * time.Second
	}
	if o.Grace == 0 {
		o.Grace = 4 * time.Second
	}
	return o
}

// Capabilities are what the answers to Handshake and Configure have in common.
type Capabilities struct {
	Secrets, Resources, Outputs, Autonaming bool
	// ByteStrings, OutputsInInvoke, OutputsInCall and OutputsInCheck are said
	// in the handshake only.
	ByteStrings, OutputsInInvoke, OutputsInCall, OutputsInCheck bool
}

// ConfigureResponse is the answer to Configure that agrees with the handshake.
// A plugin that answers a handshake supports previews.
func (c Capabilities) ConfigureResponse() *pulumirpc.ConfigureResponse {
	return &pulumirpc.ConfigureResponse{
		AcceptSecrets: c.Secrets, AcceptResources: c.Resources, AcceptOutputs: c.Outputs,
		SupportsAutonamingConfiguration: c.Autonaming, SupportsPreview: true,
	}
}

func (c Capabilities) handshakeResponse() *pulumirpc.ProviderHandshakeResponse {
	return &pulumirpc.ProviderHandshakeResponse{
		AcceptSecrets: c.Secrets, AcceptResources: c.Resources, AcceptOutputs: c.Outputs,
		SupportsAutonamingConfiguration: c.Autonaming, AcceptsByteString: c.ByteStrings,
		AcceptsOutputsInInvoke: c.OutputsInInvoke, AcceptsOutputsInCall: c.OutputsInCall,
		AcceptsOutputsInCheck: c.OutputsInCheck,
	}
}
