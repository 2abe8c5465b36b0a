// Package tfstate is Terraform's state file: it reads format versions 1 to 4
// into one model and writes version 4 as Terraform does, byte for byte.
//
// Attributes stay encoded until a schema is at hand: as JSON, or in old
// states as a flatmap ([DecodeFlatmap]). [InstanceValue] decodes them and
// [NewInstance] makes new ones. Bringing a value of an old schema version to
// the current one is the provider's work, not this package's.
//
// [Decode] and [Encode] work on bytes; whoever writes files sees to it that they
// are whole, while [Hold] keeps clients away. Nothing here keeps state; all
// functions may be called concurrently.
//
// What version 4 has and this package does not know is kept and written
// back. What versions 1 to 3 have and version 4 cannot hold is named in a
// warning.
package tfstate
