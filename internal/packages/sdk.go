package packages

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/golang"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/python"
	sdkts "github.com/formation-iac/formation/internal/pulumi/sdkgen/typescript"
)

// Languages are those that SDKs are written for here, as runtimes are called.
func Languages() []string { return []string{"go", "nodejs", "python"} }

// Runtime is what a project calls a language: people say TypeScript.
func Runtime(language string) string {
	switch strings.ToLower(language) {
	case "typescript", "javascript", "node", "ts", "js":
		return "nodejs"
	case "golang":
		return "go"
	case "py":
		return "python"
	}
	return strings.ToLower(language)
}

// WriteSDK writes the SDK of a package for a runtime into a directory, which
// is replaced where it is there. Local SDKs are for one program.
func (p *Packages) WriteSDK(ctx context.Context, pkg *Package, runtime, dir string, local bool) diag.List {
	bound, diags := pschema.Bind(ctx, pkg.Schema, pschema.Options{Filename: pkg.Source.Text, Loader: loader{p}})
	if diags.HasErrors() {
		return diags
	}
	files, err := generate(ctx, bound, runtime, local)
	switch {
	case errors.Is(err, errForeign):
		return append(diags, p.foreignSDK(ctx, pkg, runtime, dir, local)...)
	case err != nil:
		return append(diags, cannotGenerate(runtime, err))
	}
	if err := replaceDir(dir, files); err != nil {
		diags = append(diags, cannotWrite(dir, err))
	}
	return diags
}

// errForeign says that a language plugin has to generate.
var errForeign = errors.New("a language of a plugin")

func generate(ctx context.Context, pkg *pschema.Package, runtime string, local bool) ([]sdkgen.File, error) {
	switch runtime {
	case "go":
		return golang.Generate(ctx, pkg)
	case "nodejs", "bun":
		return sdkts.Generate(ctx, pkg, sdkts.Options{Local: local})
	case "python":
		return python.Generate(ctx, pkg)
	}
	return nil, errForeign
}

// foreignSDK has the language's own plugin write the SDK.
func (p *Packages) foreignSDK(ctx context.Context, pkg *Package, runtime, dir string, local bool) diag.List {
	language, diags := p.opts.Host.Language(ctx, runtime)
	switch {
	case slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == host.CodeNotFound }):
		return diag.List{unknownLanguage(runtime, Languages())}
	case language == nil:
		return diags
	}
	defer language.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return append(diags, cannotWrite(dir, err))
	}
	response, err := language.Client.GeneratePackage(ctx, &pulumirpc.GeneratePackageRequest{
		Directory: dir, Schema: string(pkg.Schema), Local: local,
	})
	if err != nil {
		return append(diags, fromLanguage(runtime, err.Error()))
	}
	for _, d := range response.GetDiagnostics() {
		diags = append(diags, fromLanguage(runtime, d.GetSummary()+": "+d.GetDetail()))
	}
	return diags
}

// replaceDir writes a directory beside the one that it takes the place of.
// What was there stays until all is written; what a package manager put into
// it is made again.
func replaceDir(dir string, files []sdkgen.File) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+"-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Join(fresh, filepath.FromSlash(file.Path))
		if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
			return errors.New(file.Path + " leads out of the SDK")
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, file.Data, 0o644); err != nil {
			return err
		}
	}
	old := fresh + ".old"
	if err := os.Rename(dir, old); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	defer os.RemoveAll(old)
	return os.Rename(fresh, dir)
}

// sortedUnique is for lists of languages that people name.
func sortedUnique(languages []string) []string {
	out := make([]string, len(languages))
	for i, language := range languages {
		out[i] = Runtime(language)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
