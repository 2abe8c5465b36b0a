package workflow

import (
	"bytes"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
)

// record is the report of an import as it stands in the directory. It goes to
// git, and tells what was written: a clone of the directory has no manifest, and
// one that was pulled an old one.
type record struct {
	report *write.Report     // nil where there is none
	fault  error             // why the text is no report
	sums   map[string]string // what the report says was written; nil where it vouches for nothing
}

func readRecord(dir string) (record, *diag.Diagnostic) {
	text, failure := readIf(filepath.Join(dir, write.ReportFile))
	if failure != nil || text == nil {
		return record{}, failure
	}
	text = withoutReturns(text)
	r := record{report: &write.Report{}}
	if r.fault = json.Unmarshal(text, r.report); r.fault == nil {
		r.sums = r.report.Vouched(text)
	}
	return r, nil
}

// vouched are the digests of the files in dir that the record vouches for: as
// they stand, where git has rewritten the ends of their lines.
func (r record) vouched(dir string) map[string]string {
	out := maps.Clone(r.sums)
	for name, sum := range r.sums {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		if text, same := written(dir, name, sum); same {
			out[name] = outtree.Digest(text)
		} else if name == write.IgnoreFile {
			delete(out, name) // people write to it, which is no edit of ours
		}
	}
	return out
}

// keptHome reports whether a file is one that the import wrote and that git
// leaves at home. Where somebody has brought it there by hand, it is merged
// whatever is in it.
func (r record) keptHome(name string) bool {
	switch {
	case r.sums == nil:
		return false
	case name == write.StateFile:
		return r.report.Handover != write.HandoverBlocks
	case name == write.SecretsFile:
		return slices.ContainsFunc(r.report.Variables, write.VariableReport.IsPrivate)
	}
	return false
}

// written reports whether a file differs from what was written in nothing but
// the ends of lines, which git rewrites for Windows.
func written(dir, name, sum string) (text []byte, same bool) {
	text, failure := readIf(filepath.Join(dir, filepath.FromSlash(name)))
	return text, failure == nil && text != nil && (outtree.Digest(text) == sum || outtree.Digest(withoutReturns(text)) == sum)
}

func withoutReturns(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// wrote reports whether an import wrote that file of dir.
func (e *earlier) wrote(dir, name string) bool {
	if _, vouched := e.options.Vouched[name]; vouched {
		return true
	}
	ours, _ := outtree.Remembers(dir, name, nil)
	return ours
}
