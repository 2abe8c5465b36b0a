package tfregistry

import (
	"encoding/json"
	"os"
	"path/filepath"
)

func readJSON(path string, v any) error {
	src, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(src, v)
}

func writeJSON(path string, v any) error {
	src, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return replaceFile(path, append(src, '\n'), 0o644)
}

// replaceFile writes a file whole or not at all, making its directory.
func replaceFile(path string, content []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(content)
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
