package discover

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
)

// ParseBody parses a file in the native or, by its name, the JSON syntax. What
// the parser objects to gets the code. The body is nil where nothing of it can
// be used.
func ParseBody(code, name string, src []byte) (hcl.Body, diag.List) {
	file, hclDiags := hcltext.Parse(src, name)
	diags := diag.FromHCL(code, hclDiags)
	if file == nil || file.Body == nil || hclDiags.HasErrors() {
		return nil, diags
	}
	return file.Body, diags
}

func sortedNames(files map[string][]byte) []string {
	out := make([]string, 0, len(files))
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
