package pkgschema

import (
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// moduleFormat takes the module "index" out of "index/thing".
const moduleFormat = "(.*)(?:/[^/]*)"

// compatibility is the generation of SDKs that bridged providers have.
const compatibility = "tfbridge20"

// head writes what is about the package as a whole.
func (g *generator) head(d *document) error {
	d.text("name", g.pkg.Name)
	d.text("displayName", g.pkg.ProviderName)
	d.text("version", g.pkg.Version)
	d.text("description", g.summary())
	d.text("attribution", g.attribution())
	d.text("repository", g.repository())
	d.text("publisher", g.opts.Namespace)
	d.open("meta")
	d.text("moduleFormat", moduleFormat)
	d.close()
	g.languages(d)
	g.parameterization(d)
	if err := g.config(d); err != nil {
		return err
	}
	return g.provider(d)
}

func (g *generator) parameterization(d *document) {
	d.open("parameterization")
	d.open("baseProvider")
	d.text("name", g.opts.BasePlugin)
	d.text("version", g.opts.BaseVersion)
	d.close()
	d.text("parameter", base64.StdEncoding.EncodeToString(g.opts.Parameter))
	d.close()
}

// config writes what the provider reads from a stack's configuration. JSON
// calls the variables that are needed "defaults".
func (g *generator) config(d *document) error {
	config, err := g.pkg.BuildConfig()
	if err != nil {
		return err
	}
	d.open("config")
	if fields := g.fields(config, scope{module: "config", needs: outputNeeds(), speech: g.speechOf(config, docpage.Subject{Kind: docpage.Overview})}); len(fields) > 0 {
		properties(d, "variables", fields)
		d.list("defaults", names(fields, present))
	}
	d.close()
	return nil
}

// provider writes the provider as a resource: its configuration is what it
// takes and what it has. An id is in the stack's configuration only.
func (g *generator) provider(d *document) error {
	provider, err := g.pkg.Provider()
	if err != nil {
		return err
	}
	speech := g.speechOf(provider.Object, docpage.Subject{Kind: docpage.Overview})
	all := g.fields(provider.Object, scope{module: index, needs: inputNeeds(), speech: speech})
	fields := slices.DeleteFunc(inputs(all), func(f field) bool { return f.Name == "id" })
	d.open("provider")
	d.text("description", join(g.providerSummary(), speech.overview(provider.Schema.Block.Description)))
	properties(d, "properties", fields)
	d.list("required", names(fields, given))
	properties(d, "inputProperties", fields)
	d.list("requiredInputs", names(fields, given))
	d.text("deprecationMessage", speech.deprecation(provider.Schema.Block))
	d.open("methods")
	d.text("terraformConfig", configMethod(g.pkg))
	d.close()
	d.close()
	return nil
}

// languages writes what keeps SDKs as Pulumi's own bridge makes them.
func (g *generator) languages(d *document) {
	d.open("language")
	d.open("nodejs")
	d.text("packageDescription", g.summary())
	d.text("readme", g.readme())
	d.text("compatibility", compatibility)
	d.flag("disableUnionOutputTypes", true)
	d.flag("liftSingleValueMethodReturns", true)
	d.flag("respectSchemaVersion", true)
	d.close()
	d.open("python")
	d.text("readme", g.readme())
	d.text("compatibility", compatibility)
	d.flag("respectSchemaVersion", true)
	d.add("pyproject", []byte(`{"enabled":true}`))
	d.close()
	d.open("csharp")
	d.text("compatibility", compatibility)
	d.flag("liftSingleValueMethodReturns", true)
	d.flag("respectSchemaVersion", true)
	d.close()
	d.open("go")
	d.text("importBasePath", g.goImportPath())
	d.text("rootPackageName", g.pkg.Name)
	d.flag("liftSingleValueMethodReturns", true)
	d.flag("generateExtraInputTypes", true)
	d.flag("respectSchemaVersion", true)
	d.close()
	d.close()
}

// goImportPath is where programs in Go find the SDK. It is the address that
// SDKs of Pulumi's own bridge have, so that imports stay as they are.
func (g *generator) goImportPath() string {
	major, _, _ := strings.Cut(g.pkg.Version, ".")
	suffix := ""
	if n, err := strconv.Atoi(major); err == nil && n > 1 {
		suffix = "v" + major
	}
	return path.Join("github.com/pulumi/pulumi-terraform-provider/sdks/go", g.pkg.Name, suffix, g.pkg.Name)
}

func (g *generator) summary() string {
	return fmt.Sprintf("The Terraform provider %s as a Pulumi package.", g.pkg.ProviderName)
}

func (g *generator) providerSummary() string {
	return fmt.Sprintf("Configures the Terraform provider %s. Resources use what the stack's configuration says, unless they are given a provider of their own.", g.pkg.ProviderName)
}

func (g *generator) repository() string {
	if g.opts.Namespace == "" {
		return ""
	}
	return fmt.Sprintf("https://github.com/%s/terraform-provider-%s", g.opts.Namespace, g.pkg.ProviderName)
}

func (g *generator) attribution() string {
	if g.opts.Namespace == "" {
		return ""
	}
	return fmt.Sprintf("Made from the [Terraform provider %s](%s).", g.pkg.ProviderName, g.repository())
}

func (g *generator) readme() string {
	if g.opts.Namespace == "" {
		return fmt.Sprintf("This package is made from a local build of the Terraform provider %s.", g.pkg.ProviderName)
	}
	return fmt.Sprintf("This package is made from the [Terraform provider %s](%s), version %s, whose license applies. "+
		"Questions about what a resource does belong with [the provider](%s/issues).",
		g.pkg.ProviderName, g.repository(), g.pkg.Version, g.repository())
}
