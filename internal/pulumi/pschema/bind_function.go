package pschema

import "slices"

func (p *Package) bindFunction(token string, at span) *Function {
	spec := p.doc.cursor(at).function()
	function := &Function{
		Package: p, Token: token, Description: spec.Description,
		MultiArgument:      spec.MultiArgumentInputs,
		DeprecationMessage: spec.DeprecationMessage, Language: spec.Language,
		Overlay:        Overlay{Is: spec.IsOverlay, Languages: spec.OverlaySupportedLanguages},
		OutputFormOnly: spec.Plain != nil && !*spec.Plain,
	}
	if spec.Inputs != nil {
		_, function.IsMethod = spec.Inputs.Properties[selfInput]
		function.Inputs = p.newObject(token+"Args", spec.Inputs)
	}
	function.Returns = p.bindReturns(token, spec.Outputs)
	p.checkMultiArgument(&spec)
	return function
}

func (p *Package) bindReturns(token string, spec *ReturnSpec) *Use {
	switch {
	case spec == nil:
		return nil
	case spec.Object != nil:
		return &Use{Type: p.newObject(token+"Result", spec.Object), Plain: spec.ObjectIsPlain}
	}
	use := p.bindUse(spec.Type)
	return &use
}

// checkMultiArgument makes sure that inputs passed one by one are all inputs,
// each once.
func (p *Package) checkMultiArgument(spec *FunctionSpec) {
	if len(spec.MultiArgumentInputs) == 0 {
		return
	}
	at := p.within(spec.At, "multiArgumentInputs")
	if spec.Inputs == nil {
		p.report(multiArgument(at, "the function has no inputs"))
		return
	}
	for i, name := range spec.MultiArgumentInputs {
		if _, ok := spec.Inputs.Properties[name]; !ok {
			p.report(multiArgument(at, "there is no input "+name))
		}
		if slices.Contains(spec.MultiArgumentInputs[:i], name) {
			p.report(multiArgument(at, name+" is in it twice"))
		}
	}
	for name := range spec.Inputs.Properties {
		if !slices.Contains(spec.MultiArgumentInputs, name) {
			p.report(multiArgument(at, "the input "+name+" is not in it"))
		}
	}
}
