// Package minimise finds, for each live object, the smallest configuration
// that means the same. It knows no provider: what is a default, what
// conflicts and what is a no-op is asked of the provider itself.
//
// An optional attribute or block is left out only while three conditions
// hold for the whole configuration:
//
//  1. ValidateResourceConfig accepts it;
//  2. the plan from the object's state is a no-op;
//  3. the plan for creation (no prior state) gives what was left out the
//     very value that the state has. [Options.Smallest] waives this one.
//
// The stages for one object: a starting configuration (from
// GenerateResourceConfig or the state) is cut into units; a guess leaves out
// those that earlier objects of the type, or one plan for creation, suggest;
// the guess is repaired by what the provider objects to; then every unit
// still kept that earlier objects have not shown to be necessary is tried
// alone. It takes two of them to show that, for what a creation gives may follow
// from what else an object is: where two are told different things, each object
// asks for itself. Objections are met by writing what they name, one thing or several
// together, whether the state has it or a plan gives it; something is left out
// only where that does not help, and written again where the objection is gone
// in the end. What is learned goes to the next objects of the type, so that the
// usual object costs one call for each condition.
//
// JSON documents are written the way that jsonencode does where the provider
// takes that for the same.
//
// Attributes that a provider keeps but never reads are null after an import,
// and its plan proposes their defaults whatever is written. They are settled
// into the state, if a read leaves them there.
package minimise
