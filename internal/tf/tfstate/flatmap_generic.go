package tfstate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FlatKind says what a [FlatValue] is.
type FlatKind uint8

// The kinds. An object has names, a map has keys and was counted.
const (
	FlatScalar FlatKind = iota + 1
	FlatList
	FlatMap
	FlatObject
)

// FlatValue is a flatmap, or part of one, as it can be told without a
// schema: lists and sets look the same, and everything is text.
type FlatValue struct {
	Kind FlatKind
	// Unknown marks a scalar, or a collection whose count, is not known.
	Unknown bool
	Scalar  string
	// Elements are those of lists by index, which may be a hash, and of maps
	// and objects by key.
	Elements []FlatElement
}

// FlatElement is an element under its index, key or name.
type FlatElement struct {
	Key   string
	Value FlatValue
}

// Element returns the element under a key, or nil.
func (v FlatValue) Element(key string) *FlatValue {
	for i := range v.Elements {
		if v.Elements[i].Key == key {
			return &v.Elements[i].Value
		}
	}
	return nil
}

// maxFlatDepth bounds the recursion over keys of outside origin.
const maxFlatDepth = 64

// ParseFlatmap rebuilds the nested value that a flatmap stands for. Errors
// name the key: counts that do not agree, and keys that are both a value and
// the beginning of others.
//
// Source: spec/formation-importer.md, "Parsing InstanceState".
func ParseFlatmap(m map[string]string) (FlatValue, error) {
	return newFlatKeys(m).nested("", 0)
}

// nested parses what is below prefix, which is "" or ends with a dot.
func (f flatKeys) nested(prefix string, depth int) (FlatValue, error) {
	if depth > maxFlatDepth {
		return FlatValue{}, fmt.Errorf("flat attribute %q... is nested too deeply", prefix[:min(len(prefix), 64)])
	}
	_, isList := f.values[prefix+listCount]
	_, isMap := f.values[prefix+mapCount]
	switch {
	case prefix == "":
		return f.elements(FlatObject, prefix, f.indexes(prefix, ""), depth)
	case isList && isMap:
		return FlatValue{}, fmt.Errorf("flat attribute %q is both a list and a map", strings.TrimSuffix(prefix, "."))
	case isMap:
		return f.flatMap(prefix)
	case isList:
		return f.flatList(prefix, depth)
	default:
		return f.elements(FlatObject, prefix, f.indexes(prefix, ""), depth)
	}
}

func (f flatKeys) flatMap(prefix string) (FlatValue, error) {
	out := FlatValue{Kind: FlatMap}
	for _, flat := range f.under(prefix) {
		if key := flat[len(prefix):]; key != mapCount {
			out.Elements = append(out.Elements, FlatElement{key, scalar(f.values[flat])})
		}
	}
	return f.counted(out, prefix+mapCount)
}

func (f flatKeys) flatList(prefix string, depth int) (FlatValue, error) {
	keys := f.indexes(prefix, listCount)
	slices.SortStableFunc(keys, compareIndexes)
	out, err := f.elements(FlatList, prefix, keys, depth)
	if err != nil {
		return out, err
	}
	return f.counted(out, prefix+listCount)
}

// counted checks the elements against their count.
func (f flatKeys) counted(v FlatValue, countKey string) (FlatValue, error) {
	count := f.values[countKey]
	if count == unknownMarker && len(v.Elements) == 0 {
		v.Unknown = true
		return v, nil
	}
	n, err := strconv.Atoi(count)
	if err != nil || n != len(v.Elements) {
		return v, fmt.Errorf("flat attribute %q is %q, and there are %d elements", countKey, count, len(v.Elements))
	}
	return v, nil
}

func (f flatKeys) elements(kind FlatKind, prefix string, keys []string, depth int) (FlatValue, error) {
	out := FlatValue{Kind: kind}
	for _, key := range keys {
		v, err := f.element(prefix+key, depth)
		if err != nil {
			return FlatValue{}, err
		}
		out.Elements = append(out.Elements, FlatElement{key, v})
	}
	return out, nil
}

func (f flatKeys) element(key string, depth int) (FlatValue, error) {
	s, isScalar := f.values[key]
	if !isScalar {
		return f.nested(key+".", depth+1)
	}
	if len(f.under(key+".")) > 0 {
		return FlatValue{}, fmt.Errorf("flat attribute %q is a value and has others below it", key)
	}
	return scalar(s), nil
}

func scalar(s string) FlatValue {
	if s == unknownMarker {
		return FlatValue{Kind: FlatScalar, Unknown: true}
	}
	return FlatValue{Kind: FlatScalar, Scalar: s}
}

// compareIndexes orders numbers by size and before other text.
func compareIndexes(a, b string) int {
	x, errX := parseIndex(a)
	y, errY := parseIndex(b)
	switch {
	case errX == nil && errY == nil:
		return int(min(max(x-y, -1), 1))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	default:
		return strings.Compare(a, b)
	}
}

// upgradeCounts brings a flatmap of state version 1 or 2 to version 3:
// counts of maps, which look like those of lists, move to "%", and counts
// of nothing go away, since they may be of either.
func upgradeCounts(m map[string]string) {
	keys := newFlatKeys(m)
	for _, countKey := range keys.keys {
		prefix, ok := strings.CutSuffix(countKey, listCount)
		if !ok || !strings.HasSuffix(prefix, ".") {
			continue
		}
		indexes := keys.indexes(prefix, listCount)
		numbers := !slices.ContainsFunc(indexes, func(s string) bool {
			_, err := strconv.Atoi(s)
			return err != nil
		})
		if len(indexes) > 0 && numbers {
			continue
		}
		if !numbers {
			m[prefix+mapCount] = m[countKey]
		}
		delete(m, countKey)
	}
}
