package packages

import (
	"github.com/formation-iac/formation/internal/plugin/broker"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// Options are what packages stand on.
type Options struct {
	Installer *install.Installer
	Host      *host.Host
	// Store keeps the schemas of plugins that are not parameterized by
	// arguments; the zero Store keeps none.
	Store broker.Store
	// Project is the project at hand; nil where there is none.
	Project *project.Manifest
	// WorkDir is what relative paths are relative to.
	WorkDir string
	// Registry is where Publish publishes; or nil.
	Registry source.Registry
	// Loader is the address where language plugins ask for schemas.
	Loader string
}

// Packages opens packages and makes SDKs of them. Its methods may be called
// concurrently, but for those that change the project.
type Packages struct {
	opts    Options
	schemas *broker.InstalledSchemas
	told    told
}

// New makes a Packages. It touches nothing.
func New(opts Options) *Packages {
	return &Packages{opts: opts, schemas: broker.NewInstalledSchemas(opts.Host, opts.Store)}
}
