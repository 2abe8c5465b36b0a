package pkgschema

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/formation-iac/formation/internal/mapping"
)

// types has nested types by token.
type types map[string]nestedType

// nestedType is a nested type as JSON. Those are the same whose plain JSON is,
// which lacks what pages say: names must not depend on that. The first one's
// texts are for all.
type nestedType struct{ json, plain []byte }

func (a nestedType) same(b nestedType) bool { return bytes.Equal(a.plain, b.plain) }

// put adds a type and returns its token. One that is there word for word is
// shared; another type of its name makes it the second, V2.
func (t types) put(pkg, module, name string, one nestedType) string {
	tried := name
	for n := 2; ; n++ {
		token := fmt.Sprintf("%s:%s/%s:%s", pkg, module, tried, tried)
		there, ok := t[token]
		if !ok {
			t[token] = one
		}
		if !ok || there.same(one) {
			return token
		}
		tried = fmt.Sprintf("%sV%d", name, n)
	}
}

// adopt takes over all of others, or none where a token has another type.
func (t types) adopt(others types) bool {
	for token, one := range others {
		if there, ok := t[token]; ok && !there.same(one) {
			return false
		}
	}
	for token, one := range others {
		if _, ok := t[token]; !ok {
			t[token] = one
		}
	}
	return true
}

// write writes the member of the schema with all types.
func (t types) write(w io.Writer, d *document) error {
	if len(t) == 0 {
		return nil
	}
	d.open("types")
	for _, token := range slices.Sorted(maps.Keys(t)) {
		d.add(token, t[token].json)
		if err := d.handOn(w); err != nil {
			return err
		}
	}
	d.close()
	return nil
}

// declare adds the type of an object and returns its token.
func (g *generator) declare(o *mapping.Object, in scope) string {
	in.secret = false
	return g.types.put(g.pkg.Name, in.module, o.TypeName, nested(g.fields(o, in), in.needs))
}
