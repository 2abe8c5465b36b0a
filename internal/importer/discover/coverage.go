package discover

import "slices"

// Coverage says what was done about every wanted resource type. The lists
// are sorted and share no type, except that a type whose listing failed or
// was cut short may have objects all the same.
type Coverage struct {
	// Enumerated types were listed whole, or as far as the user asked.
	Enumerated []string
	// NamedOnly types are known only by the objects that the user brought:
	// nobody looked for others.
	NamedOnly []string
	// Truncated types have more objects than the limit let through, and were
	// not listed whole by another source.
	Truncated []string
	// NeedConfig types can be listed by the provider, but only with
	// configuration, which a query file can give.
	NeedConfig []string
	// Failed types could not be listed, and why, sorted by type.
	Failed []Failure
	// NotEnumerable types are those that no source could say anything about.
	NotEnumerable []string
	// Excluded counts objects of types that the user left out.
	Excluded int
}

// cover sums up what the sources said about the wanted types.
func cover(scope Scope, outcome Outcome, found []Found) Coverage {
	enumerated, whole, named := setOf(outcome.Enumerated), setOf(outcome.Whole), setOf(outcome.Named)
	for _, f := range found {
		named[f.Type] = true
	}
	failed := failuresByType(outcome.Failed)
	truncated, needConfig := setOf(outcome.Truncated), setOf(outcome.NeedConfig)
	c := Coverage{Excluded: outcome.Excluded}
	for _, typeName := range scope.wanted() {
		failures, hasFailed := failed[typeName]
		switch {
		case hasFailed:
			c.Failed = append(c.Failed, failures)
		case truncated[typeName] && !whole[typeName]:
			c.Truncated = append(c.Truncated, typeName)
		case enumerated[typeName]:
			c.Enumerated = append(c.Enumerated, typeName)
		case named[typeName]:
			c.NamedOnly = append(c.NamedOnly, typeName)
		case needConfig[typeName]:
			c.NeedConfig = append(c.NeedConfig, typeName)
		default:
			c.NotEnumerable = append(c.NotEnumerable, typeName)
		}
	}
	return c
}

func failuresByType(failures []Failure) map[string]Failure {
	out := map[string]Failure{}
	for _, f := range failures {
		all := out[f.Type]
		all.Type = f.Type
		all.Diagnostics = append(slices.Clip(all.Diagnostics), f.Diagnostics...)
		out[f.Type] = all
	}
	return out
}
