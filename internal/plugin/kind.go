package plugin

import "slices"

// Kind is what a plugin is for, as spelled on command lines and in the names
// of executables.
type Kind string

// The five kinds.
const (
	Analyzer  Kind = "analyzer"
	Converter Kind = "converter"
	Language  Kind = "language"
	Resource  Kind = "resource"
	Tool      Kind = "tool"
)

// Kinds lists all kinds in alphabetical order.
func Kinds() []Kind { return []Kind{Analyzer, Converter, Language, Resource, Tool} }

// ParseKind reads the name of a kind; ok is false where there is none of it.
func ParseKind(text string) (kind Kind, ok bool) {
	return Kind(text), slices.Contains(Kinds(), Kind(text))
}
