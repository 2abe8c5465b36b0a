package tfstate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// oddities replace each part of a good file in turn.
var oddities = []string{`null`, `{}`, `[]`, `""`, `"x"`, `0`, `-1`, `1.5`, `1e400`, `true`, `[null]`, `{"":null}`, `[[[]]]`}

// Any part of a file may be anything: it is read and can be written again,
// or the first error says where in the file it went wrong.
func TestDecodeMutations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/v*.tfstate")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no test data")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root, _ := parse(src, "")
			for i, part := range parts(root) {
				for n := range 4 { // all of them in every place takes too long
					odd := oddities[(i+3*n)%len(oddities)]
					mutant := bytes.Join([][]byte{src[:part.start], []byte(odd), src[part.end:]}, nil)
					checkMutant(t, mutant, fmt.Sprintf("%s at %d", odd, part.start))
				}
			}
			for cut := range bytes.TrimSpace(src) {
				if _, diags := Decode(src[:cut], ""); !diags.HasErrors() {
					t.Errorf("accepted when cut at byte %d", cut)
				}
			}
		})
	}
}

// parts lists a value and all values inside it.
func parts(n node) []node {
	out := []node{n}
	switch n.raw()[0] {
	case '{':
		for _, m := range n.object("") {
			out = append(out, parts(m.node)...)
		}
	case '[':
		for _, elem := range n.array("") {
			out = append(out, parts(elem)...)
		}
	}
	return out
}

func checkMutant(t *testing.T, src []byte, what string) {
	t.Helper()
	state, diags := Decode(src, "mutant")
	if diags.HasErrors() {
		if at := diags.Errors()[0].Subject; at == nil || at.Filename != "mutant" || at.End.Byte > len(src) {
			t.Errorf("%s: no place: %v", what, diags.Err())
		}
		return
	}
	out, err := Encode(state)
	if err != nil || !json.Valid(out) {
		t.Errorf("%s: cannot be written: %v", what, err)
		return
	}
	if again, diags := Decode(out, ""); diags.HasErrors() {
		t.Errorf("%s: what was written cannot be read: %v", what, diags.Err())
	} else if second, err := Encode(again); err != nil || !bytes.Equal(out, second) {
		t.Errorf("%s: written twice it differs: %v", what, err)
	}
}
