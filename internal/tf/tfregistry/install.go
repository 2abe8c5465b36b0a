package tfregistry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/base/archive"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// install makes an offered package ready to use.
func (s *search) install(ctx context.Context, v versions.Version, o *offer) (Installed, error) {
	s.notes = append(s.notes, o.notes...)
	if o.dir != "" {
		return s.useDir(v, o)
	}
	p := s.req.Provider
	release, err := s.r.lock(ctx, p, v)
	if err != nil {
		return Installed{}, err
	}
	defer release()
	if got, ok := s.r.cached(p, v); ok && s.stillGood(got, v, o) {
		return got, nil
	}
	rec, err := s.fill(ctx, v, o)
	if err != nil {
		return Installed{}, err
	}
	return rec.installed(p, v), nil
}

// stillGood reports whether a cached package can stand for the offer: it
// matches the locked hashes, and where the offer is a file of a mirror, it
// came from that very file.
func (s *search) stillGood(got Installed, v versions.Version, o *offer) bool {
	if !meets(s.req.Hashes, got.checked) {
		return false
	}
	if o.archive == "" {
		return o.zipSum == "" || slices.Contains(got.checked, schemeZip+o.zipSum) || !hasScheme(got.checked, schemeZip)
	}
	var rec record
	if wholefile.ReadJSON(s.r.recordPath(s.req.Provider, v), &rec) != nil || rec.Archive != o.archive {
		return false
	}
	now, err := guard(o.archive)
	return err == nil && now == rec.ArchiveGuard
}

// useDir uses an unpacked package where it lies.
func (s *search) useDir(v versions.Version, o *offer) (Installed, error) {
	p := s.req.Provider
	binary, ok := findBinary(o.dir, p.Type)
	if !ok {
		return Installed{}, noBinaryInDir(o.dir, p.Type)
	}
	if _, err := localBinary(binary); err != nil {
		return Installed{}, err
	}
	h1, err := s.r.remembered(o.dir, hashDir)
	if err != nil {
		return Installed{}, unreadableMirror(o.dir, err)
	}
	sum, err := s.r.remembered(binary, wholefile.SHA256)
	if err != nil {
		return Installed{}, unreadableMirror(o.dir, err)
	}
	got := Installed{
		Provider: p, Version: v.String(), Path: binary, Hashes: []string{h1},
		BinaryHash: sum, Origin: o.origin, checked: []string{h1},
	}
	if !meets(s.req.Hashes, got.checked) {
		return Installed{}, lockMismatch(got, s.req.Hashes)
	}
	return got, nil
}

// fill brings the offered archive into the cache. The caller holds the lock.
func (s *search) fill(ctx context.Context, v versions.Version, o *offer) (record, error) {
	p := s.req.Provider
	dir, temp, err := s.makeRoom(v)
	if err != nil {
		return record{}, err
	}
	defer os.RemoveAll(temp)
	packed, done, err := s.obtain(ctx, v, o)
	if err != nil {
		return record{}, err
	}
	// Taken first: what changes from here on shows at the next start.
	archiveGuard, err := guard(packed)
	if err != nil {
		return record{}, unreadableMirror(packed, err)
	}
	zipSum, err := wholefile.SHA256(packed)
	if err != nil {
		return record{}, unreadableMirror(packed, err)
	}
	if o.zipSum != "" && o.zipSum != zipSum {
		done()
		return record{}, wrongChecksum(p, v.String(), o.origin, o.zipSum, zipSum)
	}
	rec, err := s.unpackInto(temp, packed)
	if err != nil {
		var refused *archive.Refusal
		if errors.As(err, &refused) {
			done()
			return record{}, hostilePackage(p, v.String(), o.origin, refused.Reason)
		}
		return record{}, s.r.unwritable(filepath.Dir(dir), err)
	}
	rec.Zip, rec.Vouched, rec.Origin = schemeZip+zipSum, o.vouched, o.origin
	if o.archive != "" {
		rec.Archive, rec.ArchiveGuard = o.archive, archiveGuard
	}
	if err := s.settle(rec, v, o); err != nil {
		done()
		return record{}, err
	}
	rec, err = s.commit(rec, temp, dir, v)
	if err == nil {
		done()
	}
	return rec, err
}

