package workflow

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
)

// vouch reads from the report, which goes to git, what was written by an import:
// a clone of the directory has no manifest, and one that was pulled an old one.
// What git leaves at home and somebody has brought there by hand, the state and
// the values, is merged whatever is in it.
func (e *earlier) vouch(dir string) *diag.Diagnostic {
	e.options.Vouched = nil
	text, failure := readIf(filepath.Join(dir, write.ReportFile))
	if failure != nil || text == nil {
		return failure
	}
	text = withoutReturns(text)
	vouched := write.Vouched(text)
	var report write.Report
	if vouched == nil || json.Unmarshal(text, &report) != nil {
		return nil
	}
	for name, sum := range vouched {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		if text, same := written(dir, name, sum); same {
			vouched[name] = outtree.Digest(text)
		} else if name == write.IgnoreFile {
			delete(vouched, name) // people write to it, which is no edit of ours
		}
	}
	for _, name := range leftAtHome(report) {
		if text, failure := readIf(filepath.Join(dir, name)); failure == nil && text != nil {
			vouched[name] = outtree.Digest(text)
		}
	}
	e.options.Vouched = vouched
	return nil
}

// mergedFiles are those that others write to as well.
var mergedFiles = [...]string{write.SecretsFile, write.StateFile}

// leftAtHome are the files that an import wrote and that do not go to git.
func leftAtHome(report write.Report) (names []string) {
	if report.Handover != write.HandoverBlocks {
		names = append(names, write.StateFile)
	}
	if slices.ContainsFunc(report.Variables, func(v write.VariableReport) bool { return v.Sensitive || v.StandIn || v.Guarded }) {
		names = append(names, write.SecretsFile)
	}
	return names
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
