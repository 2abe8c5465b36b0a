package link

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// Rules declares which values may be links, by resource type. It does not
// change once parsed, and may be used concurrently.
type Rules struct {
	// byType holds the rules of a type in the order in which they were
	// written.
	byType map[string][]*Rule
}

// Rule says what the values at one path of a resource type may refer to.
type Rule struct {
	// Type is the resource type whose values are replaced.
	Type string
	Path Path
	// Targets are tried in order; the first that has the value wins. None
	// means that these values are never links, which takes back a rule of a
	// file that comes after.
	Targets []Target
	// Range is the place of the rule.
	Range hcl.Range
}

// Target is a root attribute of a resource type, with the text that stands
// around its value: "${aws_s3_bucket.arn}/*".
type Target struct {
	Type, Attribute string
	// Within is sorted by the target's attributes; empty where a value means
	// the same everywhere.
	Within []Agreement
	// Before and After are the literal text around the reference.
	Before, After string
	// Rest says that any text may follow After, which is not empty then.
	Rest bool
	// Range is the place of the target.
	Range hcl.Range
}

// String writes t as rule files do.
func (t Target) String() string {
	ref := t.Type + within(t.Within) + "." + t.Attribute
	if t.Before == "" && t.After == "" && !t.Rest {
		return ref
	}
	rest := ""
	if t.Rest {
		rest = "${" + restName + "}"
	}
	return `"` + escapeText(t.Before) + "${" + ref + "}" + escapeText(t.After) + rest + `"`
}

// Types lists the resource types that have rules, sorted.
func (r *Rules) Types() []string {
	types := make([]string, 0, len(r.byType))
	for name := range r.byType {
		types = append(types, name)
	}
	slices.Sort(types)
	return types
}

// For returns the rules of a resource type, in the order in which they were
// written. The caller must not change them.
func (r *Rules) For(resourceType string) []*Rule { return r.byType[resourceType] }

// lookups are what rules ask of resources, by resource type.
func (r *Rules) lookups() map[string]map[lookup]bool {
	out := map[string]map[lookup]bool{}
	for _, rules := range r.byType {
		for _, rule := range rules {
			for _, target := range rule.Targets {
				if out[target.Type] == nil {
					out[target.Type] = map[lookup]bool{}
				}
				out[target.Type][target.lookup()] = true
			}
		}
	}
	return out
}

// Merge joins rule files. Where several have a rule for the same path of a
// type, the first of them counts, so the user's files come before [Builtin].
func Merge(files ...*Rules) *Rules {
	out := &Rules{byType: map[string][]*Rule{}}
	for _, file := range files {
		before := out.pathKeys()
		for name, rules := range file.byType {
			for _, rule := range rules {
				if !before[rule.key()] {
					out.byType[name] = append(out.byType[name], rule)
				}
			}
		}
	}
	return out
}

func (r *Rules) pathKeys() map[string]bool {
	keys := map[string]bool{}
	for _, rules := range r.byType {
		for _, rule := range rules {
			keys[rule.key()] = true
		}
	}
	return keys
}

// key tells apart the paths that mean different things.
func (r *Rule) key() string { return r.Type + " " + r.Path.names() }

// escapeText writes text as it stands in a quoted template.
func escapeText(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{").Replace(s)
}
