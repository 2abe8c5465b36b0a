// Package pserve is what every Pulumi resource plugin has in common: the
// command line and the port line, the gRPC server, the engine that is talked
// back to, the order in which calls may come, and an orderly end.
//
// A plugin is written as a [Plugin], which embeds
// pulumirpc.UnimplementedResourceProviderServer and has the methods that are
// its own. [Serve] answers Handshake, Attach, Cancel and GetPluginInfo, holds
// callers to the order of Parameterize, Configure and the rest, turns panics
// into errors, and closes the plugin after its last call.
//
// What a provider does is none of this package's business, nor are property
// values (pvalue) and schemas (pschema).
package pserve
