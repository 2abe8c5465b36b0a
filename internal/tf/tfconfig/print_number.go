package tfconfig

import (
	"math/big"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

// float64Prec is the precision of numbers that were a float64 once, in bits.
const float64Prec = 53

// wholePrec is the precision of numbers that were an int64 or a uint64.
const wholePrec = 64

// AsWritten returns the value that the text written for v reads back as. It
// is v itself but for fractions and huge numbers that were a float64: those
// are written in the few digits that say which float64 it is (0.1), which the
// language reads with more precision. What compares values with what a configuration file
// will say should compare with this.
func AsWritten(v cty.Value) cty.Value {
	if isWritten(v) {
		return v
	}
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.Type() != cty.Number || v.IsNull() || !v.IsKnown() || v.IsMarked() || v.AsBigFloat().IsInf() {
			return v, nil
		}
		return numberAsWritten(v.AsBigFloat())
	})
	if err != nil {
		return v // never: numberText writes what ParseNumberVal reads
	}
	return out
}

// isWritten reports whether [AsWritten] would plainly change nothing: there
// are no numbers, or short whole ones.
func isWritten(v cty.Value) bool {
	ty := v.Type()
	switch {
	case v.IsMarked() || v.IsNull() || !v.IsKnown() || ty == cty.DynamicPseudoType:
		return v.IsNull() && !v.IsMarked()
	case ty == cty.Number:
		f := v.AsBigFloat()
		_, accuracy := f.Int64()
		return accuracy == big.Exact && f.Prec() == wholePrec
	case ty.IsPrimitiveType():
		return true
	case ty.IsObjectType():
		for name := range ty.AttributeTypes() {
			if !isWritten(v.GetAttr(name)) {
				return false
			}
		}
		return true
	case ty.IsCollectionType() && ty.ElementType().IsPrimitiveType() && ty.ElementType() != cty.Number:
		return true
	default:
		return false
	}
}

// numberAsWritten keeps whole numbers in 64 bits, where there is nothing to
// gain from the language's 512, and every later printing is cheaper.
func numberAsWritten(f *big.Float) (cty.Value, error) {
	if n, accuracy := f.Int64(); accuracy == big.Exact {
		return cty.NumberIntVal(n), nil
	}
	return cty.ParseNumberVal(numberText(f))
}

// longest is how many digits a whole number may have before an exponent is
// tried.
const longest = 40

// numberText writes a finite number: whole numbers in full unless that is
// very long, fractions in the fewest digits that name the same number.
func numberText(f *big.Float) string {
	if f.IsInt() && f.MantExp(nil) < 4*longest {
		n, _ := f.Int(nil)
		if text := n.String(); len(text) <= longest {
			return text
		}
	}
	text := f.Text('g', -1)
	if exp := f.MantExp(nil); !f.IsInt() && exp > -40 {
		text = f.Text('f', -1)
	}
	if f.Prec() == float64Prec || readsAsNumber(text, f) {
		return text
	}
	return exactText(f)
}

// exactText writes every digit: a binary fraction has finitely many.
func exactText(f *big.Float) string {
	if f.IsInt() {
		return f.Text('f', 0)
	}
	return strings.TrimRight(f.Text('f', int(f.MinPrec())-f.MantExp(nil)+1), "0")
}

func readsAsNumber(text string, f *big.Float) bool {
	back, err := cty.ParseNumberVal(text)
	return err == nil && back.AsBigFloat().Cmp(f) == 0
}
