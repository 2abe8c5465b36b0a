package bridge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/wholefile"
)

// schemaCache is a file that holds a package's schema. It is named after what
// the package is made of, and begins with a line that says which build of the
// bridge made it: another build may write another schema, and replaces it.
type schemaCache struct {
	file  string // "" keeps nothing
	build string
}

// schemaCache is where the schema of m is. A provider whose binary is not
// known has none.
func (m *bridged) schemaCache() schemaCache {
	if m.found.BinaryHash == "" {
		return schemaCache{}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q", []string{
		m.found.BinaryHash, string(m.parameter.Value()), m.name, m.version, m.bridge.base.name,
	})
	return schemaCache{
		file:  filepath.Join(m.cacheDir, "packages", hex.EncodeToString(h.Sum(nil))),
		build: m.bridge.base.build(),
	}
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
func (c schemaCache) header(text []byte) []byte {
	return fmt.Appendf(nil, "formation-package-1 %08x %s\n", crc32.ChecksumIEEE(text), c.build)
}

// load reads the schema. What is missing, damaged or of another build gives
// nothing.
func (c schemaCache) load() (string, bool) {
	if c.file == "" {
		return "", false
	}
	data, err := os.ReadFile(c.file)
	if err != nil {
		return "", false
	}
	text, ok := c.decode(data)
	return string(text), ok
}

func (c schemaCache) decode(data []byte) ([]byte, bool) {
	end := bytes.IndexByte(data, '\n') + 1
	text := data[end:]
	return text, end > 0 && bytes.Equal(data[:end], c.header(text))
}

// save writes the schema for later runs.
func (c schemaCache) save(text []byte) error {
	if c.file == "" {
		return nil
	}
	return wholefile.Replace(c.file, append(c.header(text), text...), 0o644)
}
