package packages

import (
	"context"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
)

// GenerateRequest asks for SDKs outside of a project.
type GenerateRequest struct {
	Source Source
	// Languages may be empty, for all that are written here.
	Languages []string
	// Out gets one directory for each language.
	Out string
	// Version replaces the schema's; or "".
	Version string
	// Local SDKs are for one program and are linked by their path.
	Local bool
}

// Generated is an SDK that was written.
type Generated struct {
	Language string `json:"language"`
	Dir      string `json:"dir"`
}

// Generate writes SDKs of a package.
func (p *Packages) Generate(ctx context.Context, req GenerateRequest) ([]Generated, diag.List) {
	pkg, diags := p.Open(ctx, req.Source)
	if diags.HasErrors() {
		return nil, diags
	}
	if req.Version != "" {
		var more diag.List
		if pkg, more = p.asVersion(ctx, pkg, req.Version); more.HasErrors() {
			return nil, append(diags, more...)
		}
	}
	languages := sortedUnique(req.Languages)
	if len(languages) == 0 {
		languages = Languages()
	}
	var out []Generated
	for _, language := range languages {
		dir := filepath.Join(req.Out, language)
		more := p.WriteSDK(ctx, pkg, language, dir, req.Local)
		if diags = append(diags, more...); !more.HasErrors() {
			out = append(out, Generated{Language: language, Dir: dir})
		}
	}
	return out, diags
}

// asVersion is a package with another version in its schema.
func (p *Packages) asVersion(ctx context.Context, pkg *Package, version string) (*Package, diag.List) {
	schema, err := withVersion(pkg.Schema, version)
	if err != nil {
		return nil, diag.List{unreadableSchema(pkg.Source.Text, err)}
	}
	bound, diags := p.bind(ctx, pkg.Source.Text, schema)
	if diags.HasErrors() {
		return nil, diags
	}
	return &Package{Source: pkg.Source, Schema: schema, Bound: bound, Installed: pkg.Installed}, nil
}
