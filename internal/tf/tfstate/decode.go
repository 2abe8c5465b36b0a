package tfstate

import (
	"bytes"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Decode reads a state file of any version from 1 to 4. filename is for the
// ranges of diagnostics. The state is nil where the list has errors. It
// shares memory with src, which must not change afterwards.
func Decode(src []byte, filename string) (*State, diag.List) {
	if d := sniffText(src, filename); d != nil {
		return nil, diag.List{d}
	}
	root, doc := parse(src, filename)
	if doc.diags.HasErrors() {
		return nil, doc.diags
	}
	state := decodeVersion(root)
	if doc.diags.HasErrors() {
		return nil, doc.diags
	}
	return state, doc.diags
}

// sniffText tells what is clearly no JSON state, for a better message.
func sniffText(src []byte, filename string) *diag.Diagnostic {
	at := (&document{filename: filename}).rangeOf(0, 0)
	switch {
	case len(bytes.TrimSpace(src)) == 0:
		return notState(at, "The file is empty.")
	case bytes.HasPrefix(src, []byte("tfstate")):
		return notState(at, "This is the binary format of Terraform before 0.4; upgrade it with Terraform 0.6 first.")
	}
	return nil
}

func decodeVersion(root node) *State {
	if root.raw()[0] != '{' {
		root.fail(notState(root.at(), "A state file is a JSON object."))
		return nil
	}
	members := root.object("state file")
	version, ok := find(members, "version")
	if !ok {
		if _, enc := find(members, "encrypted_data"); enc {
			root.fail(encrypted(root.doc.rangeOf(root.start, root.start)))
			return nil
		}
		root.fail(notState(root.doc.rangeOf(root.start, root.start), `There is no "version", which every state file has.`))
		return nil
	}
	switch v := version.uint(`"version"`); v {
	case 1:
		return decodeV1(root)
	case 2:
		return decodeV2(root)
	case 3:
		return decodeV3(root)
	case 4:
		return decodeV4(members)
	default:
		if !root.doc.diags.HasErrors() {
			root.fail(unsupportedVersion(version.at(), v, writerOf(members)))
		}
		return nil
	}
}

func writerOf(members []member) string {
	if m, ok := find(members, "terraform_version"); ok && m.raw()[0] == '"' {
		return m.text()
	}
	return ""
}

func find(members []member, name string) (node, bool) {
	for _, m := range members {
		if m.name == name {
			return m.node, true
		}
	}
	return node{}, false
}
