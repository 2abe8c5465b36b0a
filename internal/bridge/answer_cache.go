package bridge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/formation-iac/formation/internal/base/bigtext"
	"github.com/formation-iac/formation/internal/base/sealed"
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

// answer is what takes long to write.
type answer struct {
	// kind is its name, and stamp tells it from others of its kind.
	kind, stamp string
	// prepare makes what writes it of the package. Where it is not whole, it
	// is not to be kept.
	prepare func(ctx context.Context, pkg *mapping.Package) (write func(io.Writer) error, whole bool, err error)
}

// cache is where an answer about m is. A provider whose binary is not known
// has none.
func (m *bridged) cache(ctx context.Context, a answer) answerCache {
	binary := m.found.Hash(ctx)
	if binary == "" {
		return answerCache{}
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q", []string{
		a.kind, a.stamp, binary, string(m.parameter.Value()), m.name, m.version, m.bridge.base.name,
	})
	return answerCache{
		file:  filepath.Join(m.cacheDir, "packages", hex.EncodeToString(h.Sum(nil))+"."+a.kind),
		build: m.bridge.base.build(),
	}
}

// tag tells an answer from all others, those of other builds too; "" for what
// is not kept.
func (c answerCache) tag() string {
	if c.file == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(filepath.Base(c.file) + c.head()))
	return hex.EncodeToString(sum[:])
}

// get returns the answer of an earlier run, or a new one, which is kept for
// later runs: in kept, which is nothing where it is not.
func (m *bridged) get(ctx context.Context, a answer) (text string, kept answerCache, err error) {
	mapped := sync.OnceValues(func() (*mapping.Package, error) { return m.mapped(ctx) })
	if !m.found.Hashed() {
		// Most likely the binary is new, and starts while it is hashed.
		go func() { _, _ = mapped() }()
	}
	cache := m.cache(ctx, a)
	if text, ok := cache.load(); ok {
		return text, cache, nil
	}
	pkg, err := mapped()
	if err != nil {
		return "", answerCache{}, err
	}
	write, whole, err := a.prepare(ctx, pkg)
	if err != nil {
		return "", answerCache{}, err
	}
	var written bigtext.Builder
	if err := write(&written); err != nil {
		return "", answerCache{}, fmt.Errorf("the %s of package %s: %w", a.kind, m.name, err)
	}
	// The binary that ran is the one that was hashed only where it is still
	// the same file.
	if !whole || !m.found.Unchanged() {
		return written.String(), answerCache{}, nil
	}
	m.keep(ctx, a.kind, cache, written.String())
	return written.String(), cache, nil
}

// keep has an answer saved for later runs.
func (m *bridged) keep(ctx context.Context, kind string, cache answerCache, text string) {
	ctx = context.WithoutCancel(ctx) // which ends with the call
	m.keeping.begin(func() {
		if err := cache.save(inPieces(text)); err != nil {
			m.bridge.Report(ctx, "", answerUnwritable(kind, cache.file, err))
		}
	})
}

// keeping is the answers that are to be saved. The plugin does not end before
// they are; a file is whole or absent in any case.
type keeping struct {
	mu      sync.Mutex    // guards the end of over, after which nothing begins
	over    chan struct{} // closed at the end
	running sync.WaitGroup
}

func newKeeping() *keeping { return &keeping{over: make(chan struct{})} }

// sending is how long an answer is on its way to the engine, about. Saving it
// meanwhile would take from the two processes that are busy with that.
const sending = 100 * time.Millisecond

// begin saves an answer a little later, or at the end.
func (k *keeping) begin(save func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.over:
		return
	default:
	}
	k.running.Go(func() {
		select {
		case <-time.After(sending):
		case <-k.over:
		}
		save()
	})
}

// end waits for what is to be saved, until ctx ends. It is called once.
func (k *keeping) end(ctx context.Context) {
	k.mu.Lock()
	close(k.over)
	k.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.running.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// piece is how much of an answer is written at a time, in bytes.
const piece = 256 << 10

// inPieces writes a text without a copy of all of it.
func inPieces(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.CopyBuffer(w, struct{ io.Reader }{strings.NewReader(text)}, make([]byte, piece))
		return err
	}
}

// build tells builds of the bridge apart: releases by their version, and what
// developers build between two by the program's file. The file's inode and the
// time of its last change are no part of that: it is linked to and copied as a
// plugin of many versions, which makes no other build of it.
func (p basePlugin) build() string {
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

// head is the first line of a file.
func (c answerCache) head() string { return "formation-answer-2 " + c.build + "\n" }

// load reads the answer. What is missing, damaged or of another build gives
// nothing.
func (c answerCache) load() (string, bool) {
	if c.file == "" {
		return "", false
	}
	f, err := os.Open(c.file)
	if err != nil {
		return "", false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false
	}
	return sealed.Read(f, info.Size(), c.head())
}

// save writes the answer for later runs.
func (c answerCache) save(write func(io.Writer) error) error {
	if c.file == "" {
		return nil
	}
	return wholefile.Stream(c.file, 0o644, func(w io.Writer) error { return sealed.Write(w, c.head(), write) })
}
