package tfregistry

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/filelock"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// record stands beside a cached package and says what is known of it.
type record struct {
	// Dir is the unpacked package, Binary the executable's name in it.
	Dir    string `json:"dir"`
	Binary string `json:"binary"`
	// Guard is that of Dir when the hashes were taken.
	Guard      string `json:"guard"`
	BinaryHash string `json:"binary_sha256"`
	// H1 is the hash of Dir; Zip, as "zh:…", that of the archive it came
	// from, or "".
	H1  string `json:"h1"`
	Zip string `json:"zip,omitempty"`
	// Vouched are hashes of other platforms' packages.
	Vouched []string `json:"vouched,omitempty"`
	Origin  string   `json:"origin"`
	// Archive and ArchiveGuard tell which file of a mirror it came from.
	Archive      string `json:"archive,omitempty"`
	ArchiveGuard string `json:"archive_guard,omitempty"`
}

// roots are where packages are kept, the first of them that can be written
// to for new ones: the user's plugin_cache_dir, then the shared cache.
func (r *Registry) roots() []string {
	if dir := r.opts.CLIConfig.PluginCacheDir; dir != "" {
		return []string{r.abs(dir), r.opts.CacheDir}
	}
	return []string{r.opts.CacheDir}
}

// unwritable reports a root that nothing can be put into.
func (r *Registry) unwritable(dir string, err error) *diag.Diagnostic {
	return unwritableCache(dir, r.opts.CacheVar, err)
}

func (r *Registry) recordPath(p tfaddr.Provider, v versions.Version) string {
	return packageDir(r.opts.CacheDir, p, v.String(), r.opts.Platform) + ".json"
}

// partialPath is where a download goes.
func (r *Registry) partialPath(p tfaddr.Provider, v versions.Version) string {
	return packageDir(r.opts.CacheDir, p, v.String(), r.opts.Platform) + ".partial"
}

// cached returns the package of one version if the cache or the plugin cache
// has it whole. ok is false where it has to be installed; what is damaged
// counts as absent.
func (r *Registry) cached(p tfaddr.Provider, v versions.Version) (Installed, bool) {
	var rec record
	if wholefile.ReadJSON(r.recordPath(p, v), &rec) == nil && r.ours(rec, p, v) {
		if rec, ok := r.refresh(rec, p, v); ok {
			return rec.installed(p, v), true
		}
		return Installed{}, false
	}
	for _, root := range r.roots() {
		if rec, ok := r.adopt(packageDir(root, p, v.String(), r.opts.Platform), p, v); ok {
			return rec.installed(p, v), true
		}
	}
	return Installed{}, false
}

// ours guards against a record that points outside of the caches.
func (r *Registry) ours(rec record, p tfaddr.Provider, v versions.Version) bool {
	inCache := slices.ContainsFunc(r.roots(), func(root string) bool {
		return rec.Dir == packageDir(root, p, v.String(), r.opts.Platform)
	})
	return inCache && isBinaryName(rec.Binary, p.Type) && filepath.Base(rec.Binary) == rec.Binary && len(rec.BinaryHash) == 64
}

// refresh checks the guard, and where it fails, whether the content is what
// it was: a copied or touched cache is as good as before.
func (r *Registry) refresh(rec record, p tfaddr.Provider, v versions.Version) (record, bool) {
	now, err := guard(rec.Dir)
	if err != nil {
		return rec, false
	}
	if now == rec.Guard {
		return rec, true
	}
	if h1, err := hashDir(rec.Dir); err != nil || h1 != rec.H1 {
		return rec, false
	}
	rec.Guard = now
	_ = wholefile.WriteJSON(r.recordPath(p, v), rec)
	return rec, true
}

// adopt takes in a package without a record: one that another program put in
// the plugin cache, or whose maker ended before it wrote the record.
func (r *Registry) adopt(dir string, p tfaddr.Provider, v versions.Version) (record, bool) {
	rec, err := describePackage(dir, p)
	if err != nil {
		return record{}, false
	}
	rec.Origin = "plugin cache"
	_ = wholefile.WriteJSON(r.recordPath(p, v), rec)
	return rec, true
}

// describePackage takes the hashes of an unpacked package.
func describePackage(dir string, p tfaddr.Provider) (record, error) {
	binary, ok := findBinary(dir, p.Type)
	if !ok {
		return record{}, noBinaryInDir(dir, p.Type)
	}
	before, err := guard(dir)
	if err != nil {
		return record{}, err
	}
	h1, err := hashDir(dir)
	if err != nil {
		return record{}, err
	}
	sum, err := wholefile.SHA256(binary)
	if err != nil {
		return record{}, err
	}
	return record{Dir: dir, Binary: filepath.Base(binary), Guard: before, BinaryHash: sum, H1: h1}, nil
}

func (rec record) installed(p tfaddr.Provider, v versions.Version) Installed {
	checked := []string{rec.H1}
	if rec.Zip != "" {
		checked = append(checked, rec.Zip)
	}
	hashes := append(slices.Clone(checked), rec.Vouched...)
	slices.Sort(hashes)
	return Installed{
		Provider: p, Version: v.String(), Path: filepath.Join(rec.Dir, rec.Binary),
		Hashes: slices.Compact(hashes), BinaryHash: rec.BinaryHash, Origin: rec.Origin, checked: checked,
	}
}

// cachedVersions lists what the caches have of p for the platform.
func (r *Registry) cachedVersions(p tfaddr.Provider) versions.List {
	var list versions.List
	for _, root := range r.roots() {
		entries, err := os.ReadDir(providerDir(root, p))
		if err != nil {
			continue
		}
		for _, entry := range entries {
			v, err := versions.ParseVersion(entry.Name())
			if err != nil || slices.Contains(list, v) {
				continue
			}
			if _, ok := findBinary(packageDir(root, p, entry.Name(), r.opts.Platform), p.Type); ok {
				list = append(list, v)
			}
		}
	}
	return list
}

// lock takes the lock of one package among all processes that share the
// cache.
func (r *Registry) lock(ctx context.Context, p tfaddr.Provider, v versions.Version) (release func(), err error) {
	path := strings.TrimSuffix(r.recordPath(p, v), ".json") + ".lock"
	release, err = filelock.Acquire(ctx, path, "another process installs "+p.String()+" "+v.String())
	if err != nil && ctx.Err() == nil {
		err = r.unwritable(r.opts.CacheDir, err)
	}
	return release, err
}
