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
		schema, err := withVersion(pkg.Schema, req.Version)
		if err != nil {
			return nil, append(diags, unreadableSchema(req.Source.Text, err))
		}
		pkg.Schema = schema
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
