package tflang

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

func fileFunctions(h Host) map[string]function.Function {
	out := map[string]function.Function{
		"abspath":    textFunc("path", h.absolute),
		"basename":   textFunc("path", func(s string) (string, error) { return filepath.Base(s), nil }),
		"dirname":    textFunc("path", func(s string) (string, error) { return filepath.Dir(s), nil }),
		"pathexpand": textFunc("path", h.expand),
		"file":       fileFunc(h.readText),
		"filebase64": fileFunc(func(path string) (string, error) {
			raw, err := h.read(path)
			return base64.StdEncoding.EncodeToString(raw), err
		}),
		"fileexists": fileExistsFunc(h),
		"fileset":    fileSetFunc(h),
	}
	for name, d := range digests() {
		key := "file" + name // filemd5, filebase64sha256
		out[key] = fileFunc(func(path string) (string, error) { return h.digest(path, d) })
	}
	return out
}

// expand replaces a leading "~" by the home directory.
func (h Host) expand(path string) (string, error) {
	if path == "" || path[0] != '~' {
		return path, nil
	}
	if len(path) > 1 && path[1] != '/' && path[1] != filepath.Separator {
		return "", errors.New("cannot expand user-specific home dir")
	}
	if h.Home == "" {
		return "", errors.New("the home directory is not known")
	}
	return filepath.Join(h.Home, path[1:]), nil
}

// locate turns a path of the configuration into one of the machine.
func (h Host) locate(path string) (string, error) {
	path, err := h.expand(path)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.Dir, path)
	}
	return filepath.Clean(path), nil
}

func (h Host) absolute(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.Dir, path)
	}
	abs, err := filepath.Abs(path)
	return filepath.ToSlash(abs), err
}

func (h Host) open(path string) (*os.File, error) {
	place, err := h.locate(path)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("no file exists at the given path; a file that a resource makes must be read from that resource instead")
	}
	return f, withoutPath(err)
}

// withoutPath drops the name from a file error: it can be a sensitive value,
// and the diagnostic around it quotes the argument where it is not.
func withoutPath(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

func (h Host) read(path string) ([]byte, error) {
	f, err := h.open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	return raw, withoutPath(err)
}

func (h Host) readText(path string) (string, error) {
	raw, err := h.read(path)
	if err == nil && !utf8.Valid(raw) {
		err = errors.New("the file is not valid UTF-8; use filebase64 for its contents, or filemd5 and the like for its hash")
	}
	return string(raw), err
}

func (h Host) digest(path string, d digest) (string, error) {
	f, err := h.open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := d.new()
	if _, err := io.Copy(sum, f); err != nil {
		return "", withoutPath(err)
	}
	return d.write(sum.Sum(nil)), nil
}

// fileFunc makes a function of a path.
func fileFunc(impl func(path string) (string, error)) function.Function {
	return textFunc("path", impl)
}

func fileExistsFunc(h Host) function.Function {
	return scalarFunc(cty.Bool, []function.Parameter{param("path", cty.String)}, func(args []cty.Value) (cty.Value, error) {
		place, err := h.locate(args[0].AsString())
		if err != nil {
			return cty.NilVal, function.NewArgError(0, err)
		}
		info, err := os.Stat(place)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return cty.False, nil
		case err != nil:
			return cty.NilVal, function.NewArgError(0, withoutPath(err))
		case info.IsDir():
			return cty.NilVal, function.NewArgErrorf(0, "the path leads to a directory, not a file")
		case !info.Mode().IsRegular():
			return cty.NilVal, function.NewArgErrorf(0, "the path does not lead to a regular file")
		}
		return cty.True, nil
	})
}

// fileSetFunc lists the regular files under a path that a glob matches, as
// slash-separated names relative to that path.
func fileSetFunc(h Host) function.Function {
	params := []function.Parameter{param("path", cty.String), param("pattern", cty.String)}
	return scalarFunc(cty.Set(cty.String), params, func(args []cty.Value) (cty.Value, error) {
		root := args[0].AsString()
		if !filepath.IsAbs(root) {
			root = filepath.Join(h.Dir, root)
		}
		// The root is no pattern: a "[" in it stands for itself. What the
		// pattern climbs out of it with ".." moves the root instead.
		pattern := strings.TrimLeft(filepath.ToSlash(filepath.Clean(args[1].AsString())), "/")
		climbed := ""
		for strings.HasPrefix(pattern, "../") {
			climbed, pattern = climbed+"../", pattern[3:]
		}
		names, err := doublestar.Glob(os.DirFS(filepath.Join(root, climbed)), pattern, doublestar.WithFilesOnly())
		if err != nil {
			return cty.NilVal, function.NewArgError(1, fmt.Errorf("failed to glob: %w", withoutPath(err)))
		}
		var found []cty.Value
		for _, name := range names {
			info, err := os.Stat(filepath.Join(root, climbed, name))
			if err == nil && info.Mode().IsRegular() {
				found = append(found, cty.StringVal(climbed+name))
			}
		}
		if len(found) == 0 {
			return cty.SetValEmpty(cty.String), nil
		}
		return cty.SetVal(found), nil
	})
}
