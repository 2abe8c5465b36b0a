// Package tfplan says what a provider would do: it builds the proposed new
// state, asks the provider to plan, and holds the answer against the rules
// that Terraform itself enforces, so that a no-op here is a no-op there.
//
// The pure rules ([ProposedNew], [CheckPlanned], [CheckApplied],
// [NormalizeLegacy], [IgnoreChanges], [Changes]) work on values alone;
// [Plan] and [Destroy] join them with a provider. Nothing here reads
// configuration or state files, and nothing keeps state: every function may
// be called concurrently.
//
// Values are those of the type that the schema implies, without marks, which
// the wire has no place for; [Plan] drops marks itself. cty.NilVal stands for
// an absent object wherever one may be null.
//
// The rules are those of Terraform's "resource instance change lifecycle" as
// OpenTofu 1.12.6 (internal/plans/objchange) and Terraform 1.11 apply them,
// oddities included: where the two steps of a set's correlation look strange,
// the client that the user runs next does the same.
package tfplan
