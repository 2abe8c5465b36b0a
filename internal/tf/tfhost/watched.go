package tfhost

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// launch has a provider keep its schema under the hash of its binary.
func (h *Host) launch(config tfprovider.Config, installed tfregistry.Installed) tfprovider.Provider {
	schemas := filepath.Join(h.cacheDir, "schemas")
	switch {
	case config.Reattach != nil:
		return tfprovider.Launch(config)
	case installed.BinaryHash != "":
		config.CacheFile = filepath.Join(schemas, installed.BinaryHash)
		return tfprovider.Launch(config)
	default:
		return launchWatched(config, installed, schemas)
	}
}

// watched is a provider whose binary the user points at, and may replace at
// any time: between being hashed and being started, for one. Until it is
// certain that the hash is that of the binary that ran, its schema is kept
// under a name of its own. That also lets it start while it is hashed.
type watched struct {
	tfprovider.Provider
	installed tfregistry.Installed
	schemas   string // a directory
	// file has the schema that the process gives.
	file string
	// settled after the first answer; later ones are the same, and many.
	settled sync.Once
}

func launchWatched(config tfprovider.Config, installed tfregistry.Installed, schemas string) *watched {
	p := &watched{installed: installed, schemas: schemas}
	p.file = p.kept(".unproven-" + rand.Text())
	if installed.Hashed() {
		known := p.kept(installed.Hash(context.Background()))
		if info, err := os.Stat(known); err == nil && info.Mode().IsRegular() {
			p.file = known
		}
	}
	config.CacheFile = p.file
	p.Provider = tfprovider.Launch(config)
	return p
}

func (p *watched) kept(name string) string { return filepath.Join(p.schemas, name) }

// Schema implements [tfprovider.Provider].
func (p *watched) Schema(ctx context.Context) (*tfschema.Catalog, diag.List) {
	catalog, diags := p.Provider.Schema(ctx)
	p.settled.Do(func() { p.settle(ctx) })
	return catalog, diags
}

// Close implements [tfprovider.Provider]. The hash is remembered by then.
func (p *watched) Close() error {
	err := p.Provider.Close()
	if hash := p.settle(context.Background()); p.file != p.kept(hash) {
		_ = os.Remove(p.file) // is there only where it could not be settled
	}
	return err
}

// settle gives the schema to the hash, or to nobody where the binary is not
// the one any more that was hashed. What cannot be renamed or removed costs
// time and nothing else: nobody looks for it.
func (p *watched) settle(ctx context.Context) (hash string) {
	hash = p.installed.Hash(ctx)
	switch {
	case !p.installed.Unchanged():
		_ = os.Remove(p.file)
	case hash != "" && p.file != p.kept(hash):
		_ = os.Rename(p.file, p.kept(hash))
	}
	return hash
}
