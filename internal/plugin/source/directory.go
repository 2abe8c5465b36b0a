package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/plugin"
)

// directory holds archives on this machine: a mirror for offline use.
type directory struct {
	s   *Sources
	p   plugin.Concrete
	dir string
}

func (s *Sources) newDirectory(p plugin.Concrete, u *url.URL) (*directory, error) {
	if u.Host != "" || u.Path == "" {
		return nil, invalidServer(u.String(), errors.New("it is not of the form file:///directory"))
	}
	return &directory{s, p, filepath.FromSlash(u.Path)}, nil
}

func (d *directory) String() string { return "the directory " + d.dir }

func (d *directory) address() string { return "file://" + filepath.ToSlash(d.dir) }

func (d *directory) newest(context.Context) (semver.Version, error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return semver.Version{}, err
	}
	prefix := fmt.Sprintf("pulumi-%s-%s-v", d.p.Kind, d.p.Name)
	suffix := fmt.Sprintf("-%s-%s.tar.gz", d.s.platform.OS, d.s.platform.Arch)
	var versions []semver.Version
	for _, entry := range entries {
		rest, isOurs := strings.CutPrefix(entry.Name(), prefix)
		text, isArchive := strings.CutSuffix(rest, suffix)
		if v, err := semver.Parse(text); isOurs && isArchive && err == nil {
			versions = append(versions, v)
		}
	}
	newest, ok := plugin.Newest(versions)
	if !ok {
		return semver.Version{}, fmt.Errorf("it holds no %s…%s", prefix, suffix)
	}
	return newest, nil
}

func (d *directory) bring(_ context.Context, v semver.Version, room Room) error {
	p := d.p
	p.Version = v
	path := filepath.Join(d.dir, assetName(p, v, d.s.platform))
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir() {
		return d.s.downloadFailed(p, failures{{d.String(), &noAsset{name: filepath.Base(path)}}})
	}
	if err != nil {
		return err
	}
	return d.s.openArchive(p, path, path, room)
}
