package translate

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"
)

// exactIntegers is the bound up to which a float64 holds every integer.
const exactIntegers = 1 << 53

// integerPrecision, in bits, is cty's own: with less, cty would write only as
// many digits of an integer as tell it from others.
const integerPrecision = 512

// maxDigits bounds decimal digits on either side of the point. Beyond it, a
// few characters in a program would become gigabytes of zeros.
const maxDigits = 1 << 12

// number writes a number, or a string that is one. The empty string is null,
// since programs have it where nothing is set.
func (w *writer) number(v property.Value) cty.Value {
	switch {
	case v.IsNumber():
		return w.float(v.AsNumber())
	case v.IsString() && v.AsString() == "":
		return cty.NullVal(cty.Number)
	case v.IsString():
		return w.digits(v.AsString())
	default:
		return w.misfit(cty.Number, expected("a number", v))
	}
}

// float writes an integer as it is, and any other number with the fewest
// decimal digits that mean it, as it stands in the program and in states.
func (w *writer) float(f float64) cty.Value {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return w.misfit(cty.Number, "Expected a number, got none that is finite")
	case f == math.Trunc(f):
		return cty.NumberVal(new(big.Float).SetPrec(integerPrecision).SetFloat64(f))
	default:
		return w.digits(strconv.FormatFloat(f, 'g', -1, 64))
	}
}

func (w *writer) digits(text string) cty.Value {
	if !bounded(text) {
		return w.misfit(cty.Number, "The number is too large or too small")
	}
	number, err := cty.ParseNumberVal(text)
	if err != nil || number.AsBigFloat().IsInf() && !w.state {
		return w.misfit(cty.Number, "Expected a number, got a string that is none")
	}
	return number
}

// bounded looks at the size of a number before anything computes with it. What
// is no number is bounded.
func bounded(text string) bool {
	mantissa := text
	if i := strings.LastIndexAny(text, "eEpP"); i >= 0 {
		exponent, err := strconv.Atoi(text[i+1:])
		if errors.Is(err, strconv.ErrRange) || max(exponent, -exponent) > maxDigits {
			return false
		}
		mantissa = text[:i]
	}
	return len(mantissa) <= maxDigits
}

// numberProperty is a number where a float64 holds it, in the sense that
// [writer.float] makes the same of it, and a string otherwise.
func numberProperty(n *big.Float) property.Value {
	f, accuracy := n.Float64()
	switch {
	case n.IsInf():
		return property.New(n.Text('f', 0))
	case max(n.MantExp(nil), -n.MantExp(nil)) > 8*maxDigits:
		return property.New(n.Text('p', 0)) // costs no more than its digits
	case n.IsInt() && accuracy == big.Exact && math.Abs(f) <= exactIntegers:
		return property.New(f)
	case n.IsInt():
		return property.New(n.Text('f', 0))
	}
	if text := n.Text('f', -1); text != strconv.FormatFloat(f, 'f', -1, 64) {
		return property.New(text)
	}
	return property.New(f)
}
