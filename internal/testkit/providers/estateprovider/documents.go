package estateprovider

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// keepWritten is next with every JSON document that means the same as the one
// at its place in prior replaced by that one: the API reformats documents, and
// the text that the user wrote must stay. Places inside lists and sets are not
// looked at; no document stands there.
func keepWritten(prior, next tftypes.Value) (tftypes.Value, error) {
	if prior.IsNull() || !prior.IsKnown() || next.IsNull() || !next.IsKnown() {
		return next, nil
	}
	if next.Type().Is(tftypes.String) && prior.Type().Is(tftypes.String) {
		was, err := as[string](prior)
		if err != nil {
			return next, err
		}
		is, err := as[string](next)
		if err != nil || !sameDocument(was, is) {
			return next, err
		}
		return prior, nil
	}
	if !next.Type().Is(tftypes.Object{}) && !next.Type().Is(tftypes.Map{}) || !prior.Type().Equal(next.Type()) {
		return next, nil
	}
	was, err := as[map[string]tftypes.Value](prior)
	if err != nil {
		return next, err
	}
	is, err := as[map[string]tftypes.Value](next)
	if err != nil {
		return next, err
	}
	for name, member := range is {
		old, ok := was[name]
		if !ok {
			continue
		}
		if is[name], err = keepWritten(old, member); err != nil {
			return next, err
		}
	}
	return tftypes.NewValue(next.Type(), is), nil
}

// sameDocument says whether two texts are JSON objects or arrays of the same
// meaning.
func sameDocument(a, b string) bool {
	if !looksLikeDocument(a) || !looksLikeDocument(b) {
		return false
	}
	var left, right any
	if json.Unmarshal([]byte(a), &left) != nil || json.Unmarshal([]byte(b), &right) != nil {
		return false
	}
	return reflect.DeepEqual(left, right)
}

func looksLikeDocument(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}
