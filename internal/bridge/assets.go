package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/wholefile"
)

// assetDir holds files with what assets and archives of programs contain that
// are none themselves, since Terraform knows files by their paths only. Each is
// named after its content, so that the same content has the same path in every
// preview; state holds that path, and nothing here is ever removed. The
// contents may be secret: nobody else can read them.
type assetDir string

// assetsBeside is the directory for what belongs to the caches at cacheDir, but
// is no cache: state refers to it.
func assetsBeside(cacheDir string) assetDir {
	return assetDir(filepath.Join(filepath.Dir(cacheDir), "dynamic_tf_assets"))
}

var (
	errRemote = errors.New("it is at a URL; download it in the program, and give the file")
	errAbsent = errors.New("its content did not come with the call")
)

// file implements translate.Files.
func (d assetDir) file(v property.Value) (string, error) {
	if v.IsAsset() {
		return d.text(v.AsAsset())
	}
	return d.zip(v.AsArchive())
}

// text writes the text of an asset.
func (d assetDir) text(a *asset.Asset) (string, error) {
	switch {
	case a.IsURI():
		return "", errRemote
	case !a.IsText():
		return "", errAbsent
	}
	sum := sha256.Sum256([]byte(a.Text))
	path := d.path(sum[:], "")
	if was, err := wholefile.SHA256(path); err == nil && was == hex.EncodeToString(sum[:]) {
		return path, nil
	}
	return d.write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, a.Text)
		return err
	})
}

// zip writes an archive of assets, named after what is in it.
func (d assetDir) zip(a *archive.Archive) (string, error) {
	switch {
	case isRemote(a):
		return "", errRemote
	case !a.IsAssets():
		return "", errAbsent
	}
	h := sha256.New()
	if err := a.Archive(archive.TarArchive, h); err != nil { // says what a zip file says, without compression
		return "", err
	}
	path := d.path(h.Sum(nil), ".zip")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return d.write(path, func(w io.Writer) error { return a.Archive(archive.ZIPArchive, w) })
}

// isRemote reports whether some of an archive is at a URL.
func isRemote(member any) bool {
	switch m := member.(type) {
	case *asset.Asset:
		return m.IsURI()
	case *archive.Archive:
		for _, inner := range m.Assets {
			if isRemote(inner) {
				return true
			}
		}
		return m.IsURI()
	default:
		return false
	}
}

func (d assetDir) path(sum []byte, extension string) string {
	return filepath.Join(string(d), hex.EncodeToString(sum)+extension)
}

func (d assetDir) write(path string, write func(io.Writer) error) (string, error) {
	if err := os.MkdirAll(string(d), 0o700); err != nil {
		return "", err
	}
	if err := wholefile.Stream(path, 0o600, write); err != nil {
		return "", err
	}
	return path, nil
}
