// Package tfverify proves that a root module and its state are a no-op: that
// a plan would change nothing. It asks the providers and needs no terraform.
//
// A run is lazy and concurrent. Every variable, local, output, resource block
// and module call of a module instance is a cell that is worked out once, by
// whoever needs it first; the rest wait for it. That cannot deadlock, because
// a static check finds cycles before anything is worked out. Calls to
// providers are bounded; waiting is not.
//
// What cannot be worked out is never taken for a no-op: its value carries a
// mark with the reason, the mark spreads to everything that is made of it,
// and a resource whose configuration has it is reported as unevaluated.
package tfverify
