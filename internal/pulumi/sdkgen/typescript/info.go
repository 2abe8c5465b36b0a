package sdkts

import (
	"encoding/json"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Ranges of what an SDK depends on.
const (
	// corePackage has the runtime. plainCore is the first with invokeOutput,
	// parameterizedCore with registerPackage as it is called here, and
	// extensionCore with extensions.
	corePackage       = "@pulumi/pulumi"
	plainCore         = "^3.142.0"
	parameterizedCore = "^3.238.0"
	extensionCore     = "^3.251.0"
	// compilerRange are TypeScripts that can compile it file by file.
	compilerRange = ">=5.5.0 <7"
	nodeTypes     = "^20"
)

// info is what a schema says under language.nodejs. Members that are not here
// are about how other generators work.
type info struct {
	PackageName        string            `json:"packageName"`
	PackageDescription string            `json:"packageDescription"`
	Readme             string            `json:"readme"`
	Dependencies       map[string]string `json:"dependencies"`
	DevDependencies    map[string]string `json:"devDependencies"`
	PeerDependencies   map[string]string `json:"peerDependencies"`
	Resolutions        map[string]string `json:"resolutions"`
	TypeScriptVersion  string            `json:"typescriptVersion"`
	// ModuleToPackage gives modules other paths.
	ModuleToPackage map[string]string `json:"moduleToPackage"`
	// Compatibility is tfbridge20 or kubernetes20 in packages whose input
	// types have no Args behind their names, for that was so once.
	Compatibility string `json:"compatibility"`
	// DisableUnionOutputTypes shows outputs of several types as any.
	DisableUnionOutputTypes bool `json:"disableUnionOutputTypes"`
	// LiftSingleValueMethodReturns unwraps results with one property.
	LiftSingleValueMethodReturns bool `json:"liftSingleValueMethodReturns"`
}

const (
	tfbridge20   = "tfbridge20"
	kubernetes20 = "kubernetes20"
)

func readInfo(pkg *pschema.Package) (info, error) {
	var i info
	raw, ok := pkg.Header.Language[language]
	if !ok {
		return i, nil
	}
	err := json.Unmarshal(raw, &i)
	return i, err
}

// bareInputs reports whether input types are named like the types.
func (i info) bareInputs() bool {
	return i.Compatibility == tfbridge20 || i.Compatibility == kubernetes20
}

// npmName is what the SDK of a package is called on npm.
func npmName(pkg *pschema.Package, i info) string {
	switch {
	case i.PackageName != "":
		return i.PackageName
	case pkg.Header.Namespace != "":
		return "@" + pkg.Header.Namespace + "/" + pkg.Name()
	}
	return "@pulumi/" + pkg.Name()
}

// objectInfo is what a named type says under language.nodejs: which
// properties are required in each of its forms, where that differs.
type objectInfo struct {
	RequiredInputs  []string `json:"requiredInputs"`
	RequiredOutputs []string `json:"requiredOutputs"`
}

func readObjectInfo(object *pschema.Object) objectInfo {
	var i objectInfo
	if raw, ok := object.Language[language]; ok {
		// What cannot be read says nothing about properties.
		_ = json.Unmarshal(raw, &i)
	}
	return i
}
