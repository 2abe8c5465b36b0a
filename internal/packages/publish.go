package packages

import (
	"cmp"
	"context"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// Publication says how a package is published.
type Publication struct {
	// Registry and Publisher are where and by whom; Publisher may be "" where
	// the schema names one.
	Registry, Publisher string
	// Readme and InstallDocs are Markdown; InstallDocs may be nil.
	Readme, InstallDocs []byte
}

// Publish publishes a package to the registry, and returns the name that it
// has there. A package that is not there whole is not there.
func (p *Packages) Publish(ctx context.Context, s Source, pub Publication) (string, diag.List) {
	if p.opts.Registry == nil {
		return "", diag.List{noRegistry()}
	}
	pkg, diags := p.Open(ctx, s)
	if diags.HasErrors() {
		return "", diags
	}
	version, err := semver.Parse(pkg.Bound.Version())
	if err != nil {
		return "", append(diags, unversioned(pkg.Bound.Name()))
	}
	if pub.Publisher = cmp.Or(pub.Publisher, pkg.Bound.Header.Publisher); pub.Publisher == "" {
		return "", append(diags, noPublisher(pkg.Bound.Name()))
	}
	id := source.PackageID{Source: pub.Registry, Publisher: pub.Publisher, Name: pkg.Bound.Name()}
	err = p.opts.Registry.Publish(ctx, source.Publication{
		PackageID: id, Version: version, Schema: []byte(pkg.Schema), Readme: pub.Readme, InstallDocs: pub.InstallDocs,
	})
	if err != nil {
		return "", append(diags, notPublished(id, version.String(), p.opts.Registry, err))
	}
	return id.String() + "@" + version.String(), diags
}
