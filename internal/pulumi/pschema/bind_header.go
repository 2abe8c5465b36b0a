package pschema

import "regexp"

// bindHeader takes from the header what binding needs.
func (p *Package) bindHeader() {
	if _, ok := parseVersion(p.Header.Version); !ok && p.Header.Version != "" {
		p.report(badVersion(p.inHeader("version"), p.Header.Version))
	}
	if meta := p.Header.Meta; meta != nil && meta.ModuleFormat != "" {
		format, err := regexp.Compile(meta.ModuleFormat)
		switch {
		case err != nil:
			p.report(badModuleFormat(p.within(meta.At, "moduleFormat"), err.Error()))
		case format.NumSubexp() == 0:
			p.report(badModuleFormat(p.within(meta.At, "moduleFormat"), "it has no group, which would be the module"))
		default:
			p.moduleFormat = format
		}
	}
}

// checkHeader looks at what binding itself can do without.
func (p *Package) checkHeader() {
	switch p.Header.Name {
	case "":
		p.report(noPackageName(p.inHeader("name")))
	case "pulumi", "input":
		p.report(reservedPackageName(p.inHeader("name"), p.Header.Name))
	}
	p.checkParameterization()
	for _, dependency := range p.Header.Dependencies {
		p.checkDependency(dependency)
	}
}

func (p *Package) checkParameterization() {
	parameterization, extension := p.Header.Parameterization, p.Header.ExtensionParameterization
	if parameterization != nil {
		p.checkBase(parameterization.BaseProvider)
	}
	if extension == nil {
		return
	}
	if parameterization != nil {
		p.report(twoParameterizations(p.inHeader("extensionParameterization")))
	}
	if p.Header.Provider != nil {
		p.report(extensionWithProvider(p.inHeader("provider")))
	}
	base := extension.BaseProvider
	p.checkBase(BaseProviderSpec{At: base.At, Name: base.Name, Version: base.Version})
	if base.Parameterization != nil {
		p.checkBase(base.Parameterization.BasePlugin)
	}
}

// checkBase looks at a plugin named by a parameterization, which needs an
// exact version.
func (p *Package) checkBase(base BaseProviderSpec) {
	if base.Name == "" {
		p.report(noBaseName(base.At))
	}
	if _, ok := parseVersion(base.Version); !ok {
		p.report(badVersion(p.within(base.At, "version"), base.Version))
	}
}

func (p *Package) checkDependency(dependency DependencySpec) {
	if dependency.Name == "" {
		p.report(noBaseName(dependency.At))
	}
	if _, ok := parseVersion(dependency.Version); !ok && dependency.Version != "" {
		p.report(badVersion(p.within(dependency.At, "version"), dependency.Version))
	}
}

func (p *Package) report(f finding) { p.doc.findings.add(f) }

// inHeader is the place of a member of the schema itself.
func (p *Package) inHeader(key string) Place { return p.within(0, key) }

// within is the place of a part of the value at a place; of as much of the
// path as is there.
func (p *Package) within(at Place, path ...string) Place {
	c := &cursor{text: p.doc.text, pos: int(at), report: func(finding) {}}
	for _, name := range path {
		inner, ok := c.find(name)
		if !ok {
			break
		}
		c.pos = int(inner)
	}
	return c.place()
}
