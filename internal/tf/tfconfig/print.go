package tfconfig

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/formation-iac/formation/internal/base/ident"
)

// Print writes a whole file of blocks, in the layout that `fmt` leaves
// unchanged: a blank line between blocks, equals signs aligned. It ends with
// a newline; no blocks give an empty file.
func Print(blocks []*Block) []byte { return PrintBody(&Body{Blocks: blocks}) }

// PrintBody writes a whole file that may have attributes too, such as a
// .tfvars file.
func PrintBody(body *Body) []byte {
	var p printer
	p.body(body, 0)
	if !p.rough {
		return []byte(p.String())
	}
	return hclwrite.Format([]byte(p.String()))
}

// printer writes lines with their final indentation and, where every attribute
// is plain, their final alignment; else it is rough and the formatter, which
// takes much longer, aligns.
type printer struct {
	strings.Builder
	rough bool
}

func (p *printer) line(depth int, text string) {
	p.WriteString(margin(depth) + text + "\n")
}

// margin is the indentation at a depth.
func margin(depth int) string { return strings.Repeat("  ", depth) }

func (p *printer) body(body *Body, depth int) {
	p.attributes(body.Attributes, depth)
	for i, b := range body.Blocks {
		if i > 0 || len(body.Attributes) > 0 {
			p.WriteByte('\n')
		}
		p.block(b, depth)
	}
}

func (p *printer) attributes(list []Attribute, depth int) {
	longest := 0
	for _, a := range list {
		longest = max(longest, len(a.Name))
	}
	for _, a := range list {
		p.comment(a.Comment, depth)
		value := render(a.Expr, layout{depth: depth, used: len(a.Name) + len(" = "), heredoc: true})
		p.rough = p.rough || a.Comment != "" || !plain(a.Expr) || !isASCII(a.Name) || strings.Contains(value, "\n")
		p.line(depth, a.Name+strings.Repeat(" ", longest-len(a.Name))+" = "+value)
	}
}

// plain reports whether the formatter has nothing to change about how an
// expression is rendered on one line.
func plain(e Expr) bool {
	switch e := e.(type) {
	case Literal, Reference:
		return true
	case List:
		return !slices.ContainsFunc(e.Items, func(item Expr) bool { return !plain(item) })
	case Object:
		return len(e.Items) == 0
	}
	return false
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

func (p *printer) block(b *Block, depth int) {
	p.comment(b.Comment, depth)
	head := b.Type
	for _, label := range b.Labels {
		head += " " + quote(label)
	}
	if b.Body == nil || len(b.Body.Attributes)+len(b.Body.Blocks) == 0 {
		p.line(depth, head+" {}")
		return
	}
	p.line(depth, head+" {")
	p.body(b.Body, depth+1)
	p.line(depth, "}")
}

func (p *printer) comment(text string, depth int) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.line(depth, strings.TrimRight("# "+strings.ReplaceAll(line, "\r", ""), " \t"))
	}
}

// objectKey quotes a key only where it must be: the words of the language
// are not keys, and anything that is no identifier needs quotes.
func objectKey(key string) string {
	switch key {
	case "for", "if", "null", "true", "false":
		return quote(key)
	}
	if isIdentifier(key) {
		return key
	}
	return quote(key)
}

// isIdentifier reports whether name can stand without quotes. The library runs
// its scanner for that, and would skip a byte order mark in front of the name.
func isIdentifier(name string) bool {
	return ident.Valid(name) || hclsyntax.ValidIdentifier(name) && !strings.HasPrefix(name, "\ufeff")
}
