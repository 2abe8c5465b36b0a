package sdkts

import (
	_ "embed" // runtime files
	"encoding/base64"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

//go:embed runtime/utilities.ts
var utilitiesText string

//go:embed runtime/postinstall.js
var postinstallText []byte

// utilitiesFile is what all files of the SDK call, and what they say about
// the plugin.
func (s *sdk) utilitiesFile() sdkgen.File {
	text := strings.Replace(utilitiesText, "/*options*/", s.defaultOptions(), 1)
	f := s.file("utilities.ts")
	f.body.WriteString(text)
	if s.parameterized() {
		f.blank()
		f.getPackage()
	}
	return f.done()
}

// defaultOptions are those of every resource and call.
func (s *sdk) defaultOptions() string {
	var options []string
	if s.pkg.Version() != "" {
		options = append(options, "version: getVersion()")
	}
	if url := s.pkg.Header.PluginDownloadURL; url != "" {
		options = append(options, "pluginDownloadURL: "+quote(url))
	}
	return strings.Join(options, ", ")
}

// getPackage writes the function that tells the engine which package of its
// plugin is meant.
func (f *file) getPackage() {
	base, parameter, isExtension := parameterization(f.sdk.pkg)
	f.doc("Tells the engine which package of the plugin is meant, and returns how to refer to it.\n\n@internal", "")
	f.block("export async function getPackage(): Promise<string | undefined> {", func() {
		f.block("return pulumi.runtime.registerPackage({", func() {
			f.line("baseProviderName: ", quote(base.Name), ",")
			f.line("baseProviderVersion: ", quote(base.Version), ",")
			f.line("baseProviderDownloadUrl: ", quote(f.sdk.pkg.Header.PluginDownloadURL), ",")
			f.line("packageName: ", quote(f.sdk.pkg.Name()), ",")
			f.line("packageVersion: ", quote(sdkgen.Version(f.sdk.pkg)), ",")
			f.line("base64Parameter: ", quote(base64.StdEncoding.EncodeToString(parameter)), ",")
			if isExtension {
				f.line("extension: true,")
			}
		}, "});")
	}, "}")
}

// parameterization is what makes the package of a plugin, or adds it to one.
func parameterization(pkg *pschema.Package) (base pschema.BaseProviderSpec, parameter []byte, isExtension bool) {
	if p := pkg.Header.Parameterization; p != nil {
		return p.BaseProvider, p.Parameter, false
	}
	extension := pkg.Header.ExtensionParameterization
	return pschema.BaseProviderSpec{Name: extension.BaseProvider.Name, Version: extension.BaseProvider.Version},
		extension.Parameter, true
}
