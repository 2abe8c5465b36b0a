// Package sdkgentest is for tests of generated SDKs.
package sdkgentest

import (
	"cmp"
	"slices"
	"sync"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// Collect gives the files that are written to a sink, sorted by path.
func Collect(write func(sdkgen.Sink) error) ([]sdkgen.File, error) {
	var mu sync.Mutex
	var files []sdkgen.File
	err := write(func(file sdkgen.File) error {
		mu.Lock()
		defer mu.Unlock()
		files = append(files, file)
		return nil
	})
	slices.SortFunc(files, func(a, b sdkgen.File) int { return cmp.Compare(a.Path, b.Path) })
	return files, err
}
