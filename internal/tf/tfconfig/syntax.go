package tfconfig

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Body is what stands between braces, or in a file: attributes, then blocks,
// each in print order.
type Body struct {
	Attributes []Attribute
	Blocks     []*Block
}

// Attribute is `name = expression`. Comment, where not "", stands above it;
// it may have several lines and does not hold the comment signs.
type Attribute struct {
	Name    string
	Expr    Expr
	Comment string
}

// Block is `type "label" { body }`. A nil Body is an empty one.
type Block struct {
	Type    string
	Labels  []string
	Body    *Body
	Comment string
}

// Expr is an expression that this package can write. The set is closed:
// [Literal], [Reference], [List], [Object], [JSONEncode], [Template], [Call].
type Expr interface{ isExpr() }

// Literal is a null, bool, number or string, known and unmarked. Collections
// are a [List] or an [Object], so that their members can be replaced.
type Literal struct{ Value cty.Value }

// Reference is a traversal, such as aws_iam_role.x.arn or var.db_password. A
// traversal of one step is what ignore_changes and `type = string` want.
type Reference struct{ Traversal hcl.Traversal }

// List is the sequence in brackets that writes a list, a set or a tuple.
type List struct{ Items []Expr }

// Object is what writes a map or an object, in print order.
type Object struct{ Items []ObjectItem }

// ObjectItem is one member of an [Object]. Keys are not expressions.
type ObjectItem struct {
	Key   string
	Value Expr
}

// JSONEncode is jsonencode(Value): a string that holds a JSON document.
type JSONEncode struct{ Value Expr }

// Template is a quoted string with references inside, such as
// "${aws_s3_bucket.x.arn}/*". Parts are Literals of strings and References.
type Template struct{ Parts []Expr }

// Call is a call of any other function, such as toset([...]).
type Call struct {
	Function string
	Args     []Expr
}

func (Literal) isExpr()    {}
func (Reference) isExpr()  {}
func (List) isExpr()       {}
func (Object) isExpr()     {}
func (JSONEncode) isExpr() {}
func (Template) isExpr()   {}
func (Call) isExpr()       {}

// Ref is a reference to root and attributes in it: Ref("var", "token").
func Ref(root string, attributes ...string) Reference {
	traversal := hcl.Traversal{hcl.TraverseRoot{Name: root}}
	for _, name := range attributes {
		traversal = append(traversal, hcl.TraverseAttr{Name: name})
	}
	return Reference{traversal}
}

// Text is a string.
func Text(s string) Literal { return Literal{cty.StringVal(s)} }

// Flag is a bool.
func Flag(b bool) Literal { return Literal{cty.BoolVal(b)} }

// Number is a whole number.
func Number(n int64) Literal { return Literal{cty.NumberIntVal(n)} }

// Attribute returns the attribute called name, or nil.
func (b *Body) Attribute(name string) *Attribute {
	for i := range b.Attributes {
		if b.Attributes[i].Name == name {
			return &b.Attributes[i]
		}
	}
	return nil
}
