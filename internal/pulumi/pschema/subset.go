package pschema

import "github.com/formation-iac/formation/internal/base/diag"

// Subset is the package without what a selection leaves out. What remains
// keeps the resources and types that it refers to, which a warning names where
// they are excluded, and the provider stays. A pattern that matches nothing is
// an error, and so is an inclusion of which everything is excluded.
func (p *Package) Subset(selection Selection) (*Package, diag.List) {
	if selection.IsZero() {
		return p, nil
	}
	all := p.selectables()
	if diags := selection.check(p, all); diags.HasErrors() {
		return nil, diags
	}
	kept := &Package{Header: p.Header, doc: p.doc.view(), load: p.load, moduleFormat: p.moduleFormat}
	reached := reach{pkg: kept, resources: section{}, functions: section{}, types: section{}}
	reached.resource(kept.ProviderToken())
	for _, member := range all {
		if selection.takes(member) {
			reached.member(member.token)
		}
	}
	for _, variable := range kept.Config() {
		reached.use(variable.Use)
	}
	kept.doc.resources, kept.doc.functions, kept.doc.types = reached.resources, reached.functions, reached.types
	return kept, reached.uninvited(all, selection)
}

// reach gathers what is kept and all that it refers to.
type reach struct {
	pkg                         *Package
	resources, functions, types section
	// provider says that the provider, which is in no section, was seen.
	provider bool
}

// uninvited warns of what is excluded and reached all the same.
func (r *reach) uninvited(all []selectable, selection Selection) diag.List {
	var tokens []string
	for _, member := range all {
		if _, kept := r.resources[member.token]; kept && member.matchesAny(selection.Exclude) {
			tokens = append(tokens, member.token)
		}
	}
	if len(tokens) == 0 {
		return nil
	}
	return diag.List{comesAlong(tokens)}
}

func (r *reach) member(token string) {
	if _, ok := r.pkg.doc.resources[token]; ok {
		r.resource(token)
	} else {
		r.function(token)
	}
}

// enter notes a resource, and reports whether it is new.
func (r *reach) enter(token string) bool {
	if token == r.pkg.ProviderToken() {
		seen := r.provider
		r.provider = true
		return !seen
	}
	_, seen := r.resources[token]
	r.resources[token] = r.pkg.doc.resources[token]
	return !seen
}

func (r *reach) resource(token string) {
	resource, ok := r.pkg.Resource(token)
	if !ok || !r.enter(token) {
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
