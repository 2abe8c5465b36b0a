package write

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

// Vouched returns the digests of the files that a report says were written with
// it, its own among them, which is not that of the text where the text was
// changed since. Reports of older releases, and other files, vouch for nothing.
func Vouched(report []byte) map[string]string {
	var in struct {
		Version int               `json:"version"`
		Files   map[string]string `json:"files"`
	}
	if json.Unmarshal(report, &in) != nil || in.Version != ReportVersion || in.Files[ReportFile] == "" {
		return nil
	}
	out := maps.Clone(in.Files)
	blank := bytes.Replace(report, []byte(sealOf(in.Files[ReportFile])), []byte(sealOf(unsealed)), 1)
	if outtree.Digest(blank) == in.Files[ReportFile] {
		out[ReportFile] = outtree.Digest(report)
	}
	return out
}
