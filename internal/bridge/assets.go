package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/tf/tfhost"
)

// assets makes files of what assets and archives of programs contain that are
// none themselves, since Terraform knows files by their paths only. Each is
// named after its content, so that the same content has the same path in every
// preview; state holds that path, and nothing here is ever removed. The
// contents may be secret: nobody else can read them.
type assets struct {
	dir string
	// web gets what is at a URL.
	web *fetch.Client
}

// assetsBeside has its files in a directory for what belongs to the caches of a
// bridge, but is no cache: state refers to it.
func assetsBeside(env tfhost.Environment) assets {
	return assets{
		dir: filepath.Join(filepath.Dir(env.CacheDir), "dynamic_tf_assets"),
		web: fetch.New(fetch.Options{Offline: env.Offline, UserAgent: env.UserAgent()}),
	}
}

var errAbsent = errors.New("its content did not come with the call")

// file implements translate.Files.
func (d assets) file(ctx context.Context, v property.Value) (string, error) {
	if v.IsAsset() {
		return d.asset(ctx, v.AsAsset())
	}
	return d.archive(ctx, v.AsArchive())
}

// asset writes what an asset contains.
func (d assets) asset(ctx context.Context, a *asset.Asset) (string, error) {
	switch {
	case a.IsURI():
		return d.remote(ctx, a.URI, a.Hash, nil)
	case !a.IsText():
		return "", errAbsent
	}
	sum := sha256.Sum256([]byte(a.Text))
	path := d.path(hex.EncodeToString(sum[:]), "")
	if d.has(path) {
		return path, nil
	}
	return d.write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, a.Text)
		return err
	})
}

// archive writes an archive of assets, named after what is in it. One that is
// at a URL is taken as it is.
func (d assets) archive(ctx context.Context, a *archive.Archive) (string, error) {
	switch {
	case a.IsURI():
		return d.remote(ctx, a.URI, a.Hash, archiveExtensions())
	case !a.IsAssets():
		return "", errAbsent
	}
	a, err := d.here(ctx, a)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	if err := a.Archive(archive.TarArchive, h); err != nil { // says what a zip file says, without compression
		return "", err
	}
	path := d.path(hex.EncodeToString(h.Sum(nil)), ".zip")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return d.write(path, func(w io.Writer) error { return a.Archive(archive.ZIPArchive, w) })
}

// here is an archive of assets with files in the place of what is at URLs.
func (d assets) here(ctx context.Context, a *archive.Archive) (*archive.Archive, error) {
	out := &archive.Archive{Sig: a.Sig, Assets: make(map[string]any, len(a.Assets))}
	for name, member := range a.Assets {
		local, err := d.member(ctx, member)
		if err != nil {
			return nil, err
		}
		out.Assets[name] = local
	}
	return out, nil
}

func (d assets) member(ctx context.Context, member any) (any, error) {
	switch m := member.(type) {
	case *asset.Asset:
		if m.IsURI() {
			path, err := d.asset(ctx, m)
			return &asset.Asset{Sig: m.Sig, Path: path}, err
		}
	case *archive.Archive:
		if m.IsURI() {
			path, err := d.archive(ctx, m)
			return &archive.Archive{Sig: m.Sig, Path: path}, err
		}
		if m.IsAssets() {
			return d.here(ctx, m)
		}
	}
	return member, nil
}

// has reports whether a file named after its content is there.
func (d assets) has(path string) bool {
	sum, err := wholefile.SHA256(path)
	return err == nil && strings.HasPrefix(filepath.Base(path), sum)
}

func (d assets) path(sum, extension string) string { return filepath.Join(d.dir, sum+extension) }

func (d assets) write(path string, write func(io.Writer) error) (string, error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return "", err
	}
	if err := wholefile.Stream(path, 0o600, write); err != nil {
		return "", err
	}
	return path, nil
}
