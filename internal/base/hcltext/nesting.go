package hcltext

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxNesting bounds what a parser recurses into.
const maxNesting = 1000

// nesting follows how deep a parser recurses: into brackets, into conditionals
// one after the other, and into runs of unary operators.
type nesting struct{ depth, conditionals, unary int }

func (n *nesting) open()  { n.depth++ }
func (n *nesting) close() { n.depth = max(0, n.depth-1) }

func (n *nesting) tooDeep() bool {
	return n.depth > maxNesting || n.conditionals > maxNesting || n.unary > maxNesting
}

// seemsDeep is quick: it counts what opens and never what closes, which may
// stand in quotes. Large files seem deep, and deep ones always do.
func seemsDeep(src []byte) bool {
	var n nesting
	for _, c := range src {
		switch c {
		case '(', '[', '{':
			n.open()
		case '?':
			n.conditionals++
		case '!', '-':
			n.unary++
		}
		if n.tooDeep() {
			return true
		}
	}
	return false
}

// deepTokens looks at what the native syntax is made of.
func deepTokens(src []byte) bool {
	tokens, _ := hclsyntax.LexConfig(src, "", hcl.InitialPos) // what is wrong, the parser says
	var n nesting
	for _, t := range tokens {
		if t.Type != hclsyntax.TokenBang && t.Type != hclsyntax.TokenMinus {
			n.unary = 0
		}
		switch t.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp,
			hclsyntax.TokenTemplateControl, hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			n.open()
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd,
			hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			n.close()
		case hclsyntax.TokenQuestion:
			n.conditionals++
		case hclsyntax.TokenNewline:
			if n.depth == 0 {
				n.conditionals = 0
			}
		case hclsyntax.TokenBang, hclsyntax.TokenMinus:
			n.unary++
		}
		if n.tooDeep() {
			return true
		}
	}
	return false
}

// deepJSON looks at brackets outside of strings.
func deepJSON(src []byte) bool {
	var n nesting
	quoted, escaped := false, false
	for _, c := range src {
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			n.open()
		case c == ']' || c == '}':
			n.close()
		}
		if n.tooDeep() {
			return true
		}
	}
	return false
}
