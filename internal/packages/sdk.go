package packages

import (
	"context"
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
	r, diags := enter(ctx, filepath.Dir(dir))
	if diags.HasErrors() {
		return diags
	}
	defer r.leave()
	staged, diags := p.stageSDK(ctx, pkg, runtime, dir, local)
	if diags.HasErrors() {
		return diags
	}
	defer staged.drop()
	if err := staged.install(); err != nil {
		diags = append(diags, cannotWrite(dir, err))
	}
	return diags
}

// stageSDK writes an SDK beside the directory whose place it is to take, in a
// room that the caller holds. Without an error the caller drops what is staged,
// in place or not.
func (p *Packages) stageSDK(ctx context.Context, pkg *Package, runtime, dir string, local bool) (*directory, diag.List) {
	diags := pkg.Bound.BindAll(ctx)
	if diags.HasErrors() {
		return nil, diags
	}
	fresh, err := newDirectory(dir)
	if err != nil {
		return nil, append(diags, cannotWrite(dir, err))
	}
	if !slices.Contains(Languages(), runtime) && runtime != "bun" {
		diags = append(diags, p.foreignSDK(ctx, pkg, runtime, fresh.fresh, local)...)
	} else if err := generate(ctx, pkg.Bound, runtime, local, fresh.write); err != nil {
		diags = append(diags, cannotGenerate(runtime, err))
	}
	if diags.HasErrors() {
		fresh.drop()
		return nil, diags
	}
	return fresh, diags
}

// generate hands the files of an SDK to a sink.
func generate(ctx context.Context, pkg *pschema.Package, runtime string, local bool, sink sdkgen.Sink) error {
	switch runtime {
	case "go":
		return golang.Write(ctx, pkg, sink)
	case "python":
		return python.Write(ctx, pkg, sink)
	}
	return sdkts.Write(ctx, pkg, sdkts.Options{Local: local}, sink)
}

// foreignSDK has the language's own plugin write the SDK into a directory.
func (p *Packages) foreignSDK(ctx context.Context, pkg *Package, runtime, dir string, local bool) diag.List {
	language, diags := p.opts.Host.Language(ctx, runtime)
	switch {
	case slices.ContainsFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == host.CodeNotFound }):
		return diag.List{unknownLanguage(runtime, Languages())}
	case language == nil:
		return diags
	}
	defer language.Close()
	response, err := language.Client.GeneratePackage(ctx, &pulumirpc.GeneratePackageRequest{
		Directory: dir, Schema: pkg.Schema, Local: local, LoaderTarget: p.opts.Loader,
	})
	if err != nil {
		return append(diags, fromLanguage(runtime, err.Error()))
	}
	for _, d := range response.GetDiagnostics() {
		diags = append(diags, fromLanguage(runtime, d.GetSummary()+": "+d.GetDetail()))
	}
	return diags
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
