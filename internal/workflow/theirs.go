package workflow

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/hcltext"
	"github.com/formation-iac/formation/internal/importer"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// theirs are the parts of a state that belong to blocks in files of the user's
// own, beside those of the import: what is managed there is not to be imported
// once more, and stays in the state as it is.
type theirs struct {
	resources []tfstate.Resource
	// reported are those of an earlier import, which is all that is known of
	// them where the state is elsewhere.
	reported []write.ResourceReport
	files    map[string]string // by the address of an instance
	declared blocks
}

// has reports whether they have a block of an address, or make it another's.
func (t theirs) has(addr tfaddr.Resource) bool { return t.declared[addr.String()] != "" }

// any reports whether there is anything of theirs.
func (t theirs) any() bool { return len(t.resources)+len(t.reported) > 0 }

// blocks maps what files declare, as [ownerOf] calls it, to the file.
type blocks map[string]string

// recall takes from the report what the user's own blocks managed, and still do.
func (e *earlier) recall(declared blocks) {
	e.theirs.files = map[string]string{}
	if e.report == nil {
		return
	}
	for _, r := range e.report.Resources {
		if file := declared[blockOf(r.Address)]; r.Outcome == write.Managed && file != "" {
			e.theirs.reported = append(e.theirs.reported, r)
			e.theirs.files[r.Address] = file
		}
	}
}

// split takes from the state what belongs to the user's own blocks. What the
// earlier import wrote is none of theirs, even where they declare it as well.
func (e *earlier) split(state *tfstate.State, declared blocks) (ours *tfstate.State) {
	imported := map[string]bool{}
	if e.report != nil {
		for _, r := range e.report.Resources {
			imported[r.Address] = imported[r.Address] || r.Outcome == write.Imported
		}
	}
	rest := *state
	rest.Resources = nil
	for _, r := range state.Resources {
		file, own := declared[blockOf(r.String())]
		if !own || imported[r.String()] {
			rest.Resources = append(rest.Resources, r)
			continue
		}
		e.theirs.resources = append(e.theirs.resources, r)
		for _, instance := range r.Instances {
			e.theirs.files[r.InstanceAddress(instance)] = file
		}
	}
	return &rest
}

// blockOf is the block of the root module that an address is of: that of the
// resource, or the call of the module that it is in. A data source has three
// parts, all else two; keys follow them.
func blockOf(address string) string {
	parts := 2
	if strings.HasPrefix(address, "data.") {
		parts = 3
	}
	end := 0
	for range parts {
		next := strings.IndexAny(address[min(end+1, len(address)):], ".[")
		if next < 0 {
			return address
		}
		if end += 1 + next; address[end] == '[' {
			break
		}
	}
	return address[:end]
}

const moduleRoot = "module"

// ownBlocks reads what files of the directory declare. What is wrong with them
// is for the proof to say, which reads them as Terraform does.
func ownBlocks(dir string, names []string) blocks {
	out := blocks{}
	for _, name := range names {
		if !tfconfig.Declares(name) {
			continue
		}
		text, failure := readIf(filepath.Join(dir, name))
		if failure != nil || text == nil {
			continue
		}
		if file, _ := hcltext.Parse(text, name); file != nil && file.Body != nil {
			out.declare(name, file.Body)
		}
	}
	return out
}

func (b blocks) declare(file string, body hcl.Body) {
	content, _, _ := body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "resource", LabelNames: []string{"type", "name"}}, {Type: "data", LabelNames: []string{"type", "name"}},
		{Type: moduleRoot, LabelNames: []string{"name"}}, {Type: "moved"},
	}})
	for _, block := range content.Blocks {
		switch block.Type {
		case "resource":
			b[tfaddr.Resource{Mode: tfaddr.Managed, Type: block.Labels[0], Name: block.Labels[1]}.String()] = file
		case "data":
			b[tfaddr.Resource{Mode: tfaddr.Data, Type: block.Labels[0], Name: block.Labels[1]}.String()] = file
		case moduleRoot:
			b[moduleRoot+"."+block.Labels[0]] = file
		case "moved": // until an apply, the state has the address of before
			attributes, _ := block.Body.JustAttributes()
			if from := attributes["from"]; from != nil {
				b.declareMoved(file, from.Expr)
			}
		}
	}
}

func (b blocks) declareMoved(file string, from hcl.Expression) {
	traversal, faults := hcl.AbsTraversalForExpr(from)
	if faults.HasErrors() || len(traversal) < 2 {
		return
	}
	if name, ok := traversal[1].(hcl.TraverseAttr); ok {
		b[traversal.RootName()+"."+name.Name] = file
	}
}

// managing returns, for each object, what of the user's own manages it. An
// object is taken for one in the state where there is no doubt, as with names.
func (t theirs) managing(objects []importer.Known) []importer.Manager {
	had, called := known{}, map[string]string{}
	for _, r := range t.reported {
		key := r.Type + "." + r.Address // in a module, too, it begins with the type
		called[key] = r.Address
		had.of(key).add(r.ID, r.Identity)
	}
	for _, r := range t.resources {
		if r.Addr.Mode == tfaddr.Data {
			continue
		}
		for _, instance := range r.Instances {
			address := r.InstanceAddress(instance)
			key := r.Addr.Type + "." + address
			called[key] = address
			had.addObject(key, instance)
		}
	}
	out := make([]importer.Manager, len(objects))
	for i, key := range matching(had, objects).addresses {
		if address := called[key]; address != "" {
			out[i] = importer.Manager{Address: address, File: t.files[address]}
		}
	}
	return out
}
