package packages

import (
	"context"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// linkInto names an SDK among the dependencies of a program.
func (p *Packages) linkInto(ctx context.Context, m *project.Manifest, pkg *Package, added Added) (Added, diag.List) {
	dir := m.ProgramDir()
	sdk, err := filepath.Rel(dir, filepath.Join(m.Dir(), filepath.FromSlash(added.SDK)))
	if err != nil {
		return added, diag.List{cannotLink(dir, err)}
	}
	sdk = filepath.ToSlash(sdk)
	switch added.Runtime {
	case "nodejs", "bun":
		return linkNode(dir, sdk, added)
	case "python":
		return linkPython(dir, sdk, added)
	case "go":
		return linkGo(dir, sdk, added)
	}
	return p.foreignLink(ctx, m, pkg, added)
}
