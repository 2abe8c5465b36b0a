package discover

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// conform turns parts, an identity as somebody wrote it, into an object of
// the identity schema. Null parts count as absent. The error is in words
// that complete "the identity of aws_s3_bucket …".
func conform(schema *tfschema.Identity, parts map[string]cty.Value) (cty.Value, error) {
	vals := make(map[string]cty.Value, len(schema.Attributes))
	for _, attr := range schema.Attributes {
		given, ok := parts[attr.Name]
		if !ok || given.IsNull() {
			if attr.RequiredForImport {
				return cty.NilVal, fmt.Errorf("lacks %q; it has %s", attr.Name, describeIdentity(schema))
			}
			vals[attr.Name] = cty.NullVal(attr.Type)
			continue
		}
		v, err := convert.Convert(given, attr.Type)
		if err != nil {
			return cty.NilVal, fmt.Errorf("has an unsuitable %q: %w", attr.Name, err)
		}
		if !v.IsWhollyKnown() {
			return cty.NilVal, fmt.Errorf("has a %q that is not known yet", attr.Name)
		}
		vals[attr.Name] = v
	}
	if extra := unknownParts(vals, parts); len(extra) > 0 {
		return cty.NilVal, fmt.Errorf("has no %q; it has %s", extra[0], describeIdentity(schema))
	}
	if allNull(vals) {
		return cty.NilVal, fmt.Errorf("is empty; it has %s", describeIdentity(schema))
	}
	return cty.ObjectVal(vals), nil
}

func unknownParts(known, parts map[string]cty.Value) []string {
	var out []string
	for name := range parts {
		if _, ok := known[name]; !ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func allNull(vals map[string]cty.Value) bool {
	for _, v := range vals {
		if !v.IsNull() {
			return false
		}
	}
	return true
}

// describeIdentity lists the attributes of an identity for a message.
func describeIdentity(schema *tfschema.Identity) string {
	var parts []string
	for _, attr := range schema.Attributes {
		s := attr.Name
		if !attr.RequiredForImport {
			s += " (optional)"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
