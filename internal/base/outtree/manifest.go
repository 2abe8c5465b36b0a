package outtree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const (
	manifestPath = metaDir + "/manifest.json"
	journalPath  = metaDir + "/journal.json"
	stageDir     = metaDir + "/stage"
	lockPath     = metaDir + "/lock"
	ignorePath   = metaDir + "/.gitignore"
)

// manifest is what we wrote into a directory, by path.
type manifest map[string]manifestItem

// manifestFile is the format on disk; files are sorted by path.
type manifestFile struct {
	Version int            `json:"version"`
	Files   []manifestItem `json:"files"`
}

// manifestItem is one file; SHA256 is in hex. See [Tree.AddOptional].
type manifestItem struct {
	Path     string `json:"path"`
	SHA256   string `json:"sha256"`
	Optional bool   `json:"optional,omitempty"`
}

const manifestVersion = 1

func manifestOf(files []File) manifest {
	m := manifest{}
	for _, f := range files {
		if f.Aside {
			continue
		}
		m[f.Path] = manifestItem{Path: f.Path, SHA256: Digest(f.Data), Optional: f.Optional}
	}
	return m
}

// file is the form on disk.
func (m manifest) file() manifestFile {
	out := manifestFile{Version: manifestVersion, Files: []manifestItem{}}
	for _, name := range m.paths() {
		out.Files = append(out.Files, m[name])
	}
	return out
}

func (f manifestFile) encode() []byte {
	data, _ := json.MarshalIndent(f, "", "  ") // strings, flags and a number: cannot fail
	return append(data, '\n')
}

func (m manifest) paths() []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// decodeManifest reads what encode wrote. Paths that lead out of the
// directory are errors: the file may come from anywhere.
func decodeManifest(data []byte) (manifest, error) {
	var in manifestFile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return nil, err
	}
	if in.Version != manifestVersion {
		return nil, fmt.Errorf("it has version %d; this program knows %d", in.Version, manifestVersion)
	}
	m := manifest{}
	for _, item := range in.Files {
		if !validPath(item.Path) {
			return nil, fmt.Errorf("it has the path %q, which is not inside the directory", item.Path)
		}
		m[item.Path] = item
	}
	return m, nil
}

// loadManifest returns an empty manifest, and false, where there is none.
func loadManifest(root *os.Root) (manifest, bool, error) {
	data, err := root.ReadFile(manifestPath)
	if errors.Is(err, fs.ErrNotExist) {
		return manifest{}, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	m, err := decodeManifest(data)
	return m, true, err
}

// accepting is m with the files that stand as merged says as if they had been
// written so. See [Options.Merged].
func (m manifest) accepting(root *os.Root, merged map[string][]byte) manifest {
	out := maps.Clone(m)
	for name, data := range merged {
		item, ours := m[name]
		there, err := inspect(root, name)
		if sum := Digest(data); ours && err == nil && there.sha256 == sum {
			item.SHA256 = sum
			out[name] = item
		}
	}
	return out
}

// vouching is m with what else was written here. See [Options.Vouched].
func (m manifest) vouching(root *os.Root, vouched map[string]string) manifest {
	if len(vouched) == 0 {
		return m
	}
	out := maps.Clone(m)
	for name, sum := range vouched {
		if !validPath(name) {
			continue
		}
		item, remembered := m[name]
		there, err := inspect(root, name)
		if err == nil && there.exists && (there.sha256 == sum || !remembered) {
			out[name] = manifestItem{Path: name, SHA256: sum, Optional: item.Optional}
		}
	}
	return out
}

// Others lists what stands at the top of dir and was not written by a commit,
// nor is vouched for, sorted. There is nothing where there is no directory.
func Others(dir string, opts Options) ([]string, error) {
	root, err := os.OpenRoot(filepath.Clean(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	known, _, err := loadManifest(root)
	if err != nil {
		return nil, err
	}
	ours := map[string]bool{metaDir: true}
	for name := range known {
		top, _, _ := strings.Cut(name, "/")
		ours[top] = true
	}
	entries, err := fs.ReadDir(root.FS(), ".")
	var names []string
	for _, e := range entries {
		if !ours[e.Name()] && !opts.vouches(e.Name()) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Remembers reports whether the file of that path in dir is one that a commit
// wrote, and whether data is what it wrote. It says no where nothing is
// remembered or can be read; [Preflight] says why.
func Remembers(dir, name string, data []byte) (ours, same bool) {
	root, err := os.OpenRoot(filepath.Clean(dir))
	if err != nil {
		return false, false
	}
	defer root.Close()
	known, _, err := loadManifest(root)
	if err != nil {
		return false, false
	}
	item, ours := known[name]
	return ours, ours && item.SHA256 == Digest(data)
}
