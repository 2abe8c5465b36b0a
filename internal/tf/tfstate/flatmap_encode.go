package tfstate

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/zclconf/go-cty/cty/convert"
)

// EncodeFlatmap is the inverse of [DecodeFlatmap] for values that a flatmap
// can hold; a null object is a nil map. Others are errors: null objects
// inside, null elements of maps and sets, elements of sets with nothing in
// them, maps of anything but primitives, dynamic values.
func EncodeFlatmap(v cty.Value) (map[string]string, error) {
	if v.IsNull() {
		return nil, nil
	}
	e := flatEncoder{}
	if err := e.object("", v, nil); err != nil {
		return nil, err
	}
	return e, nil
}

type flatEncoder map[string]string

func (e flatEncoder) value(key string, v cty.Value, path cty.Path) error {
	switch ty := v.Type(); {
	case ty.IsPrimitiveType():
		return e.primitive(key, v, path)
	case ty.IsObjectType():
		return e.object(key+".", v, path)
	case v.IsNull() && (ty.IsCollectionType() || ty.IsTupleType()):
		return nil
	case ty.IsListType() || ty.IsTupleType():
		return e.list(key+".", v, path)
	case ty.IsSetType():
		return e.set(key+".", v, path)
	case ty.IsMapType() && ty.ElementType().IsPrimitiveType():
		return e.mapping(key+".", v, path)
	default:
		return path.NewErrorf("a flatmap cannot hold a value of type %s", ty.FriendlyName())
	}
}

func (e flatEncoder) primitive(key string, v cty.Value, path cty.Path) error {
	switch {
	case !v.IsKnown():
		e[key] = unknownMarker
		return nil
	case v.IsNull():
		return nil
	}
	s, err := convert.Convert(v, cty.String)
	if err != nil {
		return path.NewError(err)
	}
	if s.AsString() == unknownMarker {
		return path.NewErrorf("the text is the mark of unknown values")
	}
	e[key] = s.AsString()
	return nil
}

func (e flatEncoder) object(prefix string, v cty.Value, path cty.Path) error {
	if v.IsNull() || !v.IsKnown() {
		return path.NewErrorf("a flatmap cannot hold a null or unknown object")
	}
	for it := v.ElementIterator(); it.Next(); {
		name, elem := it.Element()
		if strings.Contains(name.AsString(), ".") {
			return path.NewErrorf("attribute %q has a dot in its name", name.AsString())
		}
		if err := e.value(prefix+name.AsString(), elem, append(path, cty.GetAttrStep{Name: name.AsString()})); err != nil {
			return err
		}
	}
	return nil
}

// count writes the count and reports whether there are elements to follow.
func (e flatEncoder) count(key string, v cty.Value) bool {
	if !v.IsKnown() {
		e[key] = unknownMarker
		return false
	}
	e[key] = strconv.Itoa(v.LengthInt())
	return true
}

func (e flatEncoder) list(prefix string, v cty.Value, path cty.Path) error {
	if !e.count(prefix+listCount, v) {
		return nil
	}
	for i, elem := range v.AsValueSlice() {
		if err := e.value(prefix+strconv.Itoa(i), elem, append(path, cty.IndexStep{Key: cty.NumberIntVal(int64(i))})); err != nil {
			return err
		}
	}
	return nil
}

// set gives each element a hash of what it holds for an index.
func (e flatEncoder) set(prefix string, v cty.Value, path cty.Path) error {
	if !e.count(prefix+listCount, v) {
		return nil
	}
	taken := map[uint32]bool{}
	for _, elem := range v.AsValueSlice() {
		hash := crc32.ChecksumIEEE([]byte(elem.GoString()))
		for taken[hash] {
			hash++
		}
		taken[hash] = true
		size := len(e)
		if err := e.value(fmt.Sprintf("%s%d", prefix, hash), elem, append(path, ctyx.SetElement())); err != nil {
			return err
		}
		if len(e) == size {
			return path.NewErrorf("a flatmap cannot hold a set element with nothing in it")
		}
	}
	return nil
}

func (e flatEncoder) mapping(prefix string, v cty.Value, path cty.Path) error {
	if !e.count(prefix+mapCount, v) {
		return nil
	}
	for it := v.ElementIterator(); it.Next(); {
		key, elem := it.Element()
		if elem.IsNull() || key.AsString() == mapCount {
			return path.NewErrorf("a flatmap cannot hold a null element, or one called %q, in a map", mapCount)
		}
		if err := e.primitive(prefix+key.AsString(), elem, append(path, cty.IndexStep{Key: key})); err != nil {
			return err
		}
	}
	return nil
}
