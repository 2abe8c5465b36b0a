package pvalue

import (
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/types/known/structpb"
)

type encoder struct{ opts Options }

// properties encodes every property. Of several errors it returns that of the
// first key, so that the same properties give the same error.
func (e *encoder) properties(properties property.Map, depth int) (*structpb.Struct, error) {
	out := make(fields, properties.Len())
	var failedKey string
	var failure error
	for key, v := range properties.All {
		field, err := e.field(key, v, depth+1)
		if err != nil && (failure == nil || key < failedKey) {
			failedKey, failure = key, err
		}
		out[key] = field
	}
	if failure != nil {
		return nil, inKey(failedKey, failure)
	}
	return &structpb.Struct{Fields: out}, nil
}

func (e *encoder) field(key string, v property.Value, depth int) (*structpb.Value, error) {
	if key == sig.Key {
		return nil, errReservedKey
	}
	if err := checkText(key); err != nil {
		return nil, err
	}
	return e.value(v, depth)
}

// value encodes v with what stands beside it: dependencies, secrecy.
func (e *encoder) value(v property.Value, depth int) (*structpb.Value, error) {
	if depth > maxDepth {
		return nil, errTooDeep
	}
	if e.opts.Outputs {
		if dependencies := v.Dependencies(); len(dependencies) > 0 {
			return e.output(v, depth)
		}
	}
	bare, err := e.bare(v, depth)
	if err != nil || !v.Secret() || !e.opts.Secrets {
		return bare, err
	}
	return signedObject(sig.Secret, fields{"value": bare}), nil
}

func (e *encoder) output(v property.Value, depth int) (*structpb.Value, error) {
	out := make(fields, 4)
	if !v.IsComputed() {
		bare, err := e.bare(v, depth)
		if err != nil {
			return nil, err
		}
		out["value"] = bare
	}
	if v.Secret() {
		out["secret"] = structpb.NewBoolValue(true)
	}
	var dependencies []*structpb.Value
	for _, dependency := range v.Dependencies() {
		if err := checkText(string(dependency)); err != nil {
			return nil, err
		}
		dependencies = append(dependencies, structpb.NewStringValue(string(dependency)))
	}
	out["dependencies"] = array(dependencies)
	return signedObject(sig.OutputValue, out), nil
}

// bare encodes v without what stands beside it.
func (e *encoder) bare(v property.Value, depth int) (*structpb.Value, error) {
	switch {
	case v.IsString():
		return e.text(v.AsString())
	case v.IsNull():
		return structpb.NewNullValue(), nil
	case v.IsBool():
		return structpb.NewBoolValue(v.AsBool()), nil
	case v.IsNumber():
		return structpb.NewNumberValue(v.AsNumber()), nil
	case v.IsComputed():
		// The model does not say what type is not known, and peers do not ask.
		return structpb.NewStringValue(sig.UnknownStringValue), nil
	case v.IsMap():
		properties, err := e.properties(v.AsMap(), depth)
		return structpb.NewStructValue(properties), err
	case v.IsArray():
		return e.array(v.AsArray(), depth)
	case v.IsResourceReference():
		return e.reference(v.AsResourceReference(), depth)
	case v.IsAsset():
		return e.asset(v.AsAsset())
	case v.IsArchive():
		return e.archive(v.AsArchive(), depth)
	}
	return nil, errors.New("the value is of no kind that the protocol has")
}

func (e *encoder) array(elements property.Array, depth int) (*structpb.Value, error) {
	out := make([]*structpb.Value, elements.Len())
	for i, element := range elements.All {
		v, err := e.value(element, depth+1)
		if err != nil {
			return nil, inIndex(i, err)
		}
		out[i] = v
	}
	return array(out), nil
}

func (e *encoder) reference(ref property.ResourceReference, depth int) (*structpb.Value, error) {
	if !e.opts.Resources {
		return e.value(plainReference(ref), depth+1)
	}
	out, err := e.signed(sig.ResourceReference, map[string]string{
		"urn": string(ref.URN), "name": ref.Name, "type": ref.Type, "packageVersion": ref.PackageVersion,
	})
	if err != nil {
		return nil, err
	}
	// An id of "" is one that is not known yet.
	if id, ok := ref.IDString(); ok {
		if err := checkText(id); err != nil {
			return nil, err
		}
		out.GetStructValue().Fields["id"] = structpb.NewStringValue(id)
	}
	return out, nil
}

// text encodes a string, as a byte string where it is not UTF-8.
func (e *encoder) text(text string) (*structpb.Value, error) {
	if utf8.ValidString(text) {
		return structpb.NewStringValue(text), nil
	}
	if !e.opts.ByteStrings {
		return nil, errByteString
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(text))
	return signedObject(sig.ByteString, fields{"value": structpb.NewStringValue(encoded)}), nil
}

// signed is an object with a signature and texts, those that are "" left out.
func (e *encoder) signed(signature string, texts map[string]string) (*structpb.Value, error) {
	out := make(fields, len(texts)+1)
	for name, text := range texts {
		if text == "" {
			continue
		}
		if err := checkText(text); err != nil {
			return nil, err
		}
		out[name] = structpb.NewStringValue(text)
	}
	return signedObject(signature, out), nil
}

// checkText refuses bytes where the protocol has no byte strings.
func checkText(text string) error {
	if !utf8.ValidString(text) {
		return errByteString
	}
	return nil
}

func signedObject(signature string, members fields) *structpb.Value {
	members[sig.Key] = structpb.NewStringValue(signature)
	return object(members)
}

func object(members fields) *structpb.Value {
	return structpb.NewStructValue(&structpb.Struct{Fields: members})
}

func array(elements []*structpb.Value) *structpb.Value {
	return structpb.NewListValue(&structpb.ListValue{Values: elements})
}
