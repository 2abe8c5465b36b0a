package pschema

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/parallel"
)

// bindAll binds every member, down to the last property, and looks for what
// no single member shows.
func (p *Package) bindAll(ctx context.Context) {
	p.checkHeader()
	p.checkTokens()
	p.Config()
	p.bindMembers(ctx)
	methods := map[string]bool{}
	for _, resource := range append(p.Resources(), p.Provider()) {
		noteMethods(methods, resource)
	}
	for _, function := range p.Functions() {
		if function.IsMethod && !methods[function.Token] {
			p.report(orphanMethod(p.doc.functions[function.Token].place(), function.Token))
		}
	}
	p.checkCycles(p.Types())
}

// bindMembers binds resources, functions and types on all processors. What is
// found does not depend on the order. It ends by itself, so it goes on where
// ctx ends; loading does not.
func (p *Package) bindMembers(ctx context.Context) {
	bind := func(tokens []string, one func(token string)) {
		parallel.Map(context.WithoutCancel(ctx), runtime.GOMAXPROCS(0), tokens, func(_ context.Context, token string) struct{} {
			one(token)
			return struct{}{}
		})
	}
	bind(p.ResourceTokens(), p.bindWholeResource)
	bind(p.FunctionTokens(), p.bindWholeFunction)
	bind(p.TypeTokens(), p.bindWholeType)
}

func (p *Package) bindWholeResource(token string) {
	resource, _ := p.Resource(token)
	bindObjects(resource.StateInputs, resource.ListInputs)
}

func (p *Package) bindWholeFunction(token string) {
	function, _ := p.Function(token)
	bindObjects(function.Inputs, function.InlineResult())
}

func (p *Package) bindWholeType(token string) {
	named, _ := p.Type(token)
	if object, ok := named.(*Object); ok {
		object.Properties()
	}
}

func bindObjects(objects ...*Object) {
	for _, object := range objects {
		if object != nil {
			object.Properties()
		}
	}
}

func noteMethods(all map[string]bool, resource *Resource) {
	if resource == nil {
		return // an extension has no provider
	}
	for _, method := range resource.Methods {
		all[method.Function.Token] = true
	}
}

// checkTokens looks at the shape of tokens, and for names that fall together.
func (p *Package) checkTokens() {
	shape := tokenShape()
	for _, tokens := range []section{p.doc.resources, p.doc.types, p.doc.functions} {
		for _, token := range tokens.tokens() {
			if problem := p.wrongWithToken(token, shape); problem != "" {
				p.report(badToken(tokens[token].place(), token, problem))
			}
		}
	}
	p.checkReservedNames()
	p.checkCollisions()
}

func (p *Package) checkReservedNames() {
	for _, tokens := range []section{p.doc.resources, p.doc.types, p.doc.functions} {
		for token, at := range tokens {
			if parsed, _ := ParseToken(token); parsed.Name == reservedName {
				p.report(reservedProperty(at.place(), reservedName))
			}
		}
	}
}

// checkCollisions finds resources and functions that are told apart by the
// case of letters or by what meta.moduleFormat drops: programs could name
// neither. And members that have the name of a module beside them.
func (p *Package) checkCollisions() {
	taken, modules := map[string]span{}, p.modules()
	for _, tokens := range []section{p.doc.resources, p.doc.functions} {
		for _, token := range tokens.tokens() {
			at, canonical := tokens[token], p.canonical(token)
			if first, ok := taken[canonical]; ok {
				p.report(sameName(at.place(), token, first.pointer()))
				continue
			}
			taken[canonical] = at
			if modules[p.nameInModules(token)] {
				p.report(nameOfModule(at.place(), token))
			}
		}
	}
}

// canonical is what a program can tell a member by: its package, module and
// name, in lower case.
func (p *Package) canonical(token string) string {
	parsed, _ := ParseToken(token)
	return strings.ToLower(parsed.Package + ":" + p.Module(token) + ":" + parsed.Name)
}

// nameInModules writes a member as if its name were a module of its own.
func (p *Package) nameInModules(token string) string {
	parsed, _ := ParseToken(token)
	return strings.ToLower(strings.TrimPrefix(p.Module(token)+"/"+parsed.Name, "/"))
}

// modules holds every module and the modules around it, in lower case.
func (p *Package) modules() map[string]bool {
	all := map[string]bool{}
	for _, tokens := range []section{p.doc.resources, p.doc.functions} {
		for token := range tokens {
			module := strings.ToLower(p.Module(token))
			for ; module != "" && !all[module]; module = module[:max(strings.LastIndexByte(module, '/'), 0)] {
				all[module] = true
			}
		}
	}
	return all
}

// checkCycles finds objects that need another of their own kind in
// themselves, and so can never be written down.
func (p *Package) checkCycles(types []Type) {
	search := cycleSearch{pkg: p, state: map[*Object]searchState{}}
	for _, one := range types {
		if object, ok := one.(*Object); ok {
			search.visit(object)
		}
	}
}

type searchState uint8

const (
	onPath searchState = iota + 1
	finished
)

type cycleSearch struct {
	pkg   *Package
	state map[*Object]searchState
	path  []*Object
}

func (s *cycleSearch) visit(object *Object) {
	switch {
	case s.state[object] == onPath:
		s.report(object)
		return
	case s.state[object] == finished || object.Package != s.pkg:
		return
	}
	s.state[object] = onPath
	s.path = append(s.path, object)
	for _, property := range object.Properties() {
		if inner, ok := property.Type.(*Object); ok && property.Required {
			s.visit(inner)
		}
	}
	s.path = s.path[:len(s.path)-1]
	s.state[object] = finished
}

func (s *cycleSearch) report(object *Object) {
	circle := s.path[slices.Index(s.path, object):]
	names := make([]string, 0, len(circle)+1)
	for _, member := range append(slices.Clone(circle), object) {
		names = append(names, member.Token)
	}
	s.pkg.report(endlessObject(s.pkg.doc.types[object.Token].place(), names))
}
