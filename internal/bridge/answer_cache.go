package bridge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/mapping"
)

// answerCache is a file that holds what takes long to write: the package's
// schema, or its mapping. It is named after what the package is made of, and
// begins with a line that says which build of the bridge wrote it: another
// build may write something else, and replaces it.
type answerCache struct {
	file  string // "" keeps nothing
	build string
}

// cache is where an answer about m is, by the name of its kind. A provider
// whose binary is not known has none.
func (m *bridged) cache(kind string) answerCache {
	if m.found.BinaryHash == "" {
		return answerCache{}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q", []string{
		kind, m.found.BinaryHash, string(m.parameter.Value()), m.name, m.version, m.bridge.base.name,
	})
	return answerCache{
		file:  filepath.Join(m.cacheDir, kind, hex.EncodeToString(h.Sum(nil))),
		build: m.bridge.base.build(),
	}
}

// get returns the answer of an earlier run, or the one that write writes.
func (m *bridged) get(ctx context.Context, kind string, write func(*mapping.Package) ([]byte, error)) ([]byte, error) {
	cache := m.cache(kind)
	if text, ok := cache.load(); ok {
		return text, nil
	}
	pkg, err := m.mapped(ctx)
	if err != nil {
		return nil, err
	}
	text, err := write(pkg)
	if err != nil {
		return nil, fmt.Errorf("the %s of package %s: %w", kind, m.name, err)
	}
	if err := cache.save(text); err != nil {
		m.bridge.Report(ctx, "", answerUnwritable(kind, cache.file, err))
	}
	return text, nil
}

// build tells builds of the bridge apart: releases by their version, and what
// developers build between two by the program's file.
func (p plugin) build() string {
	path, err := os.Executable()
	if err != nil {
		return p.version
	}
	info, err := os.Stat(path)
	if err != nil {
		return p.version
	}
	return fmt.Sprintf("%s %d %d", p.version, info.Size(), info.ModTime().UnixNano())
}

// header is the first line of a file with text.
func (c answerCache) header(text []byte) []byte {
	return fmt.Appendf(nil, "formation-answer-1 %08x %s\n", crc32.ChecksumIEEE(text), c.build)
}

// load reads the answer. What is missing, damaged or of another build gives
// nothing.
func (c answerCache) load() ([]byte, bool) {
	if c.file == "" {
		return nil, false
	}
	data, err := os.ReadFile(c.file)
	if err != nil {
		return nil, false
	}
	return c.decode(data)
}

func (c answerCache) decode(data []byte) ([]byte, bool) {
	end := bytes.IndexByte(data, '\n') + 1
	text := data[end:]
	return text, end > 0 && bytes.Equal(data[:end], c.header(text))
}

// save writes the answer for later runs.
func (c answerCache) save(text []byte) error {
	if c.file == "" {
		return nil
	}
	return wholefile.Replace(c.file, append(c.header(text), text...), 0o644)
}
