package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// Tree is the Go source of one module, parsed.
type Tree struct {
	// Module is the module path, which prefixes every import of its packages.
	Module string
	// Files are sorted by path.
	Files []File

	positions *token.FileSet
}

// File is one Go source file. Path is relative to the module's root, with
// slashes.
type File struct {
	Path   string
	Syntax *ast.File
}

// Package is the directory of f, relative to the module's root: "internal/cli".
func (f File) Package() string { return path.Dir(f.Path) }

// Test reports whether f is compiled into tests only.
func (f File) Test() bool { return strings.HasSuffix(f.Path, "_test.go") }

// Load parses every Go file of the module at root. As the go command does, it
// passes over testdata, names that begin with a dot or an underscore, and
// folders that are modules of their own.
func Load(module string, root fs.FS) (*Tree, error) {
	tree := &Tree{Module: module, positions: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && outside(root, name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || hidden(name):
			return nil
		}
		return tree.add(root, name)
	})
	return tree, err
}

func (t *Tree) add(root fs.FS, name string) error {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(t.positions, name, content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	t.Files = append(t.Files, File{Path: name, Syntax: syntax})
	return nil
}

// outside reports whether the folder dir holds none of the module's packages.
func outside(root fs.FS, dir string) bool {
	if dir == "." {
		return false
	}
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil || hidden(dir) || path.Base(dir) == "testdata"
}

func hidden(name string) bool {
	return strings.HasPrefix(path.Base(name), ".") || strings.HasPrefix(path.Base(name), "_")
}

// imported is the path that spec names: relative to the module's root for its
// own packages, else as written.
func (t *Tree) imported(spec *ast.ImportSpec) string {
	target, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return strings.TrimPrefix(target, t.Module+"/")
}

// below reports whether the package dir is one of rooms or inside one.
func below(dir string, rooms ...string) bool {
	for _, room := range rooms {
		if dir == room || strings.HasPrefix(dir, room+"/") {
			return true
		}
	}
	return false
}
