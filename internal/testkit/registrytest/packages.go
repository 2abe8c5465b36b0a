package registrytest

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// Package is one provider package to serve.
type Package struct {
	Namespace, Type, Version string
	// OS and Arch default to those of this machine.
	OS, Arch string
	// Files are the archive's content by name, and Links the targets of its
	// symbolic links. Archive, where it is not nil, is served as it is instead.
	Files   map[string][]byte
	Links   map[string]string
	Archive []byte
	// Protocols default to 5.0 and 6.0.
	Protocols []string
	// MirrorHashes are what the mirror announces; nil means the right "zh:"
	// one, and an empty list none.
	MirrorHashes []string

	// WrongSum announces another checksum than the archive's, consistently.
	WrongSum bool
	// SumsDisagree lets the list of checksums differ from the announcement.
	SumsDisagree bool
	// BadSignature signs something other than the list of checksums.
	BadSignature bool
	// ForeignSignature signs with a key that the registry does not announce.
	ForeignSignature bool
	// Unsigned announces no key.
	Unsigned bool
}

// Binary is a package of one executable with the given content.
func Binary(namespace, typ, version, content string) Package {
	name := fmt.Sprintf("terraform-provider-%s_v%s", typ, version)
	return Package{Namespace: namespace, Type: typ, Version: version, Files: map[string][]byte{name: []byte(content)}}
}

// BinaryFile is a package of one executable read from path.
func BinaryFile(t testing.TB, namespace, typ, version, path string) Package {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("terraform-provider-%s_v%s%s", typ, version, filepath.Ext(path))
	return Package{Namespace: namespace, Type: typ, Version: version, Files: map[string][]byte{name: content}}
}

// Publish adds p to what is served, in place of one of the same name.
func (s *Server) Publish(t testing.TB, p Package) {
	t.Helper()
	if p.OS == "" {
		p.OS, p.Arch = runtime.GOOS, runtime.GOARCH
	}
	if p.Protocols == nil {
		p.Protocols = []string{"5.0", "6.0"}
	}
	if p.Archive == nil {
		archive, err := pack(p.Files, p.Links)
		if err != nil {
			t.Fatal(err)
		}
		p.Archive = archive
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packages = slices.DeleteFunc(s.packages, func(q *Package) bool {
		return q.Namespace == p.Namespace && q.Type == p.Type && q.filename() == p.filename()
	})
	s.packages = append(s.packages, &p)
}

func pack(files map[string][]byte, links map[string]string) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(links)) { // first, so that files may go through them
		if err := add(w, name, fs.ModeSymlink|0o777, []byte(links[name])); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := add(w, name, 0o755, files[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func add(w *zip.Writer, name string, mode fs.FileMode, content []byte) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(mode)
	entry, err := w.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = entry.Write(content)
	return err
}

func (p *Package) platform() string { return p.OS + "_" + p.Arch }

func (p *Package) filename() string {
	return fmt.Sprintf("terraform-provider-%s_%s_%s.zip", p.Type, p.Version, p.platform())
}

// sum is the checksum that is announced.
func (p *Package) sum() string {
	content := p.Archive
	if p.WrongSum {
		content = append([]byte("not "), content...)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// listedSum is the one in the list of checksums.
func (p *Package) listedSum() string {
	if p.SumsDisagree {
		sum := sha256.Sum256([]byte("something else"))
		return hex.EncodeToString(sum[:])
	}
	return p.sum()
}
