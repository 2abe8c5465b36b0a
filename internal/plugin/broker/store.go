package broker

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// Store keeps answers of plugins on disk. What a plugin answered stands for as
// long as its fingerprint does; the answers of its earlier self are dropped.
// It may be used by several processes at once.
type Store struct {
	// Dir is made when it is needed; "" keeps nothing.
	Dir string
}

// shelf is where the answers of one plugin are; "" for none.
type shelf string

// shelf returns the place for a plugin that was found. One that was attached
// to has none: nobody knows when it changes.
func (s Store) shelf(found host.Found) shelf {
	if s.Dir == "" || found.Path == "" {
		return ""
	}
	fingerprint, err := found.Fingerprint()
	if err != nil {
		return "" // it is being replaced
	}
	return shelf(filepath.Join(s.Dir, digest(string(found.Kind), found.Name, found.Path), fingerprint))
}

// digest is a file name for texts.
func digest(texts ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", texts))
	return hex.EncodeToString(sum[:16])
}

// magic opens a file: a name and a format number. The answer follows, and the
// CRC-32 of both, big-endian.
const magic = "formation-answer-1\n"

// get returns what was put under a question, whole or not at all.
func (s shelf) get(question ...string) (answer []byte, ok bool) {
	if s == "" {
		return nil, false
	}
	data, err := os.ReadFile(s.file(question))
	if err != nil {
		return nil, false
	}
	return decodeAnswer(data)
}

func decodeAnswer(data []byte) (answer []byte, ok bool) {
	if !bytes.HasPrefix(data, []byte(magic)) || len(data) < len(magic)+4 {
		return nil, false
	}
	body, sum := data[:len(data)-4], data[len(data)-4:]
	if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(sum) {
		return nil, false
	}
	return body[len(magic):], true
}

func encodeAnswer(answer []byte) []byte {
	data := append([]byte(magic), answer...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

// put keeps an answer. That it cannot is of no account: it is asked for again.
func (s shelf) put(answer []byte, question ...string) {
	if s == "" {
		return
	}
	if _, err := os.Stat(string(s)); err != nil {
		s.dropOthers()
	}
	_ = wholefile.Replace(s.file(question), encodeAnswer(answer), 0o644)
}

func (s shelf) file(question []string) string {
	return filepath.Join(string(s), strings.ToLower(question[0])+"-"+digest(question...))
}

// dropOthers removes the answers that the plugin gave before it changed.
func (s shelf) dropOthers() {
	dir, mine := filepath.Split(string(s))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // there are none
	}
	for _, entry := range entries {
		if entry.Name() != mine {
			_ = os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
}
