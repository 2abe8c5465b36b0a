package truth

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// reference is an attribute of another resource, where it stands.
type reference struct{ from, path, to string }

func (r reference) String() string { return r.from + " " + r.path + " = " + r.to }

// target is the resource that is referred to.
func (r reference) target() string {
	parts := strings.SplitN(r.to, ".", 3)
	return strings.Join(parts[:min(2, len(parts))], ".")
}

// references lists what resources refer to, in the ground truth's paths.
func (c config) references() []reference {
	var out []reference
	for _, from := range sortedKeys(c.resources) {
		c.walkBody(c.resources[from], "", func(path string, traversal hcl.Traversal) {
			to := traversal.RootName()
			for _, step := range traversal[1:] {
				if attribute, ok := step.(hcl.TraverseAttr); ok {
					to += "." + attribute.Name
				}
			}
			out = append(out, reference{from, path, to})
		})
	}
	return out
}

func (c config) walkBody(body *hclsyntax.Body, prefix string, yield func(string, hcl.Traversal)) {
	for _, name := range sortedKeys(body.Attributes) {
		walkExpr(body.Attributes[name].Expr, prefix+name, yield)
	}
	for _, block := range body.Blocks {
		step := block.Type
		switch {
		case block.Type == "lifecycle":
			continue
		case !slices.Contains(c.singles, block.Type):
			step += "[]"
		}
		c.walkBody(block.Body, prefix+step+".", yield)
	}
}

func walkExpr(expr hclsyntax.Expression, path string, yield func(string, hcl.Traversal)) {
	switch e := expr.(type) {
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			walkExpr(item.ValueExpr, path+"."+hcl.ExprAsKeyword(item.KeyExpr), yield)
		}
	case *hclsyntax.TupleConsExpr:
		for _, elem := range e.Exprs {
			walkExpr(elem, path+"[]", yield)
		}
	default:
		for _, traversal := range expr.Variables() {
			if traversal.RootName() != "var" {
				yield(path, traversal)
			}
		}
	}
}

// cycles lists the resources that refer to themselves, directly or through
// others, sorted.
func cycles(references []reference) []string {
	next := map[string][]string{}
	for _, r := range references {
		next[r.from] = append(next[r.from], r.target())
	}
	var out []string
	for _, start := range sortedKeys(next) {
		if reaches(next, start, start, map[string]bool{}) {
			out = append(out, start)
		}
	}
	return out
}

func reaches(next map[string][]string, from, to string, seen map[string]bool) bool {
	for _, n := range next[from] {
		if n == to {
			return true
		}
		if !seen[n] {
			seen[n] = true
			if reaches(next, n, to, seen) {
				return true
			}
		}
	}
	return false
}
