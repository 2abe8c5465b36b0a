package python

import (
	"encoding/json"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// info is what a schema says for Python under language.python.
type info struct {
	// PackageName is the Python package; by default pulumi_NAME.
	PackageName string `json:"packageName"`
	// ModuleNameOverrides gives modules another name.
	ModuleNameOverrides map[string]string `json:"moduleNameOverrides"`
}

func readInfo(pkg *pschema.Package) (info, error) {
	var i info
	if raw, ok := pkg.Header.Language["python"]; ok {
		if err := json.Unmarshal(raw, &i); err != nil {
			return info{}, err
		}
	}
	if i.PackageName == "" {
		i.PackageName = "pulumi_" + strings.ReplaceAll(pkg.Name(), "-", "_")
	}
	return i, nil
}

// moduleNames are the names of a schema's module, from the top down; none for
// the root.
func (i info) moduleNames(module string) []string {
	if other, ok := i.ModuleNameOverrides[module]; ok {
		module = other
	}
	if module == "" {
		return nil
	}
	parts := strings.Split(module, "/")
	for n, part := range parts {
		parts[n] = snake(part)
	}
	return parts
}
