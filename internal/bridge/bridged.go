package bridge

import (
	"context"
	"sync"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/bridge/parameter"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/tf/tfhost"
)

// bridged is the package that a parameter made of a Terraform provider. Its
// parts are made when they are first needed.
type bridged struct {
	bridge *bridge
	// parameter has the version that was found.
	parameter     parameter.Parameter
	name, version string

	host      *tfhost.Host
	found     tfhost.Found
	terraform tfhost.Opened
	cacheDir  string
	assets    assets
	keeping   *keeping

	mu       sync.Mutex // guards the fields below
	pkg      *mapping.Package
	provider *lifecycle.Provider
}

// mapped returns the provider in Pulumi's names. A cached schema of the
// provider is enough for that; without one the provider is started.
func (m *bridged) mapped(ctx context.Context) (*mapping.Package, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mapOnce(ctx)
}

func (m *bridged) mapOnce(ctx context.Context) (*mapping.Package, error) {
	if m.pkg != nil {
		return m.pkg, nil
	}
	ctx, cancel := m.bridge.interruptible(ctx)
	defer cancel()
	catalog, diags := m.terraform.Schema(ctx)
	if !diags.HasErrors() {
		var more diag.List
		m.pkg, more = mapping.New(catalog, mapping.Options{
			Name: m.name, Version: m.version, ProviderName: m.found.Provider.Type,
			Includes: m.parameter.Includes, Excludes: m.parameter.Excludes,
		})
		diags = append(diags, more...)
	}
	m.bridge.engine.Warn(ctx, "", diags)
	return m.pkg, diags.Err()
}

// working returns what does the work on resources. It does not start the
// provider yet.
func (m *bridged) working(ctx context.Context) (*lifecycle.Provider, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.provider == nil {
		pkg, err := m.mapOnce(ctx)
		if err != nil {
			return nil, err
		}
		m.provider = lifecycle.New(m.terraform, pkg, m.bridge, m.assets.file)
	}
	return m.provider, nil
}

// close ends the provider.
func (m *bridged) close(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var err error
	if m.provider != nil {
		err = m.provider.Close(ctx)
	}
	m.host.Close()
	m.keeping.end(ctx)
	return err
}
