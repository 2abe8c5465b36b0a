// Package pschema is Pulumi's package schema: what a package offers, in a
// language of JSON that every SDK, program generator and registry reads.
//
// A schema has two forms here. [PackageSpec] and its parts have the shape of
// the JSON, member for member; [Encode] writes them and [Decode] reads them.
// [Package] is the bound form: references resolved, types built, mistakes
// reported with their place. [Open] makes one, which binds each resource,
// function and type when it is first asked for.
//
// What it does not do: fetch schemas (a [Loader] does), and decide anything
// for a target language (pulumi/sdkgen and pulumi/progen do).
//
// Source: Pulumi's package metaschema, pkg/codegen/schema/pulumi.json in
// github.com/pulumi/pulumi, and the members that its CLI reads beside it.
package pschema
