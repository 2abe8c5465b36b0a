package golang

import (
	"encoding/json"
	"fmt"
	"go/token"
	"path"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// info is what a schema says for Go under language.go.
type info struct {
	// ImportBasePath is the import path of the root module's Go package.
	ImportBasePath string `json:"importBasePath"`
	// ModulePath is the path of the Go module; by default what ImportBasePath
	// has before RootPackageName.
	ModulePath      string `json:"modulePath"`
	RootPackageName string `json:"rootPackageName"`
	// ModuleToPackage gives modules another directory.
	ModuleToPackage map[string]string `json:"moduleToPackage"`
	// LiftSingleValueMethodReturns makes a method whose result has one
	// property return that.
	LiftSingleValueMethodReturns bool `json:"liftSingleValueMethodReturns"`
	// RespectSchemaVersion is true for schemas whose version is the SDK's.
	RespectSchemaVersion bool `json:"respectSchemaVersion"`
}

func readInfo(pkg *pschema.Package) (info, error) {
	var i info
	if raw, ok := pkg.Header.Language["go"]; ok {
		if err := json.Unmarshal(raw, &i); err != nil {
			return info{}, err
		}
	}
	name := goPackageName(pkg.Name())
	if i.RootPackageName == "" {
		i.RootPackageName = name
	}
	if !token.IsIdentifier(i.RootPackageName) {
		return info{}, fmt.Errorf("rootPackageName: no Go package can be called %q", i.RootPackageName)
	}
	if i.ImportBasePath == "" {
		i.ImportBasePath = path.Join("github.com/pulumi/pulumi-"+pkg.Name(), "sdk/go", name)
	}
	if i.ModulePath == "" {
		i.ModulePath = strings.TrimSuffix(i.ImportBasePath, "/"+i.RootPackageName)
	}
	return i, nil
}

// rootDir is the directory of the root module's Go package in the Go module.
func (i info) rootDir() string {
	return strings.Trim(strings.TrimPrefix(i.ImportBasePath, i.ModulePath), "/")
}

// goPackageName makes a name that a Go package can have.
func goPackageName(name string) string {
	name = strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(name))
	switch {
	case token.IsKeyword(name):
		return name + "_"
	case !token.IsIdentifier(name):
		return "x" + name
	}
	return name
}
