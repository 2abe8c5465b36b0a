package workflow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// setAside sees to it that a state which something else than an import wrote is
// not lost where a tree replaces or removes it: the tree keeps a copy, and what
// is to be said of it once that is written is returned. Clients do so as well.
func (e earlier) setAside(dir string, tree *outtree.Tree, state *tfstate.State) (said, diags diag.List) {
	text, there := e.options.Merged[write.StateFile]
	if !there || e.state == nil {
		return nil, nil
	}
	if next, ok := tree.File(write.StateFile); ok && bytes.Equal(next.Data, text) {
		return nil, nil
	}
	if _, same := outtree.Remembers(dir, write.StateFile, text); same {
		return nil, nil
	}
	if err := tree.AddAside(write.BackupFile, text, 0o600); err != nil {
		return nil, unkeptState(err)
	}
	path := filepath.Join(dir, write.StateFile)
	return diag.List{replacedState(path, provenance(e.state), succession(e.state, state), saidOtherwise(e.state, state))}, nil
}

// provenance is what tells a person whose state it is.
func provenance(s *tfstate.State) string {
	parts := []string{fmt.Sprintf("serial %d", s.Serial)}
	if s.Lineage != "" {
		parts = append(parts, fmt.Sprintf("lineage %q", s.Lineage))
	} else {
		parts = append(parts, "no lineage")
	}
	if s.TerraformVersion != "" {
		parts = append(parts, fmt.Sprintf("terraform_version %q", s.TerraformVersion))
	}
	return strings.Join(parts, ", ")
}

// succession is what became of a state; next is nil where there is none.
func succession(was, next *tfstate.State) string {
	switch {
	case next == nil:
		return "was removed"
	case next.Lineage != was.Lineage:
		return fmt.Sprintf("was replaced by serial %d of a new lineage, %s", next.Serial, next.Lineage)
	default:
		return fmt.Sprintf("was replaced by serial %d", next.Serial)
	}
}

// saidOtherwise tells what a state said that the next one does not say.
func saidOtherwise(was, next *tfstate.State) string {
	if next == nil {
		return ""
	}
	lines := lostOf(was, next)
	if len(lines) == 0 {
		return "Of the imported objects it said nothing else. "
	}
	return "Of the imported objects it said otherwise, by their attributes:\n  " + strings.Join(someOf(lines), "\n  ") + "\n"
}

// lostOf names, a line each, what a state said of objects and the next one does
// not. Values stay away: they may be secrets. What is derived from configuration
// and schemas, or is the provider's own, is not for people.
func lostOf(was, next *tfstate.State) []string {
	now := map[string]tfstate.Instance{}
	for _, r := range next.Resources {
		for _, i := range r.Instances {
			now[objectAddress(r, i)] = i
		}
	}
	var lines []string
	for _, r := range was.Resources {
		for _, i := range r.Instances {
			address := objectAddress(r, i)
			if after, there := now[address]; !there {
				lines = append(lines, address+": not there any more")
			} else if lost := lostOfObject(i, after); len(lost) > 0 {
				lines = append(lines, address+": "+strings.Join(lost, ", "))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// objectAddress is the address of an instance, and which of its objects it is.
func objectAddress(r tfstate.Resource, i tfstate.Instance) string {
	address := r.InstanceAddress(i)
	if i.Deposed != "" {
		address += " (deposed object " + i.Deposed + ")"
	}
	return address
}

// lostOfObject names the attributes whose values others have taken the place of,
// and a mark that is gone.
func lostOfObject(was, now tfstate.Instance) []string {
	var lost []string
	before, after := members(was), members(now)
	if before != nil && after != nil { // old states may have them in another form
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if !reflect.DeepEqual(before[name], after[name]) {
				lost = append(lost, name)
			}
		}
	}
	if was.Status == tfstate.StatusTainted && now.Status != was.Status {
		lost = append(lost, "no longer tainted")
	}
	return lost
}

// members are the attributes of an object, or nil.
func members(i tfstate.Instance) (out map[string]any) {
	dec := json.NewDecoder(bytes.NewReader(i.Attributes))
	dec.UseNumber()
	if dec.Decode(&out) != nil {
		return nil
	}
	return out
}
