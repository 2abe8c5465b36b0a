package main

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// filesBelow returns the files under root whose names end in suffix, relative
// to root, with slashes, sorted.
func filesBelow(root, suffix string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() && strings.HasSuffix(name, suffix) {
			names = append(names, name)
		}
		return nil
	})
	slices.Sort(names)
	return names, err
}

// write puts outputs below root and reports generated files there that are not
// among them. Files whose content is already right keep their times.
func write(root string, outputs map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		if err := writeFile(filepath.Join(root, filepath.FromSlash(name)), outputs[name]); err != nil {
			return err
		}
	}
	present, err := filesBelow(root, ".pb.go")
	if err != nil {
		return err
	}
	for _, name := range present {
		if _, generated := outputs[name]; !generated {
			return fmt.Errorf("%s comes from no .proto file: delete it", name)
		}
	}
	return nil
}

func writeFile(path, content string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == content {
		return nil
	}
	return os.WriteFile(path, []byte(content), 0o644)
}
