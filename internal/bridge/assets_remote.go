package bridge

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

var errScheme = errors.New("it is at a URL that is neither http, https nor file; download it in the program, and give the file")

// remote makes a file of what is at a URL, which keeps its extension if that is
// one of some. Where the engine knows its hash, the hexadecimal SHA-256 of the
// content, and the file is there, nothing is downloaded.
func (d assets) remote(ctx context.Context, address, hash string, extensions []string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("its URL is malformed")
	}
	switch u.Scheme {
	case "file":
		return filepath.FromSlash(u.Path), nil
	case "http", "https":
	default:
		return "", errScheme
	}
	extension := ""
	if n := slices.IndexFunc(extensions, func(e string) bool { return strings.HasSuffix(strings.ToLower(u.Path), e) }); n >= 0 {
		extension = extensions[n]
	}
	if file := d.path(hash, extension); hash != "" && d.has(file) {
		return file, nil
	}
	return d.download(ctx, u, extension)
}

// download names what is at a URL after its content.
func (d assets) download(ctx context.Context, u *url.URL, extension string) (string, error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return "", err
	}
	room, err := os.MkdirTemp(d.dir, ".download-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(room)
	came := filepath.Join(room, "asset")
	if err := (fetch.Download{Client: d.web, URL: u.String(), Path: came, Label: path.Base(u.Path)}).Run(ctx); err != nil {
		return "", err
	}
	sum, err := wholefile.SHA256(came)
	if err != nil {
		return "", err
	}
	file := d.path(sum, extension)
	if err := os.Chmod(came, 0o600); err != nil {
		return "", err
	}
	return file, os.Rename(came, file)
}

// archiveExtensions are what Terraform providers tell archives by.
func archiveExtensions() []string { return []string{".zip", ".jar", ".tar", ".tar.gz", ".tgz"} }
