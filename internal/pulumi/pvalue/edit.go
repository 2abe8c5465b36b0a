package pvalue

import "github.com/pulumi/pulumi/sdk/v3/go/property"

// Edit makes a map of another one, which is copied when something changes: in
// most maps nothing does.
type Edit struct {
	from property.Map
	own  map[string]property.Value
}

// EditOf begins with what m has.
func EditOf(m property.Map) *Edit { return &Edit{from: m} }

// Set gives a key a value.
func (e *Edit) Set(key string, v property.Value) { e.members()[key] = v }

// Delete takes a key away.
func (e *Edit) Delete(key string) { delete(e.members(), key) }

func (e *Edit) members() map[string]property.Value {
	if e.own == nil {
		e.own = e.from.AsMap()
	}
	return e.own
}

// Map ends with the map that has been made.
func (e *Edit) Map() property.Map {
	if e.own != nil {
		e.from, e.own = property.NewMap(e.own), nil
	}
	return e.from
}

// Any reports whether something holds of v or of a value in it.
func Any(v property.Value, holds func(property.Value) bool) bool {
	if holds(v) {
		return true
	}
	switch {
	case v.IsMap():
		for _, member := range v.AsMap().All {
			if Any(member, holds) {
				return true
			}
		}
	case v.IsArray():
		for _, element := range v.AsArray().All {
			if Any(element, holds) {
				return true
			}
		}
	}
	return false
}
