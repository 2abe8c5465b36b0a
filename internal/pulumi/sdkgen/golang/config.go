package golang

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// writeConfig writes a getter for each configuration variable. What is no
// scalar is JSON in a string.
func (f *file) writeConfig(variables []*pschema.Property) {
	config := f.use(path.Join(pulumiImport, "config"))
	f.pulumi()
	for _, v := range variables {
		suffix, plain := "", "string"
		switch underlying(simple(v.Type)) {
		case pschema.Boolean:
			suffix, plain = "Bool", "bool"
		case pschema.Integer:
			suffix, plain = "Int", "int"
		case pschema.Number:
			suffix, plain = "Float64", "float64"
		}
		f.commentOr(v.Description, "Get"+pascal(v.Name)+" is the configuration variable "+v.Name+".", v.DeprecationMessage)
		key := strconv.Quote(f.sdk.pkg.Name() + ":" + v.Name)
		f.printf("func Get%s(ctx *pulumi.Context) %s {\n", pascal(v.Name), plain)
		if v.Default == nil || !scalarDefault(v.Type) {
			f.printf("\treturn %sGet%s(ctx, %s)\n}\n\n", config, suffix, key)
			continue
		}
		f.printf("\tv, err := %sTry%s(ctx, %s)\n\tif err == nil {\n\t\treturn v\n\t}\n\tvar value %s\n%s\treturn value\n}\n\n",
			config, suffix, key, plain, indented(f.assignDefault(v, func(value string) string { return fmt.Sprintf("value = %s\n", value) })))
	}
}

// writeInit registers the resources of a module, so that references to them
// become values of their types again.
func (f *file) writeInit() {
	f.use("fmt")
	semver := f.use("github.com/blang/semver")
	f.pulumi()
	resources, provider := splitProvider(f.Resources)
	if len(resources) > 0 {
		f.writeModule(semver, resources)
	}
	if provider {
		f.writeProviderInit(semver)
	}
	f.printf("func init() {\n\tversion, err := %sPkgVersion()\n\tif err != nil {\n\t\tversion = %sVersion{Major: 1}\n\t}\n", f.internal(), semver)
	for _, m := range tokenModules(resources) {
		f.printf("\tpulumi.RegisterResourceModule(%q, %q, &module{version})\n", f.sdk.pkg.Name(), m)
	}
	if provider {
		f.printf("\tpulumi.RegisterResourcePackage(%q, &pkg{version})\n", f.sdk.pkg.Name())
	}
	f.printf("}\n")
}

// splitProvider takes the provider, which comes last, from resources.
func splitProvider(all []*pschema.Resource) (resources []*pschema.Resource, provider bool) {
	last := len(all) - 1
	if all[last].IsProvider {
		return all[:last], true
	}
	return all, false
}

// tokenModules are the modules in the tokens of resources, which are sorted.
func tokenModules(resources []*pschema.Resource) []string {
	var modules []string
	for _, r := range resources {
		t, _ := pschema.ParseToken(r.Token)
		modules = append(modules, t.Module)
	}
	return slices.Compact(modules)
}

func (f *file) writeModule(semver string, resources []*pschema.Resource) {
	f.printf("type module struct {\n\tversion %sVersion\n}\n\n// Version is the package's.\nfunc (m *module) Version() %sVersion {\n\treturn m.version\n}\n\n", semver, semver)
	f.printf("// Construct makes the resource of a reference.\nfunc (m *module) Construct(ctx *pulumi.Context, name, typ, urn string) (r pulumi.Resource, err error) {\n\tswitch typ {\n")
	for _, r := range resources {
		f.printf("\tcase %q:\n\t\tr = &%s{}\n", r.Token, f.sdk.resourceName(r.Token))
	}
	f.printf("\tdefault:\n\t\treturn nil, fmt.Errorf(\"unknown resource type: %%s\", typ)\n\t}\n\n\terr = ctx.RegisterResource(typ, name, nil, r, pulumi.URN_(urn))\n\treturn\n}\n\n")
}

func (f *file) writeProviderInit(semver string) {
	text := `type pkg struct {
	version SEMVERVersion
}

// Version is the package's.
func (p *pkg) Version() SEMVERVersion {
	return p.version
}

// ConstructProvider makes the provider of a reference.
func (p *pkg) ConstructProvider(ctx *pulumi.Context, name, typ, urn string) (pulumi.ProviderResource, error) {
	if typ != TOKEN {
		return nil, fmt.Errorf("unknown provider type: %s", typ)
	}

	r := &Provider{}
	err := ctx.RegisterResource(typ, name, nil, r, pulumi.URN_(urn))
	return r, err
}

`
	f.printf("%s", strings.NewReplacer("SEMVER", semver, "TOKEN", strconv.Quote(f.sdk.pkg.ProviderToken())).Replace(text))
}
