package tfstate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
)

func (d flatDecoder) list(prefix string, ty cty.Type, path cty.Path) (cty.Value, error) {
	n, found, unknown, err := d.count(prefix, listCount, path)
	switch {
	case err != nil:
		return cty.NilVal, err
	case !found:
		return cty.NullVal(ty), nil
	case unknown:
		return cty.UnknownVal(ty), nil
	}
	keys, err := d.listKeys(prefix, n, path)
	if err != nil {
		return cty.NilVal, err
	}
	vals := make([]cty.Value, 0, len(keys))
	for i, key := range keys {
		v, err := d.value(prefix+key, ty.ElementType(), append(path, cty.IndexStep{Key: cty.NumberIntVal(int64(i))}))
		if err != nil {
			return cty.NilVal, err
		}
		vals = append(vals, v)
	}
	if len(vals) == 0 {
		return cty.ListValEmpty(ty.ElementType()), nil
	}
	return cty.ListVal(vals), nil
}

// listKeys returns the key of each element. They are 0 to n-1, of which
// those of null elements may be missing; or n hashes in the oldest states,
// which are in the order of the hashes.
func (d flatDecoder) listKeys(prefix string, n int, path cty.Path) ([]string, error) {
	present, err := sortedIndexes(d.indexes(prefix, listCount))
	switch {
	case err != nil:
		return nil, path.NewError(err)
	case len(present) > n:
		return nil, path.NewErrorf("there are %d elements and the count is %d", len(present), n)
	case len(present) > 0 && present[len(present)-1] >= int64(n):
		if len(present) != n {
			return nil, path.NewErrorf("there are %d elements and the count is %d", len(present), n)
		}
		return indexStrings(present), nil
	case n-len(present) > maxSparse:
		return nil, path.NewErrorf("the count is %d and there are %d elements only", n, len(present))
	}
	keys := make([]string, n)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return keys, nil
}

func sortedIndexes(keys []string) ([]int64, error) {
	out := make([]int64, 0, len(keys))
	for _, key := range keys {
		i, err := parseIndex(key)
		if err != nil {
			return nil, fmt.Errorf("%q is not an index", key)
		}
		out = append(out, i)
	}
	slices.Sort(out)
	return out, nil
}

// parseIndex reads a canonical index: digits without a leading zero.
func parseIndex(s string) (int64, error) {
	i, err := strconv.ParseInt(s, 10, 64)
	if err == nil && (i < 0 || strconv.FormatInt(i, 10) != s) {
		err = errors.New("not canonical")
	}
	return i, err
}

func indexStrings(indexes []int64) []string {
	out := make([]string, len(indexes))
	for n, i := range indexes {
		out[n] = strconv.FormatInt(i, 10)
	}
	return out
}

func (d flatDecoder) tuple(prefix string, ty cty.Type, path cty.Path) (cty.Value, error) {
	elems := ty.TupleElementTypes()
	n, found, unknown, err := d.count(prefix, listCount, path)
	switch {
	case err != nil:
		return cty.NilVal, err
	case !found:
		return cty.NullVal(ty), nil
	case unknown:
		return cty.UnknownVal(ty), nil
	case n != len(elems):
		return cty.NilVal, path.NewErrorf("the count is %d where %d elements are required", n, len(elems))
	}
	vals := make([]cty.Value, 0, len(elems))
	for i, elem := range elems {
		v, err := d.value(prefix+strconv.Itoa(i), elem, append(path, cty.IndexStep{Key: cty.NumberIntVal(int64(i))}))
		if err != nil {
			return cty.NilVal, err
		}
		vals = append(vals, v)
	}
	return cty.TupleVal(vals), nil
}
