package pvalue

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/types/known/structpb"
)

// fields are those of an object with a signature.
type fields = map[string]*structpb.Value

// secret decodes {value}.
func (d *decoder) secret(message fields, depth int) (property.Value, error) {
	element, ok := message["value"]
	if !ok {
		return property.Value{}, errors.New("a secret has no value")
	}
	v, err := d.value(element, depth+1)
	if err != nil || !d.opts.Secrets {
		return v, err
	}
	return v.WithSecret(true), nil
}

// output decodes {value?, secret?, dependencies?}. One without a value is not
// known yet.
func (d *decoder) output(message fields, depth int) (property.Value, error) {
	v := property.New(property.Computed)
	if element, ok := message["value"]; ok {
		known, err := d.value(element, depth+1)
		if err != nil {
			return property.Value{}, err
		}
		v = known
	}
	secret, err := boolean(message, "secret")
	if err != nil {
		return property.Value{}, fmt.Errorf("an output value's %w", err)
	}
	if secret && (d.opts.Secrets || d.opts.Outputs) {
		v = v.WithSecret(true)
	}
	dependencies, err := urns(message["dependencies"])
	if err != nil {
		return property.Value{}, err
	}
	if len(dependencies) > 0 && d.opts.Outputs {
		v = v.WithDependencies(append(v.Dependencies(), dependencies...))
	}
	return v, nil
}

func urns(message *structpb.Value) ([]urn.URN, error) {
	var out []urn.URN
	for _, element := range message.GetListValue().GetValues() {
		text, ok := element.GetKind().(*structpb.Value_StringValue)
		if !ok {
			return nil, errors.New("an output value depends on something that is no URN")
		}
		out = append(out, urn.URN(text.StringValue))
	}
	if message != nil && message.GetListValue() == nil {
		return nil, errors.New("an output value's dependencies are no list")
	}
	return out, nil
}

// reference decodes {urn, name?, type?, id?, packageVersion?}. An id of "" is
// not known yet; one that is missing belongs to a component.
func (d *decoder) reference(message fields, depth int) (property.Value, error) {
	texts, err := texts(message, "urn", "name", "type", "packageVersion")
	if err != nil {
		return property.Value{}, fmt.Errorf("a resource reference's %w", err)
	}
	if texts[0] == "" {
		return property.Value{}, errors.New("a resource reference has no urn")
	}
	id, err := d.referenceID(message["id"], depth)
	if err != nil {
		return property.Value{}, err
	}
	ref := property.ResourceReference{
		URN: urn.URN(texts[0]), Name: texts[1], Type: texts[2], PackageVersion: texts[3],
		ID: id.WithSecret(false).WithDependencies(nil),
	}
	if !d.opts.Resources {
		return plainReference(ref).WithSecret(id.Secret()).WithDependencies(id.Dependencies()), nil
	}
	return property.WithGoValue(id, nameReference(ref)), nil
}

// referenceID decodes the ID with what stands beside it, which counts for the
// whole reference.
func (d *decoder) referenceID(message *structpb.Value, depth int) (property.Value, error) {
	if message == nil {
		return property.Value{}, nil
	}
	id, err := d.value(message, depth+1)
	switch {
	case err != nil:
		return property.Value{}, err
	case id.IsComputed(), id.IsString() && id.AsString() == "":
		return property.WithGoValue(id, property.Computed), nil
	case !id.IsString():
		return property.Value{}, errors.New("a resource reference's id is no string")
	}
	return id, nil
}

// nameReference fills in the name and type that older peers leave out.
func nameReference(ref property.ResourceReference) property.ResourceReference {
	if !ref.URN.IsValid() {
		return ref
	}
	if ref.Name == "" {
		ref.Name = ref.URN.Name()
	}
	if ref.Type == "" {
		ref.Type = string(ref.URN.Type())
	}
	return ref
}

// plainReference is what stands for a resource where references are not
// understood.
func plainReference(ref property.ResourceReference) property.Value {
	if ref.ID.IsNull() {
		return property.New(string(ref.URN))
	}
	return ref.ID
}

// byteString decodes {value}, in base64.
func (d *decoder) byteString(message fields) (property.Value, error) {
	if !d.opts.ByteStrings {
		return property.Value{}, errByteString
	}
	text, ok := message["value"].GetKind().(*structpb.Value_StringValue)
	if !ok {
		return property.Value{}, errors.New("a byte string has no value")
	}
	decoded, err := base64.StdEncoding.DecodeString(text.StringValue)
	if err != nil {
		return property.Value{}, errors.New("a byte string's value is not in base64")
	}
	return property.New(string(decoded)), nil
}

// texts returns the strings under names, "" for those that are missing.
func texts(message fields, names ...string) ([]string, error) {
	out := make([]string, len(names))
	for i, name := range names {
		field, ok := message[name]
		if !ok {
			continue
		}
		text, ok := field.GetKind().(*structpb.Value_StringValue)
		if !ok {
			return nil, fmt.Errorf("%s is no string", name)
		}
		out[i] = text.StringValue
	}
	return out, nil
}

// boolean returns the bool under name, or false where there is none.
func boolean(message fields, name string) (bool, error) {
	field, ok := message[name]
	if !ok {
		return false, nil
	}
	b, ok := field.GetKind().(*structpb.Value_BoolValue)
	if !ok {
		return false, fmt.Errorf("%s is no bool", name)
	}
	return b.BoolValue, nil
}
