// Package broker serves what plugins ask their host for: the schemas of
// packages (Loader), how packages relate to providers of another ecosystem
// (Mapper), and which plugin a package comes from (PackageResolver). All three
// are at one address.
//
// A [Server] is in use from [Listen] on, so that plugins can be told its
// address before there is anybody to answer. Answers come from a [Schemas], a
// [Mappings] and a [Resolver]: [InstalledSchemas] and [Mapper] ask installed
// plugins and remember what they said in a [Store], for as long as the plugin
// stays the same.
package broker
