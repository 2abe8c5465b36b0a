package estate

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// DumpOptions chooses what a dump holds.
type DumpOptions struct {
	// DropGenerated leaves out generated ids and times and replaces every
	// reference to a generated id with the name of its target, so that two
	// estates built by different calls compare equal when they mean the same.
	DropGenerated bool
	// Secrets includes what the API never answers otherwise.
	Secrets bool
}

// Dump is the whole store as canonical JSON: an object of kinds, each an array
// sorted by the objects' names.
func (s *Store) Dump(opts DumpOptions) []byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var rename *strings.Replacer
	if opts.DropGenerated {
		rename = strings.NewReplacer(s.namesForIDs()...)
	}
	all := Object{}
	for _, k := range Kinds() {
		rows := []any{}
		for _, id := range s.shelves[k.Name].order {
			rows = append(rows, s.dumpObject(k, id, opts, rename))
		}
		slices.SortStableFunc(rows, func(a, b any) int {
			return strings.Compare(k.key(a.(Object))+"\x00"+encode(a), k.key(b.(Object))+"\x00"+encode(b))
		})
		all[k.Name] = rows
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(all) // canonical objects always encode
	return buf.Bytes()
}

func (s *Store) dumpObject(k *Kind, id string, opts DumpOptions, rename *strings.Replacer) Object {
	sh := s.shelves[k.Name]
	obj := clone(sh.objects[id])
	if opts.Secrets {
		for name, value := range sh.secrets[id] {
			obj[name] = value
		}
	}
	if !opts.DropGenerated {
		return obj
	}
	for _, generated := range []string{"created_at", "unique_id", "public_ip"} {
		delete(obj, generated)
	}
	if k.Prefix != "" {
		delete(obj, "id")
	}
	for name, value := range obj {
		obj[name] = renameIn(value, rename)
	}
	resort(k.Fields, obj)
	return obj
}

// namesForIDs pairs every generated id with "<kind:name>", numbered where
// names repeat, in the form that strings.NewReplacer takes.
func (s *Store) namesForIDs() []string {
	var pairs []string
	for _, k := range Kinds() {
		if k.Prefix == "" {
			continue
		}
		seen := map[string]int{}
		sh := s.shelves[k.Name]
		for _, id := range sh.order {
			key := k.key(sh.objects[id])
			seen[key]++
			name := key
			if n := seen[key]; n > 1 {
				name += "#" + strconv.Itoa(n)
			}
			pairs = append(pairs, id, "<"+k.Name+":"+name+">")
		}
	}
	return pairs
}

func renameIn(value any, rename *strings.Replacer) any {
	switch v := value.(type) {
	case string:
		return rename.Replace(v)
	case Object:
		for name, elem := range v {
			v[name] = renameIn(elem, rename)
		}
	case []any:
		for i, elem := range v {
			v[i] = renameIn(elem, rename)
		}
	}
	return value
}

// resort puts sets back in order after their elements were renamed.
func resort(fields []Field, obj Object) {
	for _, f := range fields {
		if elems, ok := obj[f.Name].([]any); ok && f.Type.Shape == Set {
			obj[f.Name] = canonicalSet(elems)
		}
	}
}
