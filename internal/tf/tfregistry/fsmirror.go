package tfregistry

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// fsMirror is a directory of packages, for each provider in one of two
// layouts or both: unpacked as HOST/NS/TYPE/VERSION/OS_ARCH/ directories,
// and packed as HOST/NS/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip.
type fsMirror struct {
	dir      string
	platform Platform
	// implied mirrors need not exist and are not the user's explicit choice.
	implied bool
}

func (m *fsMirror) describe(tfaddr.Provider) string { return "filesystem mirror " + m.dir }

func (m *fsMirror) remote() bool { return false }

func (m *fsMirror) versions(_ context.Context, p tfaddr.Provider) (versions.List, diag.List, error) {
	found, err := m.scan(p)
	if err != nil {
		return nil, nil, err
	}
	list := make(versions.List, 0, len(found))
	for v := range found {
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, nil, errNoProvider
	}
	return list, nil, nil
}

func (m *fsMirror) locate(_ context.Context, p tfaddr.Provider, v versions.Version) (*offer, error) {
	found, err := m.scan(p)
	if err != nil {
		return nil, err
	}
	if o, ok := found[v]; ok {
		return o, nil
	}
	return nil, errNoProvider
}

// scan lists the packages of p for the platform. Names that fit neither
// layout are not packages and are passed over. An unpacked package goes
// before a packed one of its version.
func (m *fsMirror) scan(p tfaddr.Provider) (map[versions.Version]*offer, error) {
	base := providerDir(m.dir, p)
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		if _, rootErr := os.Stat(m.dir); rootErr != nil && !m.implied {
			return nil, noMirrorDir(m.dir)
		}
		return nil, errNoProvider
	}
	if err != nil {
		return nil, unreadableMirror(base, err)
	}
	found := map[versions.Version]*offer{}
	for _, entry := range entries {
		path := filepath.Join(base, entry.Name())
		if v, ok := m.packed(p, entry.Name()); ok {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && found[v] == nil {
				found[v] = &offer{origin: m.describe(p), archive: path}
			}
			continue
		}
		v, err := versions.ParseVersion(entry.Name())
		if err != nil {
			continue
		}
		dir := filepath.Join(path, m.platform.String())
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			found[v] = &offer{origin: m.describe(p), dir: dir}
		}
	}
	return found, nil
}

// packed takes apart the name of an archive for the platform.
func (m *fsMirror) packed(p tfaddr.Provider, name string) (versions.Version, bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(name), binaryPrefix+p.Type+"_")
	if !ok {
		return versions.Version{}, false
	}
	text, ok := strings.CutSuffix(rest, "_"+m.platform.String()+".zip")
	if !ok {
		return versions.Version{}, false
	}
	v, err := versions.ParseVersion(text)
	return v, err == nil
}
