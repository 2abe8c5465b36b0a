package workflow

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// earlier is what an earlier import left in the directory. The zero value is
// that of a directory without one.
type earlier struct {
	options outtree.Options
	record  record
	report  *write.Report  // nil where there is none of ours
	state   *tfstate.State // nil where there is none; without what is theirs
	applied bool           // a client's state is there, of import blocks
	theirs  theirs
	secrets secretsFile
	lock    lockFile
	// release lets others work on the state again.
	release func()
}

// lockFile is a dependency lock file as it stands.
type lockFile struct {
	tfregistry.LockFile
	text []byte
}

// lookBack sees that the directory can be written and reads what an earlier
// import left there.
func lookBack(req ImportRequest) (earlier, diag.List) {
	e := earlier{options: outtree.Options{Claims: write.Claims}, release: func() {}}
	_ = e.merge(req.OutDir) // what cannot be read is told below
	if diags := outtree.Preflight(req.OutDir, e.options); diags.HasErrors() {
		return e, diags
	}
	if path := filepath.Join(req.OutDir, write.StateFile); isFile(path) && e.wrote(req.OutDir, write.StateFile) {
		release, diags := tfstate.Hold(path)
		if diags.HasErrors() {
			return e, diags
		}
		e.release = release
	}
	// Once more: an interrupted commit has been finished, and nobody else
	// writes the state any more.
	if err := e.merge(req.OutDir); err != nil {
		return e, diag.List{err}
	}
	diags := e.load(req.OutDir)
	if e.report != nil && e.report.Handover != write.HandoverBlocks && e.state == nil && req.State {
		diags = append(diags, stateElsewhere(req.OutDir))
	}
	if e.applied && req.State {
		diags = append(diags, appliedState(filepath.Join(req.OutDir, write.StateFile)))
	}
	if e.state != nil && !req.State && !req.Prune {
		diags = append(diags, losingState(filepath.Join(req.OutDir, write.StateFile)))
	}
	return e, diags
}

// merge reads the record of an import, and the files that others write to as
// well: values that the user fills in, and the state, which every apply writes.
// What they have is in what is written next.
func (e *earlier) merge(dir string) (failure *diag.Diagnostic) {
	if e.record, failure = readRecord(dir); failure != nil {
		return failure
	}
	e.options.Vouched, e.options.Merged = e.record.vouched(dir), map[string][]byte{}
	for _, name := range [...]string{write.SecretsFile, write.StateFile} {
		text, failure := readIf(filepath.Join(dir, name))
		if failure != nil {
			return failure
		}
		if text != nil && e.record.keptHome(name) {
			e.options.Vouched[name] = outtree.Digest(text)
		}
		if text != nil && e.wrote(dir, name) {
			e.options.Merged[name] = text
		}
	}
	if text, ok := e.options.Merged[write.SecretsFile]; ok {
		_, same := outtree.Remembers(dir, write.SecretsFile, text)
		e.secrets = secretsFile{path: filepath.Join(dir, write.SecretsFile), text: text, edited: !same}
	}
	return nil
}

// load takes the report, and reads the state, the values and the lock file.
func (e *earlier) load(dir string) diag.List {
	if e.record.report != nil && e.wrote(dir, write.ReportFile) {
		if e.record.fault != nil {
			return diag.List{unreadableEarlier(filepath.Join(dir, write.ReportFile), e.record.fault)}
		}
		e.report = e.record.report
	}
	var diags diag.List
	if diags = append(diags, e.loadState(dir)...); diags.HasErrors() {
		return diags
	}
	if diags = append(diags, e.secrets.parse()...); diags.HasErrors() {
		return diags
	}
	path := filepath.Join(dir, tfregistry.LockFileName)
	lock, more := tfregistry.LoadLockFile(path)
	if diags = append(diags, more...); more.HasErrors() {
		return diags
	}
	e.lock.LockFile = lock
	var failure *diag.Diagnostic
	if e.lock.text, failure = readIf(path); failure != nil {
		return append(diags, failure)
	}
	return diags
}

// loadState reads the state, be it ours or, where others have applied import
// blocks, theirs, of which only what their own files manage concerns an import.
func (e *earlier) loadState(dir string) diag.List {
	others, err := outtree.Others(dir, e.options)
	if err != nil {
		return diag.List{unreadableEarlier(dir, err)}
	}
	declared := ownBlocks(dir, others)
	e.theirs.declared = declared
	e.recall(declared)
	path := filepath.Join(dir, write.StateFile)
	text, ours := e.options.Merged[write.StateFile]
	if !ours {
		var failure *diag.Diagnostic
		if text, failure = readIf(path); failure != nil || text == nil {
			return nil
		}
		e.applied = e.report != nil && e.report.Handover == write.HandoverBlocks
		if len(declared) == 0 {
			return nil
		}
	}
	state, diags := tfstate.Decode(text, path)
	switch {
	case diags.HasErrors() && !ours:
		return nil
	case diags.HasErrors():
		return diags
	}
	if state = e.split(state, declared); ours {
		e.state = state
	}
	return diags
}

// isFile reports whether there is such a regular file.
func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

// readIf returns nil where there is no such regular file.
func readIf(path string) ([]byte, *diag.Diagnostic) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, unreadableEarlier(path, err)
	case text == nil:
		return []byte{}, nil
	}
	return text, nil
}

// lockedVersion asks for the version that the directory's lock file pins,
// where the user asks for none, so that init agrees with what is written.
func (e earlier) lockedVersion(req tfregistry.Request) tfregistry.Request {
	if req.Constraint != "" || req.LocalPath != "" {
		return req
	}
	if locked, ok := e.lock.Request(req.Provider); ok {
		return locked
	}
	return req
}

// lock adds the dependency lock file for a provider that has a version. It
// stays as it is where it has the version already; otherwise it gives way to
// one that init has written since.
func (i *importing) lock(tree *outtree.Tree, before lockFile) diag.List {
	got := i.provider.Installed
	var file tfregistry.LockFile
	file.Record(got, write.Constraint(got.Version))
	if len(file.Providers) == 0 {
		return nil
	}
	text := file.Bytes()
	if before.Providers[got.Provider].Version == got.Version && !before.Verify(got).HasErrors() {
		text = before.text
	}
	return diag.FromError("WF0016", "Cannot lay out the lock file", tree.AddOptional(tfregistry.LockFileName, text, 0o644, ""))
}

// keptBy sees that module loses nothing of what was there but what is let go,
// which it names a line each, and gives it the values that were filled in.
func (e earlier) keptBy(module *write.Module, req ImportRequest) (letGo []string, diags diag.List) {
	losses := e.losses(*module)
	if len(losses) > 0 && !req.Prune {
		diags = append(diags, losing(req.OutDir, losses))
	}
	return losses, append(diags, e.fillIn(module, req.Prune)...)
}

// continued gives a state the lineage of the one that it takes the place of,
// and the next serial where they differ. What is not of an import stays: outputs
// that an apply left there, and what the user's own files manage.
func (e earlier) continued(state *tfstate.State) *tfstate.State {
	out := *state
	out.Resources = append(slices.Clip(out.Resources), e.theirs.resources...)
	if e.state == nil || e.state.Lineage == "" {
		return &out
	}
	out.Lineage, out.Serial, out.Outputs = e.state.Lineage, e.state.Serial, e.state.Outputs
	if text, err := tfstate.Encode(&out); err != nil || !bytes.Equal(text, e.options.Merged[write.StateFile]) {
		out.Serial++
	}
	return &out
}
