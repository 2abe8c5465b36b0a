// Package docpage reads the documentation pages of Terraform providers, as
// registries publish them: Markdown in the form that tfplugindocs generates,
// or in the one of people before it.
//
// [Parse] takes a page apart into what it says of the whole, its sections, and
// its lists of arguments and attributes. Which list is about which block, only
// the schema can tell: [Page.Texts] places them in one. A text that may be
// about several things is about none: no text is better than a wrong one.
//
// Where pages come from is the business of tfdocs.
package docpage
