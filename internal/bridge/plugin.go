package bridge

import (
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// basePlugin is the unparameterized plugin, which SDKs name as their base.
type basePlugin struct{ name, version string }

// pluginName is the plugin's name by that of its program. The plugin answers
// to the name of Pulumi's own bridge as well, so that SDKs and stacks that
// were made with that one keep working.
func pluginName(program string) string {
	base := filepath.Base(strings.ReplaceAll(program, `\`, "/"))
	if strings.TrimSuffix(base, ".exe") == "pulumi-resource-terraform-provider" {
		return "terraform-provider"
	}
	return "terraform-bridge"
}

// schema is that of an empty package: what to know before a parameter.
func (p basePlugin) schema() pschema.PackageSpec {
	return pschema.PackageSpec{
		Name: p.name, Version: p.version, DisplayName: "Any Terraform Provider",
		Description: "Use any Terraform provider with Pulumi: pulumi package add " + p.name + " [host/][namespace/]type [version].",
		Keywords:    []string{"category/utility"},
		Provider:    &pschema.ResourceSpec{},
	}
}
