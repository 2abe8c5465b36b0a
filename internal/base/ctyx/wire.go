package ctyx

import (
	"errors"
	"fmt"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// EncodeMsgpack encodes v under ty, as DynamicValue.msgpack of the provider
// protocol wants it. Marks are dropped: the wire has no place for them.
func EncodeMsgpack(v cty.Value, ty cty.Type) (data []byte, err error) {
	defer recoverTo(&err, "encode")
	const room = 256
	if data, ok := pack(make([]byte, 0, room), v, ty); ok {
		return data, nil
	}
	return msgpack.Marshal(Unmark(v), ty)
}

// DecodeMsgpack decodes bytes of outside origin under ty. Malformed bytes,
// panics of the decoder included, are errors.
func DecodeMsgpack(data []byte, ty cty.Type) (v cty.Value, err error) {
	defer recoverTo(&err, "decode")
	if v, ok := unpack(data, ty); ok {
		return v, nil
	}
	if err := checkMsgpack(data); err != nil {
		return cty.NilVal, err
	}
	v, err = msgpack.Unmarshal(data, ty)
	if err == nil {
		err = conforming(v, ty)
	}
	if err != nil {
		return cty.NilVal, err
	}
	return v, nil
}

// conforming is an error where v is not of type ty. cty's decoder takes an
// object without any attribute, or with one of them twice, for every object.
func conforming(v cty.Value, ty cty.Type) error {
	if v.Type().Equals(ty) {
		return nil
	}
	return errors.Join(v.Type().TestConformance(ty)...)
}

// DecodeJSON decodes JSON bytes of outside origin under ty.
func DecodeJSON(data []byte, ty cty.Type) (v cty.Value, err error) {
	defer recoverTo(&err, "decode")
	if v, ok := readJSON(data, ty); ok {
		return v, nil
	}
	return ctyjson.Unmarshal(data, ty)
}

// EncodeJSON encodes v under ty. Marks are dropped.
func EncodeJSON(v cty.Value, ty cty.Type) (data []byte, err error) {
	defer recoverTo(&err, "encode")
	const room = 256
	if data, ok := writeJSON(make([]byte, 0, room), v, ty); ok {
		return data, nil
	}
	return ctyjson.Marshal(Unmark(v), ty)
}

// recoverTo turns a panic of the library on impossible input into an error:
// bytes from a plugin or a file can always happen, and must not end us.
func recoverTo(err *error, verb string) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("cannot %s value: %v", verb, r)
	}
}
