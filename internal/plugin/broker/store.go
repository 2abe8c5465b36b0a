package broker

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/bigtext"
	"github.com/formation-iac/formation/internal/base/sealed"
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

// get returns what was put under a question, whole or not at all.
func (s shelf) get(question ...string) (answer string, ok bool) {
	kept := s.open(question...)
	if kept == nil {
		return "", false
	}
	defer kept.file.Close()
	answer, err := bigtext.Read(kept.text, kept.text.Size())
	return answer, err == nil
}

// answerHead begins a file: a name and a format number. The answer follows.
const answerHead = "formation-answer-1\n"

// keptAnswer is the answer of an earlier run.
type keptAnswer struct {
	file *os.File
	text *io.SectionReader // of file
}

// open is get for an answer that may be too large for memory; nil for none.
func (s shelf) open(question ...string) *keptAnswer {
	if s == "" {
		return nil
	}
	file, err := os.Open(s.file(question))
	if err != nil {
		return nil
	}
	if info, err := file.Stat(); err == nil {
		if text, ok := sealed.Open(file, info.Size(), answerHead); ok {
			return &keptAnswer{file, text}
		}
	}
	_ = file.Close()
	return nil
}

// put keeps an answer. That it cannot is of no account: it is asked for again.
func (s shelf) put(answer string, question ...string) {
	_ = s.stream(question, func(w io.Writer) error {
		_, err := io.WriteString(w, answer)
		return err
	})
}

// stream is put for an answer that write writes piece by piece, and fails where
// write does or where it cannot be kept.
func (s shelf) stream(question []string, write func(io.Writer) error) error {
	if s == "" {
		return errNoShelf
	}
	if _, err := os.Stat(string(s)); err != nil {
		s.dropOthers()
	}
	return wholefile.Stream(s.file(question), 0o644, func(w io.Writer) error { return sealed.Write(w, answerHead, write) })
}

var errNoShelf = errors.New("nothing is kept")

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
