// Package write is the last stage of an import: it names resources, lays out
// a root module in files that people would have chosen, and reports what was
// done. It decides nothing about content: bodies, values and state come from
// the stages before, and package outtree brings the files to the disk.
package write

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/outtree"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// Module is a root module to write.
type Module struct {
	Provider tfaddr.Provider
	// Version is the version in use; "" for a binary that has none.
	Version string
	// ProviderLocalName is what the module calls the provider; "" takes
	// [LocalName].
	ProviderLocalName string
	// ProviderConfig is the provider block, secrets being references to
	// variables; nil is an empty one.
	ProviderConfig *tfconfig.Body
	Resources      []Resource
	Variables      []Variable
	// Secrets are values of what was read, of objects without a block as well,
	// that no report may show. Those of Variables need not be among them.
	Secrets []string
	// Imports are written to imports.tf; none writes no such file.
	Imports []Import
	// State is written to terraform.tfstate; nil writes no such file.
	State *tfstate.State
	// Report is what the stages before say; [Module.FinalReport] is what is
	// written and shown.
	Report Report

	stateText []byte // the state, where it has been printed
}

// Resource is one resource block.
type Resource struct {
	Addr tfaddr.Resource
	Body *tfconfig.Body
	// Comment stands above the block; it may be "".
	Comment string

	text []byte // the block, where it has been printed
}

// Variable is one input variable. The values of sensitive ones, and of
// stand-ins, go to the secrets file; others are defaults.
type Variable struct {
	Name        string
	Description string
	Type        cty.Type
	Sensitive   bool
	// StandIn says that Value only holds a place: the provider cannot read
	// the real one.
	StandIn bool
	// Import says that import blocks refer to it, which the tools refuse for what
	// is declared sensitive.
	Import bool
	// Guarded says that Value is private although it is not sensitive, since a
	// secret of another owner's is in it.
	Guarded bool
	// FilledIn says that Value is the real one after all: the user's.
	FilledIn bool
	// Value is known; cty.NilVal leaves it to the user.
	Value cty.Value
}

// Import is one import block: by its ID where it has one, since every
// version of the tools that knows import blocks knows ids, else by Identity.
type Import struct {
	To       tfaddr.Resource
	ID       string
	Identity cty.Value
	// Variables name the variables that stand for what tells a secret of the
	// object, by the attribute of the identity, or by [ImportID].
	Variables map[string]string
}

// ImportID is for [Import.Variables]: no attribute is called so.
const ImportID = ""

// The files that are always called so. The rest are named after what is in
// them.
const (
	VersionsFile  = "versions.tf"
	ProvidersFile = "providers.tf"
	VariablesFile = "variables.tf"
	ImportsFile   = "imports.tf"
	SecretsFile   = "secrets.auto.tfvars"
	StateFile     = "terraform.tfstate"
	BackupFile    = StateFile + ".backup" // as the clients call it, and replace it at every apply
	ReportFile    = "report.json"
	IgnoreFile    = ".gitignore"
)

const (
	modePublic  = 0o644
	modePrivate = 0o600
)

// Files lays out m. The same module gives the same bytes, whatever the order
// of its lists. The tree is nil beside errors.
func Files(m Module) (*outtree.Tree, diag.List) {
	m = m.named()
	b := &builder{tree: &outtree.Tree{}}
	b.config(VersionsFile, versions(m))
	b.config(ProvidersFile, provider(m))
	for _, f := range layOut(m) {
		b.add(f.name, f.text, modePublic)
	}
	if len(m.Variables) > 0 {
		b.config(VariablesFile, variables(m.Variables))
	}
	if body := secrets(m.Variables); body != nil {
		b.add(SecretsFile, tfconfig.PrintBody(body), modePrivate)
	}
	if len(m.Imports) > 0 {
		b.config(ImportsFile, imports(m.Imports))
		if n := m.secretImports(); n > 0 {
			b.diags = append(b.diags, secretImports(n))
		}
	}
	b.state(m)
	if err := b.tree.AddOptional(IgnoreFile, []byte(ignored(m)), modePublic, b.unignored()); err != nil {
		b.fault(err)
	}
	b.report(m)
	if b.diags.HasErrors() {
		return nil, b.diags
	}
	return b.tree, b.diags
}

// unignored says what git would take in without our file.
func (b *builder) unignored() string {
	var private []string
	for _, f := range b.tree.Files() {
		if f.Mode == modePrivate {
			private = append(private, f.Path)
		}
	}
	if private == nil {
		return ""
	}
	return "What may hold secrets can be committed by accident until git ignores it: " + strings.Join(private, ", ") + "."
}

// ignored keeps out of git what may hold secrets or belongs to one machine.
// Import blocks are what everybody needs who has no state.
func ignored(m Module) string {
	const always = `# Written by Formation. These files may hold secrets, or belong to one machine.
.terraform/
.formation/
*.tfstate
*.tfstate.*
*.tfvars
*.tfvars.json
crash.log
crash.*.log
`
	if m.State != nil && len(m.Imports) > 0 {
		return always + ImportsFile + "\n"
	}
	return always
}

// secretImports counts the import blocks that import by secrets.
func (m Module) secretImports() int {
	n := 0
	for _, i := range m.Imports {
		if len(i.Variables) > 0 {
			n++
		}
	}
	return n
}

// Claims is for outtree.Options: a directory with configuration, variable
// values or state that was not written here is somebody else's, since the
// tools would read it together with ours; so is one with a report.
func Claims(name string) bool {
	if name == ReportFile {
		return true
	}
	for _, ext := range []string{".tf", ".tf.json", ".tofu", ".tofu.json", ".tfvars", ".tfvars.json", ".tfstate"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

func (m Module) named() Module {
	if m.ProviderLocalName == "" {
		m.ProviderLocalName = LocalName(m.Provider, m.types())
	}
	return m
}

func (m Module) types() []string {
	var out []string
	for _, r := range m.Resources {
		out = append(out, r.Addr.Type)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// builder gathers files and what went wrong with them.
type builder struct {
	tree  *outtree.Tree
	diags diag.List
}

func (b *builder) add(name string, data []byte, mode fs.FileMode) {
	if err := b.tree.Add(name, data, mode); err != nil {
		b.fault(err)
	}
}

func (b *builder) fault(err error) {
	b.diags = append(b.diags, diag.FromError("WR0001", "Cannot lay out the module", err)...)
}

func (b *builder) config(name string, blocks []*tfconfig.Block) {
	b.add(name, tfconfig.Print(blocks), modePublic)
}

func (b *builder) state(m Module) {
	if m.State == nil {
		return
	}
	data := m.stateText
	if data == nil {
		var err error
		if data, err = tfstate.Encode(m.State); err != nil {
			b.diags = append(b.diags, unencodable(StateFile, err))
			return
		}
	}
	b.add(StateFile, data, modePrivate)
}

func (b *builder) report(m Module) {
	report := m.FinalReport()
	report.Files = digests(b.tree)
	data, err := report.Encode()
	if err != nil {
		b.diags = append(b.diags, unencodable(ReportFile, err))
		return
	}
	b.add(ReportFile, sealed(data), modePublic)
}
