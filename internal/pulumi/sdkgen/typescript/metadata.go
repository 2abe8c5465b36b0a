package sdkts

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// metadata are the files that are no TypeScript.
func (s *sdk) metadata() []sdkgen.File {
	files := []sdkgen.File{
		{Path: ".gitattributes", Data: []byte("* linguist-generated\n")},
		{Path: ".gitignore", Data: []byte("node_modules/\nbin/\n")},
		{Path: "README.md", Data: []byte(s.readme())},
		{Path: "package.json", Data: jsonText(s.manifest())},
		{Path: "tsconfig.json", Data: jsonText(compilerConfig())},
	}
	if s.opts.Local {
		files = append(files, sdkgen.File{Path: "scripts/postinstall.js", Data: postinstallText})
	}
	return files
}

// jsonText indents as npm does. What is given to it is always JSON.
func jsonText(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "    ")
	_ = encoder.Encode(value)
	return b.Bytes()
}

// manifest is a package.json.
type manifest struct {
	Name             string            `json:"name"`
	Version          string            `json:"version"`
	Description      string            `json:"description,omitempty"`
	Keywords         []string          `json:"keywords,omitempty"`
	Homepage         string            `json:"homepage,omitempty"`
	Repository       string            `json:"repository,omitempty"`
	License          string            `json:"license,omitempty"`
	Main             string            `json:"main,omitempty"`
	Scripts          map[string]string `json:"scripts"`
	Dependencies     map[string]string `json:"dependencies"`
	DevDependencies  map[string]string `json:"devDependencies,omitempty"`
	PeerDependencies map[string]string `json:"peerDependencies,omitempty"`
	Resolutions      map[string]string `json:"resolutions,omitempty"`
	// Pulumi is where the CLI looks for the plugin to install.
	Pulumi sdkgen.Plugin `json:"pulumi"`
}

func (s *sdk) manifest() manifest {
	m := manifest{
		Name: npmName(s.pkg, s.info), Version: sdkgen.Version(s.pkg),
		Description: s.info.PackageDescription, Keywords: s.pkg.Header.Keywords,
		Homepage: s.pkg.Header.Homepage, Repository: s.pkg.Header.Repository, License: s.pkg.Header.License,
		Scripts:         map[string]string{"build": "tsc"},
		Dependencies:    map[string]string{},
		DevDependencies: map[string]string{},
		Resolutions:     s.info.Resolutions, PeerDependencies: s.info.PeerDependencies,
		Pulumi: sdkgen.PluginOf(s.pkg),
	}
	maps.Copy(m.Dependencies, s.info.Dependencies)
	maps.Copy(m.DevDependencies, s.info.DevDependencies)
	s.compilerInto(&m)
	for pkg, other := range s.externals {
		m.Dependencies[other.npm] = s.rangeOf(pkg, m.Dependencies[other.npm])
	}
	if m.Dependencies[corePackage] == "" && m.DevDependencies[corePackage] == "" && m.PeerDependencies[corePackage] == "" {
		m.Dependencies[corePackage] = s.coreRange()
	}
	if path, ok := s.opts.Dependencies["pulumi"]; ok {
		m.Dependencies[corePackage] = path
	}
	return m
}

// compilerInto adds the compiler, which a local SDK needs when it is
// installed.
func (s *sdk) compilerInto(m *manifest) {
	into := m.DevDependencies
	if s.opts.Local {
		into = m.Dependencies
		delete(m.DevDependencies, "typescript")
		delete(m.DevDependencies, "@types/node")
		m.Main = "bin/index.js"
		m.Scripts["postinstall"] = "node ./scripts/postinstall.js"
	}
	compiler := compilerRange
	if s.info.TypeScriptVersion != "" && !s.opts.Local {
		compiler = s.info.TypeScriptVersion
	}
	for name, versions := range map[string]string{"typescript": compiler, "@types/node": nodeTypes} {
		if into[name] == "" || s.opts.Local {
			into[name] = versions
		}
	}
}

// rangeOf is where the SDK of another package comes from.
func (s *sdk) rangeOf(pkg *pschema.Package, said string) string {
	if path, ok := s.opts.Dependencies[pkg.Name()]; ok {
		return path
	}
	if said != "" {
		return said
	}
	if version := pkg.Version(); version != "" {
		return "^" + version
	}
	return "*"
}

func (s *sdk) coreRange() string {
	switch {
	case s.pkg.Header.ExtensionParameterization != nil:
		return extensionCore
	case s.pkg.Header.Parameterization != nil:
		return parameterizedCore
	}
	return plainCore
}

// compilerConfig is a tsconfig.json: CommonJS, since lazy loading calls
// require.
func compilerConfig() any {
	type options struct {
		OutDir                     string   `json:"outDir"`
		Declaration                bool     `json:"declaration"`
		DeclarationMap             bool     `json:"declarationMap"`
		SourceMap                  bool     `json:"sourceMap"`
		StripInternal              bool     `json:"stripInternal"`
		Target                     string   `json:"target"`
		Module                     string   `json:"module"`
		ModuleResolution           string   `json:"moduleResolution"`
		ModuleDetection            string   `json:"moduleDetection"`
		Types                      []string `json:"types"`
		Strict                     bool     `json:"strict"`
		NoFallthroughCasesInSwitch bool     `json:"noFallthroughCasesInSwitch"`
		NoImplicitReturns          bool     `json:"noImplicitReturns"`
		SkipLibCheck               bool     `json:"skipLibCheck"`
	}
	return struct {
		CompilerOptions options  `json:"compilerOptions"`
		Include         []string `json:"include"`
		Exclude         []string `json:"exclude"`
	}{
		options{
			OutDir: "bin", Declaration: true, DeclarationMap: true, SourceMap: true, StripInternal: true,
			Target: "ES2022", Module: "nodenext", ModuleResolution: "nodenext", ModuleDetection: "force",
			Types: []string{"node"}, Strict: true, NoFallthroughCasesInSwitch: true, NoImplicitReturns: true,
			SkipLibCheck: true,
		},
		[]string{"**/*.ts"}, []string{"bin", "node_modules"},
	}
}

func (s *sdk) readme() string {
	if s.info.Readme != "" {
		return s.info.Readme
	}
	text := "# " + npmName(s.pkg, s.info) + "\n\n"
	if s.pkg.Header.Description != "" {
		text += s.pkg.Header.Description + "\n\n"
	}
	return text + "A Pulumi SDK, generated from the schema of package " + s.pkg.Name() + ".\n\n```typescript\nimport * as " +
		identifier(camel(sdkgen.Pascal(s.pkg.Name()))) + " from " + quote(npmName(s.pkg, s.info)) + ";\n```\n"
}
