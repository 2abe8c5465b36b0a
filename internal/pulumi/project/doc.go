// Package project reads and edits the files of a Pulumi project: Pulumi.yaml,
// PulumiPlugin.yaml and PulumiPolicy.yaml ([Manifest]), the lock files of YAML
// SDKs ([Lock]), and the list of providers in an exported stack
// ([ReadDeployment]).
//
// A [Manifest] knows where in its file everything stands. An edit changes the
// bytes that it must and no others, so that comments, order and formatting
// stay; its result is read back and compared before anyone sees it.
//
// What a package's source means, and which plugin it leads to, is not this
// package's business: versions and sources stay text here.
package project
