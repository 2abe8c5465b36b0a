package link

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
)

//go:embed rules/*.hcl
var builtinFiles embed.FS

// Builtin returns the rules that come with the program: Amazon S3, AWS IAM,
// PostgreSQL, and the synthetic estate of the demo. Their ranges name the files
// as "builtin/aws_s3.hcl". The files are part of the program, so it panics
// where they do not parse.
func Builtin() *Rules {
	names, err := fs.Glob(builtinFiles, "rules/*.hcl")
	if err != nil {
		panic(err)
	}
	var files []*Rules
	for _, name := range names {
		src, err := builtinFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		rules, diags := ParseRules("builtin/"+path.Base(name), src)
		if len(diags) > 0 {
			panic(fmt.Sprintf("built-in rules: %v", diags.Err()))
		}
		files = append(files, rules)
	}
	return Merge(files...)
}
