package discover

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	hcljson "github.com/hashicorp/hcl/v2/json"

	"github.com/formation-iac/formation/internal/base/diag"
)

// ParseBody parses a file in the native or, by its name, the JSON syntax. What
// the parser objects to gets the code. The body is nil where nothing of it can
// be used.
func ParseBody(code, name string, src []byte) (hcl.Body, diag.List) {
	if nestsTooDeep(src) {
		return nil, diag.List{nestingTooDeep(name)}
	}
	var file *hcl.File
	var hclDiags hcl.Diagnostics
	if isJSONName(name) {
		file, hclDiags = hcljson.Parse(src, name)
	} else {
		file, hclDiags = hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	}
	diags := diag.FromHCL(code, hclDiags)
	if file == nil || file.Body == nil || hclDiags.HasErrors() {
		return nil, diags
	}
	return file.Body, diags
}

// maxNesting bounds what the parser would recurse into: beyond it lies the
// end of the stack, which cannot be recovered from.
const maxNesting = 5000

// nestsTooDeep counts brackets, conditionals in one line, and runs of unary
// operators, without regard for quotes: what people write stays far below
// the bound either way.
func nestsTooDeep(src []byte) bool {
	depth, conditionals, unary := 0, 0, 0
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case '?':
			conditionals++
		case '\n':
			conditionals = 0
		}
		if c == '!' || c == '-' || c == ' ' {
			unary++
		} else {
			unary = 0
		}
		if depth > maxNesting || conditionals > maxNesting || unary > maxNesting {
			return true
		}
	}
	return false
}

func sortedNames(files map[string][]byte) []string {
	out := make([]string, 0, len(files))
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
