package pschema

import (
	"maps"
	"path"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

// Selection says which resources and functions to take of a package. A
// pattern is a token or the name at its end, with `*` for any run of
// characters and `?` for one ([path.Match], so that none of them is a slash).
type Selection struct {
	// Include takes what matches; none takes everything.
	Include []string
	// Exclude leaves out what matches, of that.
	Exclude []string
}

// Subset is the package without what a selection leaves out. What remains
// keeps the resources and types that it refers to, and the provider stays. A
// pattern that matches nothing is an error, and so is one that is both
// included and excluded.
func (p *Package) Subset(selection Selection) (*Package, diag.List) {
	if len(selection.Include) == 0 && len(selection.Exclude) == 0 {
		return p, nil
	}
	if diags := p.checkSelection(selection); diags.HasErrors() {
		return nil, diags
	}
	kept := &Package{Header: p.Header, doc: p.doc.view(), load: p.load, moduleFormat: p.moduleFormat}
	reached := reach{pkg: kept, resources: section{}, functions: section{}, types: section{}}
	reached.resource(kept.ProviderToken())
	for token := range p.doc.resources {
		if selection.takes(token) {
			reached.resource(token)
		}
	}
	for token := range p.doc.functions {
		if function, _ := kept.Function(token); !function.IsMethod && selection.takes(token) {
			reached.function(token)
		}
	}
	for _, variable := range kept.Config() {
		reached.use(variable.Use)
	}
	kept.doc.resources, kept.doc.functions, kept.doc.types = reached.resources, reached.functions, reached.types
	return kept, nil
}

func (s Selection) takes(token string) bool {
	return (len(s.Include) == 0 || matchesAny(s.Include, token)) && !matchesAny(s.Exclude, token)
}

func matchesAny(patterns []string, token string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matches(pattern, token) })
}

func matches(pattern, token string) bool {
	parsed, _ := ParseToken(token)
	if pattern == token || pattern == parsed.Name {
		return true
	}
	whole, _ := path.Match(pattern, token) // a bad pattern matches nothing, which is an error by itself
	name, _ := path.Match(pattern, parsed.Name)
	return whole || name
}

// checkSelection makes sure that every pattern means something.
func (p *Package) checkSelection(selection Selection) diag.List {
	var diags diag.List
	tokens := slices.Concat(p.ResourceTokens(), p.FunctionTokens())
	for _, pattern := range slices.Concat(selection.Include, selection.Exclude) {
		if !slices.ContainsFunc(tokens, func(token string) bool { return matches(pattern, token) }) {
			diags = append(diags, selectsNothing(p, pattern, tokens))
		}
	}
	for _, pattern := range selection.Include {
		if slices.Contains(selection.Exclude, pattern) {
			diags = append(diags, selectedTwice(pattern))
		}
	}
	return diags
}

func selectsNothing(p *Package, pattern string, tokens []string) *diag.Diagnostic {
	names := map[string]bool{}
	for _, token := range tokens {
		parsed, _ := ParseToken(token)
		names[parsed.Name] = true
	}
	return diag.Errorf("PS0060", "Nothing has the selected name", "Package %s has no resource and no function %q.%s",
		p.Name(), pattern, suggest.DidYouMean(pattern, slices.Sorted(maps.Keys(names))))
}

func selectedTwice(pattern string) *diag.Diagnostic {
	return diag.Errorf("PS0061", "A name is included and excluded", "%q is both. Remove one.", pattern)
}

// reach gathers what is kept and all that it refers to.
type reach struct {
	pkg                         *Package
	resources, functions, types section
}

func (r *reach) resource(token string) {
	if token != r.pkg.ProviderToken() {
		if _, seen := r.resources[token]; seen {
			return
		}
		r.resources[token] = r.pkg.doc.resources[token]
	}
	resource, ok := r.pkg.Resource(token)
	if !ok {
		return
	}
	r.properties(resource.Inputs)
	r.properties(resource.Outputs)
	r.object(resource.StateInputs)
	r.object(resource.ListInputs)
	for _, method := range resource.Methods {
		r.function(method.Function.Token)
	}
}

func (r *reach) function(token string) {
	if _, seen := r.functions[token]; seen {
		return
	}
	r.functions[token] = r.pkg.doc.functions[token]
	function, _ := r.pkg.Function(token)
	r.object(function.Inputs)
	if function.Returns != nil {
		r.use(*function.Returns)
	}
}

func (r *reach) properties(properties []*Property) {
	for _, property := range properties {
		r.use(property.Use)
	}
}

func (r *reach) object(object *Object) {
	switch {
	case object == nil || object.Package != r.pkg:
		return
	case object.Named:
		if _, seen := r.types[object.Token]; seen {
			return
		}
		r.types[object.Token] = r.pkg.doc.types[object.Token]
	}
	r.properties(object.Properties())
}

func (r *reach) use(use Use) {
	switch of := use.Type.(type) {
	case *Array:
		r.use(of.Elem)
	case *Map:
		r.use(of.Elem)
	case *Union:
		for _, member := range of.Members {
			r.use(member)
		}
	case *Object:
		r.object(of)
	case *Enum:
		if of.Package == r.pkg {
			r.types[of.Token] = r.pkg.doc.types[of.Token]
		}
	case *ResourceType:
		if of.Package == r.pkg {
			r.resource(of.Token)
		}
	}
}
