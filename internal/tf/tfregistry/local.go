package tfregistry

import (
	"os"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// useLocal answers a request for a binary that the user points at.
func (r *Registry) useLocal(req Request) (Installed, error) {
	path, err := localBinary(r.abs(req.LocalPath))
	if err != nil {
		return Installed{}, err
	}
	p, version, err := identifyBinary(path)
	if err != nil {
		return Installed{}, err
	}
	if !req.Provider.IsZero() {
		p = req.Provider
	}
	print, err := r.fingerprint(path)
	if err != nil {
		return Installed{}, localMissing(path, err)
	}
	return Installed{Provider: p, Version: version, Path: path, print: print, Origin: "local path"}, nil
}

// useOverride answers from a dev_overrides entry: a directory that holds the
// binary, or the binary itself. Versions, locks and checksums do not apply.
func (r *Registry) useOverride(p tfaddr.Provider, place string) (Installed, error) {
	path := r.abs(place)
	info, err := os.Stat(path)
	if err != nil {
		return Installed{}, overrideMissing(p, path, err)
	}
	if info.IsDir() {
		binary, ok := findBinary(path, p.Type)
		if !ok {
			return Installed{}, noBinaryInDir(path, p.Type)
		}
		path = binary
	}
	if path, err = localBinary(path); err != nil {
		return Installed{}, err
	}
	print, err := r.fingerprint(path)
	if err != nil {
		return Installed{}, localMissing(path, err)
	}
	return Installed{Provider: p, Path: path, print: print, Origin: "dev_overrides"}, nil
}
