package outtree

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/formation-iac/formation/internal/base/diag"
)

func badPath(name string) *diag.Diagnostic {
	return diag.Errorf("OT0002", fmt.Sprintf("%q is not a path inside the output", name),
		"Output paths are relative, have no \"..\", backslash or colon, and do not begin with %s. Choose another name.", metaDir)
}

func duplicatePath(name, other string) *diag.Diagnostic {
	return diag.Errorf("OT0003", fmt.Sprintf("The output file %q is there already", name),
		"%q has the same path, but for the case of letters or a directory. Choose another name for one of the two.", other)
}

func unwritable(dir string, err error) *diag.Diagnostic {
	remedy := "make this one writable"
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		remedy = "make room where this one is"
	}
	return diag.Errorf("OT0004", fmt.Sprintf("Cannot write to %s", dir),
		"%s. Nothing was changed. Choose another output directory, or %s.", err, remedy)
}

// unreadable tells of a file that may have been edited, for all that can be
// seen.
func unreadable(path string, err error) *diag.Diagnostic {
	return diag.Errorf("OT0016", fmt.Sprintf("Cannot read %s", path),
		"%s. Whether it was changed since it was written cannot be told. Nothing was changed. Make it readable, or choose another output directory.", err)
}

func notDirectory(path string) *diag.Diagnostic {
	return diag.Errorf("OT0005", fmt.Sprintf("%s is not a directory", path),
		"The output is a directory of several files. Choose another path, or move that file away.")
}

func claimed(dir string, names []string) *diag.Diagnostic {
	shown := names
	more := ""
	if len(shown) > 5 {
		more = fmt.Sprintf(" and %d more", len(shown)-5)
		shown = shown[:5]
	}
	return diag.Errorf("OT0006", fmt.Sprintf("%s holds files that were not written here", dir),
		"It has %s%s. Generated files beside them would be read together with them. Nothing was changed. Choose an empty or new output directory, or move these files away.",
		strings.Join(shown, ", "), more)
}

func foreign(path string) *diag.Diagnostic {
	return diag.Errorf("OT0007", fmt.Sprintf("%s was not written here", path),
		"A generated file would take its place. Nothing was changed. Move the file away, or choose another output directory.")
}

func edited(path string) *diag.Diagnostic {
	return diag.Errorf("OT0008", fmt.Sprintf("%s was changed since it was written", path),
		"Writing again would lose the change. Nothing was written. Move the file away (a file that is missing is written anew), or choose another output directory.")
}

func irregular(path, what string) *diag.Diagnostic {
	return diag.Errorf("OT0009", fmt.Sprintf("%s is %s", path, what),
		"A generated file would take its place, or lie behind it. Nothing was changed. Move it away, or choose another output directory.")
}

func badManifest(path string, err error) *diag.Diagnostic {
	return diag.Errorf("OT0010", fmt.Sprintf("Cannot read %s", path),
		"%s. It remembers which files were written here; without it none of them can be replaced. Choose another output directory, or remove the file and move the generated files away.", err)
}

func busy(dir string) *diag.Diagnostic {
	return diag.Errorf("OT0011", fmt.Sprintf("%s is being written by another run", dir),
		"Wait until it has ended and run again, or choose another output directory.")
}

func interruptedCommit(dir string, err error) *diag.Diagnostic {
	return diag.Errorf("OT0012", fmt.Sprintf("%s was not written to the end", dir),
		"%s. What remains to be done is kept in %s and is finished by the next run into the same directory.", err, metaDir)
}

func changedMeanwhile(path string) *diag.Diagnostic {
	return diag.Errorf("OT0013", fmt.Sprintf("%s was changed before an interrupted run could replace it", path),
		"The rest of that run is kept in %s. Move the file away and run again.", metaDir)
}

func cancelled(err error) *diag.Diagnostic {
	return diag.Errorf("OT0014", "The output was not written", "%s. Nothing was changed.", err)
}

// kept reports a file that stays in place of an optional one, whose content
// is no secret.
func kept(f File) *diag.Diagnostic {
	without := ""
	if f.Without != "" {
		without = " " + f.Without
	}
	return diag.Warnf("OT0015", fmt.Sprintf("%s stays as it is", f.Path),
		"It was not written here, or it was changed since.%s Add to it what it lacks of these lines:\n%s", without, f.Data)
}