// obtain returns the path of the archive, downloaded where it must be, and
// what to do when it is not needed any more.
func (s *search) obtain(ctx context.Context, v versions.Version, o *offer) (path string, done func(), err error) {
	if o.archive != "" {
		return o.archive, func() {}, nil
	}
	d := fetch.Download{
		Client: s.r.client, URL: o.url, Path: s.r.partialPath(s.req.Provider, v), Sum: o.zipSum,
		Label: fmt.Sprintf("%s/%s %s", s.req.Provider.Namespace, s.req.Provider.Type, v),
	}
	if err := d.Run(ctx); err != nil {
		return "", nil, s.downloadFailed(v, o, err)
	}
	return d.Path, d.Discard, nil
}

// makeRoom returns where the package goes, and a new empty directory beside
// it to build it in. The caller holds the lock, so that what killed runs left
// there can go.
func (s *search) makeRoom(v versions.Version) (dir, temp string, err error) {
	var refused error
	for _, root := range s.r.roots() {
		dir := packageDir(root, s.req.Provider, v.String(), s.r.opts.Platform)
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			refused = s.r.unwritable(root, err)
			continue
		}
		sweep(dir)
		temp, err := os.MkdirTemp(filepath.Dir(dir), tempPrefix(dir)+"*")
		if err == nil {
			return dir, temp, nil
		}
		refused = s.r.unwritable(root, err)
	}
	return "", "", refused
}

// unpackInto extracts the archive into temp and describes what came out.
func (s *search) unpackInto(temp, packed string) (record, error) {
	if err := os.Chmod(temp, 0o755); err != nil {
		return record{}, err
	}
	if err := archive.UnpackZip(packed, temp); err != nil {
		return record{}, err
	}
	binary, ok := findBinary(temp, s.req.Provider.Type)
	if !ok {
		return record{}, archive.Refuse("it holds no executable %s%s", binaryPrefix, s.req.Provider.Type)
	}
	if err := os.Chmod(binary, 0o755); err != nil {
		return record{}, err
	}
	return describePackage(temp, s.req.Provider)
}

// settle checks the hashes that only the unpacked package can be held to.
func (s *search) settle(rec record, v versions.Version, o *offer) error {
	checked := []string{rec.H1, rec.Zip}
	if !meets(o.anyOf, checked) {
		return mirrorMismatch(s.req.Provider, v.String(), o.origin, o.anyOf, checked)
	}
	if !meets(s.req.Hashes, checked) {
		return lockMismatch(rec.installed(s.req.Provider, v), s.req.Hashes)
	}
	return nil
}

// commit moves the package into its place and writes its record.
func (s *search) commit(rec record, temp, dir string, v versions.Version) (record, error) {
	if err := os.RemoveAll(dir); err != nil {
		return record{}, s.r.unwritable(filepath.Dir(dir), err)
	}
	if err := os.Rename(temp, dir); err != nil {
		return record{}, s.r.unwritable(filepath.Dir(dir), err)
	}
	rec.Dir = dir
	if err := wholefile.WriteJSON(s.r.recordPath(s.req.Provider, v), rec); err != nil {
		return record{}, s.r.unwritable(s.r.opts.CacheDir, err)
	}
	return rec, nil
}

func tempPrefix(dir string) string { return "." + filepath.Base(dir) + ".unpack-" }

// sweep removes what killed runs left behind.
func sweep(dir string) {
	entries, _ := os.ReadDir(filepath.Dir(dir))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix(dir)) {
			_ = os.RemoveAll(filepath.Join(filepath.Dir(dir), entry.Name()))
		}
	}
}
