package tfconfig

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// CanonicalJSON returns what jsonencode writes for the document in text:
// compact, keys sorted, `<`, `>` and `&` escaped. It returns false where text
// is no JSON object or array. Where it returns text itself, [Lower] writes a
// jsonencode call.
func CanonicalJSON(text string) (string, bool) {
	doc, ok := decodeDocument(text)
	if !ok {
		return "", false
	}
	encoded, err := stdlib.JSONEncode(doc)
	if err != nil {
		return "", false
	}
	return encoded.AsString(), true
}

// document lowers text for jsonencode where that gives back the very same
// text. Empty documents read better as they are.
func document(text string) (Expr, bool) {
	if len(text) <= len("{}") || !strings.ContainsAny(text[:1], "{[") {
		return nil, false
	}
	if canonical, ok := CanonicalJSON(text); !ok || canonical != text {
		return nil, false
	}
	doc, _ := decodeDocument(text)
	return documentExpr(doc), true
}

func decodeDocument(text string) (cty.Value, bool) {
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		text = strings.TrimSpace(text)
		if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
			return cty.NilVal, false
		}
	}
	doc, err := stdlib.JSONDecode(cty.StringVal(text))
	return doc, err == nil
}

// documentExpr lowers a decoded document. Strings inside stay literals: a
// document in a document is for the reader to judge.
func documentExpr(v cty.Value) Expr {
	switch {
	case v.IsNull():
		return Literal{cty.NullVal(cty.DynamicPseudoType)}
	case v.Type().IsTupleType():
		var out List
		for it := v.ElementIterator(); it.Next(); {
			_, elem := it.Element()
			out.Items = append(out.Items, documentExpr(elem))
		}
		return out
	case v.Type().IsObjectType():
		var out Object
		for it := v.ElementIterator(); it.Next(); {
			key, elem := it.Element()
			out.Items = append(out.Items, ObjectItem{key.AsString(), documentExpr(elem)})
		}
		return out
	}
	return Literal{v}
}
