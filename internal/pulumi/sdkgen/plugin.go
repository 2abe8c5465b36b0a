package sdkgen

import (
	"encoding/json"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Plugin is what an SDK says about the plugin that its package comes from:
// pulumi-plugin.json of Go and Python, the "pulumi" member of a package.json.
type Plugin struct {
	Resource bool `json:"resource"`
	// Name and Version are those of the plugin, and of the package too where
	// nothing is parameterized.
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Server  string `json:"server,omitempty"`
	// Parameterization turns the plugin into the SDK's package,
	// ExtensionParameterization adds the package to it.
	Parameterization          *Parameterization `json:"parameterization,omitempty"`
	ExtensionParameterization *Parameterization `json:"extensionParameterization,omitempty"`
}

// Parameterization is the SDK's package and what makes it. Value is base64 in
// the JSON.
type Parameterization struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Value   []byte `json:"value"`
}

// PluginOf describes the plugin of a package.
func PluginOf(pkg *pschema.Package) Plugin {
	plugin := Plugin{Resource: true, Name: pkg.Name(), Version: pkg.Version(), Server: pkg.Header.PluginDownloadURL}
	if p := pkg.Header.Parameterization; p != nil {
		plugin.Name, plugin.Version = p.BaseProvider.Name, p.BaseProvider.Version
		plugin.Parameterization = &Parameterization{Name: pkg.Name(), Version: Version(pkg), Value: p.Parameter}
	} else if x := pkg.Header.ExtensionParameterization; x != nil {
		plugin.Name, plugin.Version = x.BaseProvider.Name, x.BaseProvider.Version
		plugin.ExtensionParameterization = &Parameterization{Name: pkg.Name(), Version: Version(pkg), Value: x.Parameter}
	}
	return plugin
}

// JSON is the text of pulumi-plugin.json.
func (p Plugin) JSON() ([]byte, error) {
	data, err := json.MarshalIndent(p, "", "  ")
	return append(data, '\n'), err
}

// Version is the package's version, 0.0.0 where the schema has none.
func Version(pkg *pschema.Package) string {
	if v := pkg.Version(); v != "" {
		return v
	}
	return "0.0.0"
}
