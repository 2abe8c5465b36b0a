// Package link replaces literal values in configuration by references to the
// resources that they mean: `network_id = "net-1"` becomes
// `network_id = estate_network.main.id`.
//
// Two values that are equal need not mean the same thing, so a link is made
// only where a [Rules] file declares it. [NewIndex] finds resources by type,
// attribute and value; [Link] walks each body along the rules of its type.
// What several resources share, what refers to itself, and what would close
// a cycle stays a literal, and the [Result] says so. A link never changes
// what the configuration evaluates to.
//
// The stages before (package minimise) settle what is written; the stage
// after (package write) lays it out in files.
package link
