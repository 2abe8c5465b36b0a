// Package wholefile reads and writes files that are whole or absent, however
// their writer ended.
package wholefile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ReadJSON decodes a JSON file into v.
func ReadJSON(path string, v any) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(src, v)
}

// WriteJSON replaces a file by v as indented JSON.
func WriteJSON(path string, v any) error {
	src, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return Replace(path, append(src, '\n'), 0o644)
}

// Replace writes a file whole or not at all, making its directory.
func Replace(path string, content []byte, mode os.FileMode) error {
	return Stream(path, mode, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

// Rewrite is Replace for a file that is somebody's: it keeps its permissions,
// and where it is a link, what that leads to is replaced. A new file gets the
// usual permissions.
func Rewrite(path string, content []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	return Replace(path, content, mode)
}

// Stream is Replace for content that write writes piece by piece. Where write
// fails, so does Stream.
func Stream(path string, mode os.FileMode, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), tempPrefix(path)+"*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	err = write(temp)
	if err == nil {
		err = temp.Chmod(mode)
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// tempPrefix begins the names of files that are to take the place of path.
func tempPrefix(path string) string { return "." + filepath.Base(path) + ".tmp-" }

// Clear removes what writers of a file left that were killed. Nobody else may
// be writing it.
func Clear(path string) error {
	entries, err := os.ReadDir(filepath.Dir(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tempPrefix(path)) {
			err = errors.Join(err, os.Remove(filepath.Join(filepath.Dir(path), entry.Name())))
		}
	}
	return err
}

// SHA256 returns the hash of a file's content in hexadecimal.
func SHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
