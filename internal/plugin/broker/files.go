package broker

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// MappingFiles are mappings that the user gives, by the name of the provider.
// They go before all others, whatever the ecosystem.
type MappingFiles map[string][]byte

// LoadMappingFiles reads files that are called after providers: "aws.json".
func LoadMappingFiles(paths []string) (MappingFiles, diag.List) {
	files := MappingFiles{}
	var diags diag.List
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			diags = append(diags, unreadableMapping(path, err))
			continue
		}
		base := filepath.Base(path)
		files[strings.TrimSuffix(base, filepath.Ext(base))] = data
	}
	return files, diags
}

// Or answers from the files, and asks next for the rest.
func (f MappingFiles) Or(next Mappings) Mappings { return filesFirst{f, next} }

type filesFirst struct {
	files MappingFiles
	next  Mappings
}

// Mapping implements [Mappings].
func (f filesFirst) Mapping(ctx context.Context, q Question) ([]byte, diag.List) {
	if data, ok := f.files[q.Provider]; ok {
		return data, nil
	}
	return f.next.Mapping(ctx, q)
}
