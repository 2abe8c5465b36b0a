package translate

import (
	"context"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// Files returns the path of a file with the content of an asset or archive
// that is no file. The path must depend on nothing but the content, since
// Terraform compares it. Errors must not quote the content.
type Files func(ctx context.Context, content property.Value) (path string, err error)

// FilePaths replaces assets and archives by the paths of files, which is what
// Terraform gets of them: their own, or those of files with their content.
// Engines leave paths and contents out of most calls, so inputs must hold the
// paths from the start. Where files is nil or fails, what is no file stays as
// it is; the failures are problems.
func FilePaths(ctx context.Context, m property.Map, files Files) (property.Map, []Problem) {
	if !hasFiles(property.New(m)) {
		return m, nil
	}
	f := &filer{}
	if files != nil {
		f.file = func(content property.Value) (string, error) { return files(ctx, content) }
	}
	out := f.replace(property.New(m), property.Path{}).AsMap()
	slices.SortFunc(f.problems, func(a, b Problem) int { return strings.Compare(a.Error(), b.Error()) })
	return out, f.problems
}

// hasFiles reports whether there are assets or archives in v.
func hasFiles(v property.Value) bool {
	return pvalue.Any(v, func(v property.Value) bool { return v.IsAsset() || v.IsArchive() })
}

// filer puts paths in the place of files.
type filer struct {
	file     func(content property.Value) (path string, err error) // nil where there is no way
	problems []Problem
}

func (f *filer) replace(v property.Value, at property.Path) property.Value {
	switch {
	case v.IsMap():
		return eachMember(v, func(key string, member property.Value) property.Value {
			return f.replace(member, at.AppendSegment(pvalue.Key(key)))
		})
	case v.IsArray():
		return eachElement(v, func(i int, element property.Value) property.Value { return f.replace(element, at.AppendIndex(i)) })
	case !v.IsAsset() && !v.IsArchive():
		return v
	}
	path := filePath(v)
	if path == "" && f.file != nil {
		var err error
		if path, err = f.file(v); err != nil {
			f.problems = append(f.problems, Problem{Path: at, Reason: "The asset is no file, and cannot be made one: " + err.Error()})
		}
	}
	if path == "" {
		return v
	}
	return property.WithGoValue(v, path)
}

// filePath is the path of an asset or archive that is a file, and "" of
// everything else.
func filePath(v property.Value) string {
	switch {
	case v.IsAsset():
		return v.AsAsset().Path
	case v.IsArchive():
		return v.AsArchive().Path
	default:
		return ""
	}
}
