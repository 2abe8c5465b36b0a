package tfregistry

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// source is a place that offers packages: a registry or a mirror.
type source interface {
	// describe names the place for people.
	describe(p tfaddr.Provider) string
	// remote reports whether asking it needs the network.
	remote() bool
	// versions lists what it has for p, in no order. errNoProvider says that
	// it does not know p.
	versions(ctx context.Context, p tfaddr.Provider) (versions.List, diag.List, error)
	// locate finds the package of one version for the platform at hand.
	// errNoProvider says that it has none.
	locate(ctx context.Context, p tfaddr.Provider, v versions.Version) (*offer, error)
}

// errNoProvider is how a source says that it lacks what was asked for.
var errNoProvider = errors.New("not there")

// offer is a package that a source has. One of dir, archive and url is set.
type offer struct {
	origin string
	// dir is an unpacked package, archive a packed one on this machine, url
	// one to be downloaded.
	dir, archive, url string
	// zipSum is the SHA-256 that the archive must have, hexadecimal; or "".
	zipSum string
	// anyOf are hashes of which the package must have one; none asks nothing.
	anyOf []string
	// vouched are hashes of this version's packages that a signature or a
	// trusted mirror vouches for.
	vouched []string
	notes   diag.List
}

// methodSource is one installation method: a source and what it is for.
type methodSource struct {
	source
	include, exclude []pattern
	// unless are local sources that, where they know a provider, leave
	// nothing to this one.
	unless []source
}

// handles reports whether the method is for p.
func (m methodSource) handles(ctx context.Context, p tfaddr.Provider) bool {
	if anyMatches(m.exclude, p) || len(m.include) > 0 && !anyMatches(m.include, p) {
		return false
	}
	for _, local := range m.unless {
		if list, _, err := local.versions(ctx, p); err == nil && len(list) > 0 {
			return false
		}
	}
	return true
}

func (r *Registry) buildMethods() ([]methodSource, error) {
	config := r.opts.CLIConfig
	if config.Installation == nil {
		return r.impliedMethods(), nil
	}
	var out []methodSource
	for _, method := range config.Installation.Methods {
		built, err := r.buildMethod(method)
		if err != nil {
			return nil, err
		}
		out = append(out, built)
	}
	return out, nil
}

func (r *Registry) buildMethod(method Method) (methodSource, error) {
	var out methodSource
	for _, texts := range []struct {
		from []string
		to   *[]pattern
	}{{method.Include, &out.include}, {method.Exclude, &out.exclude}} {
		for _, text := range texts.from {
			p, err := parsePattern(text)
			if err != nil {
				return out, invalidMethod(method, err)
			}
			*texts.to = append(*texts.to, p)
		}
	}
	switch method.Kind {
	case FilesystemMirror:
		out.source = &fsMirror{dir: r.abs(method.Location), platform: r.opts.Platform}
	case NetworkMirror:
		mirror, err := r.newNetMirror(method)
		if err != nil {
			return out, invalidMethod(method, err)
		}
		out.source = mirror
	default:
		out.source = r.newDirect()
	}
	return out, nil
}

// impliedMethods are those of a machine without provider_installation: the
// mirror directories that exist, then the registry for what they lack.
func (r *Registry) impliedMethods() []methodSource {
	dirs := append([]string{filepath.Join(r.opts.WorkDir, "terraform.d", "plugins")}, r.opts.CLIConfig.PluginDirs...)
	var out []methodSource
	var local []source
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		mirror := &fsMirror{dir: dir, platform: r.opts.Platform, implied: true}
		local = append(local, mirror)
		out = append(out, methodSource{source: mirror})
	}
	return append(out, methodSource{source: r.newDirect(), unless: local})
}

func (r *Registry) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(r.opts.WorkDir, path)
}
