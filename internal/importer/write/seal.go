package write

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strings"

	"github.com/formation-iac/formation/internal/base/outtree"
)

// unsealed stands in a report for its own digest while that is worked out.
var unsealed = strings.Repeat("0", hex.EncodedLen(sha256.Size))

// digests are those of the files of a tree that anybody may read. What may hold
// secrets has none: short ones can be guessed by their digest.
func digests(tree *outtree.Tree) map[string]string {
	out := map[string]string{ReportFile: unsealed}
	for _, f := range tree.Files() {
		if f.Path != StateFile && f.Path != SecretsFile {
			out[f.Path] = outtree.Digest(f.Data)
		}
	}
	return out
}

// sealed is a report that has [unsealed] in the place of its own digest, with
// that.
func sealed(report []byte) []byte {
	return bytes.Replace(report, []byte(sealOf(unsealed)), []byte(sealOf(outtree.Digest(report))), 1)
}

func sealOf(digest string) string { return `"` + ReportFile + `": "` + digest + `"` }

// Vouched returns the digests of the files that r, whose text that is, says were
// written with it, its own among them, which is not that of the text where the
// text was changed since. Reports of older releases vouch for nothing.
func (r Report) Vouched(text []byte) map[string]string {
	own := r.Files[ReportFile]
	if r.Version != ReportVersion || own == "" {
		return nil
	}
	out := maps.Clone(r.Files)
	blank := bytes.Replace(text, []byte(sealOf(own)), []byte(sealOf(unsealed)), 1)
	if outtree.Digest(blank) == own {
		out[ReportFile] = outtree.Digest(text)
	}
	return out
}
