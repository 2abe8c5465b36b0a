package pkgschema

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/formation-iac/formation/internal/mapping"
)

// types has nested types as JSON, by token.
type types map[string][]byte

// put adds a type and returns its token. One that is there word for word is
// shared; another type of its name makes it the second, V2.
func (t types) put(pkg, module, name string, body []byte) string {
	tried := name
	for n := 2; ; n++ {
		token := fmt.Sprintf("%s:%s/%s:%s", pkg, module, tried, tried)
		if there, ok := t[token]; !ok || bytes.Equal(there, body) {
			t[token] = body
			return token
		}
		tried = fmt.Sprintf("%sV%d", name, n)
	}
}

// adopt takes over all of others, or none where a token has another type.
func (t types) adopt(others types) bool {
	for token, body := range others {
		if there, ok := t[token]; ok && !bytes.Equal(there, body) {
			return false
		}
	}
	maps.Copy(t, others)
	return true
}

// write writes the member of the schema with all types.
func (t types) write(w io.Writer, d *document) error {
	if len(t) == 0 {
		return nil
	}
	d.open("types")
	for _, token := range slices.Sorted(maps.Keys(t)) {
		d.add(token, t[token])
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
