package tfstate

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzWriter holds the layout to encoding/json's for any JSON value.
func FuzzWriter(f *testing.F) {
	for _, seed := range []string{
		`null`, `{}`, `[]`, `[[],{}]`, `{"a":{"b":[1,-2.5e3,"x"]},"c":[]}`, ` { "a" : [ true , { } ] } `,
		`"\\\"<&>\u2028 {[,:]}"`, `{"\\":"\\\\","<":[{"x":{}},{"y":"\""}]}`, `{"a":1`, `"é"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		want, err := json.MarshalIndent(struct {
			A json.RawMessage   `json:"a"`
			B []json.RawMessage `json:"b"`
		}{raw, []json.RawMessage{raw, raw}}, "", "  ")
		w := newWriter(0)
		w.open('{')
		w.add("a", json.RawMessage(raw))
		w.add("b", []json.RawMessage{raw, raw})
		w.close('}')
		got, failed := w.finish()
		if (err != nil) != (failed != nil) {
			t.Fatalf("%v where encoding/json says %v", failed, err)
		}
		if err != nil {
			return
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Error(diff)
		}
	})
}
