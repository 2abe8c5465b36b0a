// Package tflang is Terraform's expression language over HCL: references,
// the scopes that answer them, and every function of Terraform 1.11 and
// OpenTofu 1.12, `core::` names included.
//
// The taxonomy: a [Reference] is one mention of a named thing; [References]
// finds those of an expression or a body; [Bindings] collects the values that
// answer them and makes the hcl.EvalContext; [Functions] is the function
// table of a [Host]. What a reference means in a module is not known here:
// package tfverify answers them.
//
// Sensitive and ephemeral values carry the marks [Sensitive] and [Ephemeral],
// which every operation hands on.
package tflang
