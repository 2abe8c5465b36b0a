// Package hcltext parses HCL of outside. The parsers recurse, and the end of
// the stack cannot be recovered from: what nests deeper than anything that
// people write is an error here.
package hcltext

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
)

// Parse parses a file in the native or, where its name ends in ".json", the
// JSON syntax. The file is nil where nothing of it can be used.
func Parse(src []byte, name string) (*hcl.File, hcl.Diagnostics) {
	if !strings.HasSuffix(name, ".json") {
		return ParseConfig(src, name)
	}
	if diags := bounded(src, name, deepJSON); diags != nil {
		return nil, diags
	}
	return json.Parse(src, name)
}

// ParseConfig parses a file in the native syntax, whatever its name.
func ParseConfig(src []byte, name string) (*hcl.File, hcl.Diagnostics) {
	if diags := bounded(src, name, deepTokens); diags != nil {
		return nil, diags
	}
	return hclsyntax.ParseConfig(src, name, hcl.InitialPos)
}

// ParseExpression parses one expression, which begins at start.
func ParseExpression(src []byte, name string, start hcl.Pos) (hclsyntax.Expression, hcl.Diagnostics) {
	if diags := bounded(src, name, deepTokens); diags != nil {
		return nil, diags
	}
	return hclsyntax.ParseExpression(src, name, start)
}

// ParseTemplate parses a template without quotes around it.
func ParseTemplate(src []byte, name string) (hclsyntax.Expression, hcl.Diagnostics) {
	if diags := bounded(src, name, deepTokens); diags != nil {
		return nil, diags
	}
	return hclsyntax.ParseTemplate(src, name, hcl.InitialPos)
}

// bounded is an error where src nests too deep, as deep says.
func bounded(src []byte, name string, deep func([]byte) bool) hcl.Diagnostics {
	if !seemsDeep(src) || !deep(src) {
		return nil
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagError, Summary: "Nested too deep",
		Detail:  fmt.Sprintf("No configuration that people write nests %d levels deep. Is it the right file?", maxNesting),
		Subject: &hcl.Range{Filename: name, Start: hcl.InitialPos, End: hcl.InitialPos},
	}}
}
