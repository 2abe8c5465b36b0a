package sdkts

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// indexFile writes what a module exports. Classes and functions are loaded
// when they are first used; their types cost nothing.
func (m *module) indexFile() sdkgen.File {
	f := m.sdk.file(pathTo(m.dir, "index.ts"))
	for _, r := range m.resources {
		f.declares[m.sdk.className(r.Token)] = true
	}
	x := &index{file: f, module: m}
	x.members()
	if len(m.enums) > 0 {
		f.line("export * from ", quote(f.relative(pathTo("types/enums", m.name))), ";")
		f.blank()
	}
	if m.name == configModule && len(m.sdk.pkg.Config()) > 0 {
		f.line(`export * from "./vars";`)
		f.blank()
	}
	x.children()
	x.register()
	f.trim()
	return f.done()
}

// trim takes away the blank line at the end.
func (f *file) trim() {
	if bytes.HasSuffix(f.body.Bytes(), []byte("\n\n")) {
		f.body.Truncate(f.body.Len() - 1)
	}
}

type index struct {
	*file
	module *module
}

// members exports resources and functions, in the order of their files.
func (x *index) members() {
	exports := map[string]func(){}
	for _, r := range x.module.resources {
		exports[x.module.files[r.Token]] = func() { x.resource(r) }
	}
	for _, fn := range x.module.functions {
		exports[x.module.files[fn.Token]] = func() { x.function(fn) }
	}
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		exports[name]()
		x.blank()
	}
}

func (x *index) resource(r *pschema.Resource) {
	name, from := x.sdk.className(r.Token), quote("./"+x.module.files[r.Token])
	if hasMethodTypes(r) {
		x.line("export * from ", from, ";")
		x.line("import { ", name, " } from ", from, ";")
		return
	}
	types := name + "Args"
	if takesState(r) {
		types += ", " + name + "State"
	}
	x.line("export type { ", types, " } from ", from, ";")
	x.line("export type ", name, " = import(", from, ").", name, ";")
	x.lazy(from, name)
}

func (x *index) function(fn *pschema.Function) {
	name, from := functionName(fn), quote("./"+x.module.files[fn.Token])
	w := functionWriter{function: fn, name: name, typeName: upperFirst(name)}
	var types, names []string
	if !fn.OutputFormOnly {
		names = append(names, name)
		if w.hasArgs(plainForm) {
			types = append(types, w.argsName(plainForm))
		}
	}
	if returnsObject(fn) {
		types = append(types, w.typeName+"Result")
	}
	if sdkgen.HasOutputForm(fn) {
		names = append(names, name+"Output")
		if w.hasArgs(inputForm) {
			types = append(types, w.argsName(inputForm))
		}
	}
	if len(types) > 0 {
		x.line("export type { ", strings.Join(types, ", "), " } from ", from, ";")
	}
	x.lazy(from, names...)
}

// lazy exports what another file has, which is loaded at the first use. from
// is quoted.
func (x *index) lazy(from string, names ...string) {
	for _, name := range names {
		export := "export const "
		if reserved(name) {
			export = "const "
		}
		x.line(export, local(name), ": typeof import(", from, ").", name, " = null as any;")
		if reserved(name) {
			x.line("export { ", local(name), " as ", name, " };")
		}
	}
	x.line(x.utilities(), ".lazyLoad(exports, [", quoteAll(names), "], () => require(", from, "));")
}

// children exports the modules below.
func (x *index) children() {
	all := maps.Clone(x.module.children)
	if x.module.name == "" && x.sdk.hasTypes() {
		all[typesModule] = true
	}
	if len(all) == 0 {
		return
	}
	x.submodules(slices.Sorted(maps.Keys(all)))
}

// submodules exports directories beside the file.
func (f *file) submodules(names []string) {
	var exports []string
	for _, name := range names {
		local := f.submoduleName(name)
		f.line("import * as ", local, " from ", quote("./"+name), ";")
		if local != name && identifierName(name) && !reserved(name) {
			local += " as " + name
		}
		exports = append(exports, local)
	}
	f.blank()
	f.block("export {", func() {
		for _, export := range exports {
			f.line(export, ",")
		}
	}, "};")
	f.blank()
}

// submoduleName is a name for a module in this file, which other names in it
// are not to be hidden by.
func (f *file) submoduleName(name string) string {
	name = identifier(name)
	switch name {
	case "module", "exports", "require", "pulumi", "utilities":
		return name + "_"
	}
	return name
}

// register tells the runtime how to make instances of the module's resources,
// when it meets references to them.
func (x *index) register() {
	resources := slices.DeleteFunc(slices.Clone(x.module.resources), func(r *pschema.Resource) bool { return r.IsProvider })
	if len(resources) > 0 {
		x.block("const _module = {", func() {
			x.line("version: ", x.utilities(), ".getVersion(),")
			x.block("construct: (name: string, type: string, urn: string): "+x.pulumi()+".Resource => {", func() {
				x.block("switch (type) {", func() { x.constructors(resources) }, "}")
			}, "},")
		}, "};")
		for _, token := range runtimeModules(resources) {
			x.line("pulumi.runtime.registerResourceModule(", quote(token.Package), ", ", quote(token.Module), ", _module);")
		}
	}
	if x.module.name == "" && x.module.files[x.sdk.pkg.ProviderToken()] != "" {
		x.registerPackage()
	}
}

func (x *index) constructors(resources []*pschema.Resource) {
	for _, r := range resources {
		x.line("case ", quote(r.Token), ":")
		x.line("    return new ", typeName(r.Token), "(name, undefined as any, { urn });")
	}
	x.line("default:")
	x.line("    throw new ", x.global("Error"), "(`unknown resource type ${type}`);")
}

// runtimeModules are the modules of tokens as the runtime knows them: the
// whole middle part.
func runtimeModules(resources []*pschema.Resource) []pschema.Token {
	seen := map[pschema.Token]bool{}
	var all []pschema.Token
	for _, r := range resources {
		token, _ := pschema.ParseToken(r.Token)
		token.Name = ""
		if !seen[token] {
			seen[token] = true
			all = append(all, token)
		}
	}
	return all
}

func (x *index) registerPackage() {
	token := quote(x.sdk.pkg.ProviderToken())
	x.block(x.pulumi()+".runtime.registerResourcePackage("+quote(x.sdk.pkg.Name())+", {", func() {
		x.line("version: ", x.utilities(), ".getVersion(),")
		x.block("constructProvider: (name: string, type: string, urn: string): pulumi.ProviderResource => {", func() {
			x.block("if (type !== "+token+") {", func() { x.line("throw new ", x.global("Error"), "(`unknown provider type ${type}`);") }, "}")
			x.line("return new Provider(name, undefined as any, { urn });")
		}, "},")
	}, "});")
}
