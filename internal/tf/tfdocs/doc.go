// Package tfdocs brings the documentation pages of one version of a provider
// onto this machine, from where they are published: the OpenTofu registry's
// documentation, that of a registry which answers as Terraform's does, or a
// directory with the provider's source.
//
// A [Source] lists pages and gives them; [Fetch] makes a [Library] of those
// that are asked for. Pages of a published version never change, so that what
// came once is kept for good, and a fetch that was cut short goes on. Package
// docpage reads them.
package tfdocs
