package workflow

import (
	"context"
	"os"
	"path/filepath"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// languages asks language plugins to do what installations need of them. Where
// there is none, it does what can be done without.
type languages struct {
	host *host.Host
	env  PluginEnvironment
}

// RequiredPackages implements install.Language.
func (l languages) RequiredPackages(ctx context.Context, m *project.Manifest) (plugin.Requirements, diag.List) {
	out, diags := l.plugins(m).RequiredPackages(ctx, m)
	if missing(diags) {
		return lockedPackages(m)
	}
	return out, diags
}

// InstallDependencies implements install.Language.
func (l languages) InstallDependencies(ctx context.Context, m *project.Manifest) diag.List {
	diags := l.plugins(m).InstallDependencies(ctx, m)
	if missing(diags) {
		return l.unaided(ctx, m)
	}
	return diags
}

func (l languages) plugins(m *project.Manifest) install.LanguagePlugins {
	return install.LanguagePlugins{Start: install.StartBy(l.host), Output: l.heard(m), VersionTools: l.env.LanguageVersionTools}
}

// missing reports whether a language plugin is not there at all.
func missing(diags diag.List) bool {
	for _, d := range diags {
		if d.Code == host.CodeNotFound {
			return true
		}
	}
	return false
}

// lockedPackages are the packages that a program has lock files of: all that
// can be told of programs in YAML, and nothing of others.
func lockedPackages(m *project.Manifest) (plugin.Requirements, diag.List) {
	if m.Runtime.Name != "yaml" {
		return plugin.Requirements{}, diag.List{requirementsUnknown(m.Runtime.Name)}
	}
	var out plugin.Requirements
	locks, diags := project.Locks(filepath.Join(m.Dir(), "sdks"))
	for _, lock := range locks {
		d, more := install.DescribeDependency(&pulumirpc.PackageDependency{Name: lock.Name, Version: lock.Version, Server: lock.DownloadURL})
		if diags = append(diags, more...); !more.HasErrors() {
			out.Plugins = append(out.Plugins, d)
		}
	}
	return out, diags
}

// heard takes what comes from the installation of dependencies; nil where
// nobody does.
func (l languages) heard(m *project.Manifest) func(string) {
	if l.env.Listener.Line == nil {
		return nil
	}
	return func(text string) {
		l.env.Listener.Line(host.Line{Kind: plugin.Language, Name: m.Runtime.Name, Text: text})
	}
}

// exists reports whether the program has a file.
func exists(m *project.Manifest, name string) bool {
	_, err := os.Stat(filepath.Join(m.ProgramDir(), name))
	return err == nil
}
