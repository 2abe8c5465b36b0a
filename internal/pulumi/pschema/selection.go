package pschema

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

// Selection says which resources and functions to take of a package. A
// pattern stands for a name (`Bucket`), for a token as the schema has it
// (`aws:s3/bucket:Bucket`) or for one as programs write it (`aws:s3:Bucket`).
// In it `*` is any run of characters, `?` one character, and `[a-c]` one of
// these; letters are of the case of the schema.
type Selection struct {
	// Include takes what matches; none takes everything.
	Include []string
	// Exclude leaves out what matches, of that.
	Exclude []string
}

// IsZero reports whether everything is taken.
func (s Selection) IsZero() bool { return len(s.Include) == 0 && len(s.Exclude) == 0 }

// selectable is a member that patterns are for.
type selectable struct {
	token string
	// short is the token as programs write it, name what is last in it.
	short, name string
}

// selectables are the resources and the functions that are no methods.
func (p *Package) selectables() []selectable {
	var all []selectable
	for _, token := range p.ResourceTokens() {
		all = append(all, p.selectable(token))
	}
	for _, token := range p.FunctionTokens() {
		if function, _ := p.Function(token); !function.IsMethod {
			all = append(all, p.selectable(token))
		}
	}
	return all
}

func (p *Package) selectable(token string) selectable {
	parsed, _ := ParseToken(token)
	module := p.Module(token)
	if module == "" {
		module = "index"
	}
	return selectable{token, parsed.Package + ":" + module + ":" + parsed.Name, parsed.Name}
}

func (m selectable) matchesAny(patterns []string) bool {
	return slices.ContainsFunc(patterns, m.matches)
}

// matches reports whether a pattern is for the member. One that is malformed
// is for none.
func (m selectable) matches(pattern string) bool {
	for _, name := range []string{m.token, m.short, m.name} {
		// For path.Match a slash ends a run of characters; here it is one of them.
		ok, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
		if ok {
			return true
		}
	}
	return false
}

func (s Selection) takes(m selectable) bool {
	return (len(s.Include) == 0 || m.matchesAny(s.Include)) && !m.matchesAny(s.Exclude)
}

// check makes sure that every pattern means something, and that something is
// taken.
func (s Selection) check(p *Package, all []selectable) diag.List {
	var diags diag.List
	for _, pattern := range slices.Concat(s.Include, s.Exclude) {
		if _, err := path.Match(pattern, ""); err != nil {
			diags = append(diags, badPattern(pattern))
		} else if !slices.ContainsFunc(all, func(m selectable) bool { return m.matches(pattern) }) {
			diags = append(diags, selectsNothing(p, pattern, all))
		}
	}
	if diags.HasErrors() {
		return diags
	}
	for _, pattern := range s.Include {
		if !slices.ContainsFunc(all, func(m selectable) bool { return m.matches(pattern) && !m.matchesAny(s.Exclude) }) {
			diags = append(diags, selectedTwice(pattern, s.Exclude))
		}
	}
	if !diags.HasErrors() && !slices.ContainsFunc(all, s.takes) {
		diags = append(diags, nothingLeft(p))
	}
	return diags
}

func badPattern(pattern string) *diag.Diagnostic {
	return diag.Errorf("PS0062", "Malformed pattern", "%q has a [ that no ] ends, or nothing between them. "+
		"Write a name, with * for any characters.", pattern)
}

func selectsNothing(p *Package, pattern string, all []selectable) *diag.Diagnostic {
	names := map[string]bool{}
	for _, m := range all {
		if strings.Contains(pattern, ":") {
			names[m.short] = true
		} else {
			names[m.name] = true
		}
	}
	hint := suggest.DidYouMean(pattern, slices.Sorted(maps.Keys(names)))
	if slices.ContainsFunc(p.TypeTokens(), func(token string) bool { return p.selectable(token).matches(pattern) }) {
		hint = " It is a type: types come along with what uses them."
	}
	return diag.Errorf("PS0060", "Nothing has the selected name", "Package %s has no resource and no function %q.%s", p.Name(), pattern, hint)
}

func selectedTwice(pattern string, exclude []string) *diag.Diagnostic {
	return diag.Errorf("PS0061", "A name is included and excluded", "%q is included, and all of it is excluded: %s. Remove one of the two.",
		pattern, strings.Join(exclude, ", "))
}

func nothingLeft(p *Package) *diag.Diagnostic {
	return diag.Errorf("PS0063", "Nothing is left of the package", "Every resource and function of package %s is excluded.", p.Name())
}

// comesAlong tells what is in the selection against the user's word.
func comesAlong(tokens []string) *diag.Diagnostic {
	return diag.Warnf("PS0064", "Something excluded comes along", "Something that is selected refers to %s.", strings.Join(tokens, ", "))
}
