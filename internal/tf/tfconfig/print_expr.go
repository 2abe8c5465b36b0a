package tfconfig

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// width is how long a line may get before a list is broken, in bytes.
const width = 100

// layout is where an expression stands: the depth of its line, how much of
// the line is used, and whether a heredoc may end the line. The zero value is
// for text that is only compared.
type layout struct {
	depth, used int
	heredoc     bool
}

// render writes an expression without indenting its first line.
func render(e Expr, at layout) string {
	switch e := e.(type) {
	case Literal:
		return literal(e.Value, at)
	case Reference:
		return traversal(e.Traversal)
	case List:
		return list(e, at)
	case Object:
		return object(e, at)
	case JSONEncode:
		return call("jsonencode", []Expr{e.Value}, at)
	case Template:
		return template(e)
	case Call:
		return call(e.Function, e.Args, at)
	}
	return "null"
}

func literal(v cty.Value, at layout) string {
	switch {
	case v.IsNull():
		return "null"
	case v.Type() == cty.Bool && v.True():
		return "true"
	case v.Type() == cty.Bool:
		return "false"
	case v.Type() == cty.Number:
		return numberText(v.AsBigFloat())
	}
	if at.heredoc {
		if text, ok := heredoc(v.AsString(), at.depth); ok {
			return text
		}
	}
	return quote(v.AsString())
}

// call keeps brackets together, as in jsonencode({ ... }).
func call(function string, args []Expr, at layout) string {
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = render(arg, layout{depth: at.depth, used: at.used + len(function) + 1})
	}
	return function + "(" + strings.Join(texts, ", ") + ")"
}

// list is written on one line where it fits and nothing in it needs lines of
// its own, else with one member per line.
func list(l List, at layout) string {
	if len(l.Items) == 0 {
		return "[]"
	}
	if text, ok := flatList(l); ok && 2*at.depth+at.used+len(text) <= width {
		return text
	}
	var b strings.Builder
	b.WriteString("[\n")
	for _, item := range l.Items {
		b.WriteString(margin(at.depth+1) + render(item, layout{depth: at.depth + 1}) + ",\n")
	}
	return b.String() + margin(at.depth) + "]"
}

func flatList(l List) (string, bool) {
	texts := make([]string, len(l.Items))
	for i, item := range l.Items {
		text, ok := flat(item)
		if !ok {
			return "", false
		}
		texts[i] = text
	}
	return "[" + strings.Join(texts, ", ") + "]", true
}

func flat(e Expr) (string, bool) {
	switch e := e.(type) {
	case Literal, Reference, Template:
		return render(e, layout{}), true
	case List:
		return flatList(e)
	case Object:
		return "{}", len(e.Items) == 0
	}
	return "", false
}

// object is written with one member per line.
func object(o Object, at layout) string {
	if len(o.Items) == 0 {
		return "{}"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, item := range o.Items {
		start := objectKey(item.Key) + " = "
		value := render(item.Value, layout{depth: at.depth + 1, used: len(start), heredoc: true})
		b.WriteString(margin(at.depth+1) + start + value + "\n")
	}
	return b.String() + margin(at.depth) + "}"
}

// template writes a quoted template. One that is a lone reference needs no
// quotes.
func template(t Template) string {
	if len(t.Parts) == 1 {
		if ref, ok := t.Parts[0].(Reference); ok {
			return traversal(ref.Traversal)
		}
	}
	var b strings.Builder
	for i, part := range t.Parts {
		switch part := part.(type) {
		case Reference:
			b.WriteString("${" + traversal(part.Traversal) + "}")
		case Literal:
			_, beforeReference := next(t.Parts, i).(Reference)
			b.WriteString(escape(part.Value.AsString(), beforeReference))
		}
	}
	return `"` + b.String() + `"`
}

func next(parts []Expr, i int) Expr {
	if i+1 < len(parts) {
		return parts[i+1]
	}
	return nil
}

func traversal(steps hcl.Traversal) string {
	var b strings.Builder
	for _, step := range steps {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			fmt.Fprintf(&b, "[%s]", literal(s.Key, layout{}))
		case hcl.TraverseSplat:
			b.WriteString("[*]")
		}
	}
	return b.String()
}
