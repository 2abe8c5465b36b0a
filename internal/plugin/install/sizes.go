package install

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/plugin"
)

// sizes remembers how large plugins with many files are, as measuring them
// takes time. The record lies in the cache, where the pulumi program passes
// over it. What is remembered counts while the plugin's directory is the same
// and it was not started since: nothing else changes its files.
type sizes struct {
	path  string
	cache plugin.Cache

	mu      sync.Mutex
	known   map[string]sizeRecord // by the directory's name
	current map[string]sizeRecord
}

type sizeRecord struct {
	Size uint64 `json:"size"`
	// Changed is the directory's change time, Used the time of the last
	// start, in nanoseconds since 1970.
	Changed int64 `json:"changed"`
	Used    int64 `json:"used"`
}

// manyFiles is from how many files on a size is worth remembering.
const manyFiles = 500

func loadSizes(cache plugin.Cache) *sizes {
	s := &sizes{path: filepath.Join(cache.Root, ".sizes.json"), cache: cache, current: map[string]sizeRecord{}}
	if wholefile.ReadJSON(s.path, &s.known) != nil {
		s.known = nil // it is measured again
	}
	return s
}

// save replaces the record where it changed. Failing to costs time only.
func (s *sizes) save() {
	if !maps.Equal(s.known, s.current) {
		_ = wholefile.WriteJSON(s.path, s.current)
	}
}

// of is the size of a plugin whose directory changed last at some time.
func (s *sizes) of(e plugin.Entry, changed time.Time) uint64 {
	now := sizeRecord{Changed: changed.UnixNano()}
	if info, err := os.Stat(s.cache.LastUsed(plugin.Concrete{Kind: e.Kind, Name: e.Name, Version: e.Version})); err == nil {
		now.Used = info.ModTime().UnixNano()
	}
	name := filepath.Base(e.Dir)
	s.mu.Lock()
	known, ok := s.known[name]
	s.mu.Unlock()
	if ok && known.Changed == now.Changed && known.Used == now.Used && e.State == plugin.Installed {
		s.remember(name, known)
		return known.Size
	}
	size, files := measure(e.Dir)
	now.Size = size
	if files >= manyFiles && e.State == plugin.Installed {
		s.remember(name, now)
	}
	return size
}

func (s *sizes) remember(name string, r sizeRecord) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current[name] = r
}

// measure adds up the files below dir. What cannot be read counts nothing.
func measure(dir string) (size uint64, files int) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		files++
		if info, err := entry.Info(); err == nil {
			size += uint64(max(0, info.Size()))
		}
		return nil
	})
	return size, files
}
