package tfconfig

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Options are how configuration is read.
type Options struct {
	// Terraform reads what Terraform reads: .tofu files are left alone. The
	// zero value reads what OpenTofu reads: .tofu files count, and one hides
	// the .tf file of the same name.
	Terraform bool
	// DefaultHost is where provider sources without a host come from; "" is
	// tfaddr.DefaultHost.
	DefaultHost string
	// DataDir is where init leaves what it has found and set up; "" is
	// .terraform in the root module's directory.
	DataDir string
}

// DataPath is the path of a file in the data directory of the root module in
// dir.
func (o Options) DataPath(dir string, elem ...string) string {
	return filepath.Join(append([]string{cmp.Or(o.DataDir, filepath.Join(dir, ".terraform"))}, elem...)...)
}

// File is a configuration file before it is parsed.
type File struct {
	// Name is what ranges call it: the directory as given, and its base name.
	Name string
	Text []byte
}

// LoadModule reads the module in dir: .tf, .tf.json, .tofu and .tofu.json
// files, override files last. The module is usable beside errors: what could
// not be read is left out and named. A directory that cannot be read at all
// gives a nil module. One without files is an error.
func LoadModule(dir string, opts Options) (*Module, diag.List) {
	module, diags := loadModule(dir, opts)
	if module != nil && len(module.Sources) == 0 {
		diags = append(diags, emptyModule(dir))
	}
	return module, diags
}

// loadModule is LoadModule for a module that is called: it may be empty.
func loadModule(dir string, opts Options) (*Module, diag.List) {
	names, diags := configFiles(dir, opts)
	if diags.HasErrors() {
		return nil, diags
	}
	var files []File
	for _, name := range names {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			diags = append(diags, unreadableFile(path, err))
			continue
		}
		files = append(files, File{Name: path, Text: text})
	}
	module, more := ParseModule(dir, files, opts)
	return module, append(diags, more...)
}

// ParseModule makes a module of files in memory. Override files may stand
// anywhere among them.
func ParseModule(dir string, files []File, opts Options) (*Module, diag.List) {
	r := &reader{opts: opts, module: newModule(dir)}
	var overrides []parsedFile
	for _, f := range parallel.Map(context.Background(), runtime.GOMAXPROCS(0), files, parseFile) {
		if f.override {
			overrides = append(overrides, f)
			continue
		}
		r.file(f)
	}
	r.overriding = true
	for _, f := range overrides {
		r.file(f)
	}
	r.finish()
	return r.module, r.diags
}

func newModule(dir string) *Module {
	return &Module{
		Dir: dir, Sources: diag.Sources{},
		Required: map[string]*RequiredProvider{}, ProviderMeta: map[string]hcl.Body{},
		Variables: map[string]*Variable{}, Locals: map[string]*Local{}, Outputs: map[string]*Output{},
		Resources: map[tfaddr.Resource]*ResourceBlock{}, Ephemerals: map[tfaddr.Resource]*ResourceBlock{},
		Calls: map[string]*ModuleCall{}, Checks: map[string]*CheckBlock{},
	}
}

// configFiles lists the names of the files that count, sorted.
func configFiles(dir string, opts Options) ([]string, diag.List) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, diag.List{unreadableDir(dir, err)}
	}
	present := map[string]bool{}
	for _, entry := range entries {
		if name := entry.Name(); !entry.IsDir() && !ignoredName(name) && extension(name) != "" {
			present[name] = true
		}
	}
	var names []string
	for name := range present {
		ext := extension(name)
		isTofu := IsTofuFile(name)
		hidden := !isTofu && present[strings.TrimSuffix(name, ext)+strings.Replace(ext, ".tf", ".tofu", 1)]
		if (opts.Terraform && isTofu) || (!opts.Terraform && hidden) {
			continue
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// extension returns the configuration extension that name ends in, or "".
func extension(name string) string {
	for _, ext := range []string{".tf", ".tf.json", ".tofu", ".tofu.json"} {
		if strings.HasSuffix(name, ext) {
			return ext
		}
	}
	return ""
}

// IsTofuFile reports whether OpenTofu alone reads a configuration file of this
// name.
func IsTofuFile(name string) bool { return strings.HasPrefix(extension(name), ".tofu") }

// Declares reports whether a file of this name is configuration that declares
// what is in it: overrides change what other files declare.
func Declares(name string) bool {
	return extension(name) != "" && !ignoredName(name) && !isOverride(name)
}

// ignoredName tells hidden files and what editors leave behind.
func ignoredName(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") ||
		(strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"))
}

func isOverride(name string) bool {
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, extension(base))
	return base == "override" || strings.HasSuffix(base, "_override")
}

// reader collects a module from files.
type reader struct {
	opts       Options
	module     *Module
	overriding bool
	required   *hcl.Range // the required_providers block that was read
	diags      diag.List
}

func (r *reader) report(d ...*diag.Diagnostic) { r.diags = append(r.diags, d...) }

func (r *reader) hcl(diags hcl.Diagnostics) { r.report(diag.FromHCL(CodeSyntax, diags)...) }

// parsedFile is a file, read as far as that can be done without the others.
type parsedFile struct {
	File
	override bool
	blocks   []parsedBlock
	diags    diag.List
}

// parsedBlock is a block. Resources, which are most of what there is, are read
// as far as a file goes.
type parsedBlock struct {
	*hcl.Block
	named    bool           // its labels are names
	resource *ResourceBlock // nil where it is none, or none that can be read
	diags    diag.List
}

func parseFile(_ context.Context, f File) parsedFile {
	file, diags := hcltext.Parse(f.Text, f.Name)
	out := parsedFile{File: f, override: isOverride(f.Name), diags: diag.FromHCL(CodeSyntax, diags)}
	if file == nil || file.Body == nil {
		return out
	}
	content, diags := file.Body.Content(fileSchema())
	out.diags = append(out.diags, diag.FromHCL(CodeSyntax, diags)...)
	for _, b := range content.Blocks {
		out.blocks = append(out.blocks, parseBlock(b, out.override))
	}
	return out
}

func parseBlock(b *hcl.Block, overriding bool) parsedBlock {
	r := &reader{overriding: overriding}
	out := parsedBlock{Block: b, named: r.named(b)}
	switch b.Type {
	case "resource", "data", "ephemeral":
		if out.named {
			out.resource = r.resource(b)
		}
	}
	out.diags = r.diags
	return out
}

// named reports whether the labels of a block are names.
func (r *reader) named(b *hcl.Block) bool {
	if b.Type == "provider" { // its label is part of an address
		return true
	}
	for i, label := range b.Labels {
		if !hclsyntax.ValidIdentifier(label) {
			r.report(invalidName(label, b.LabelRanges[i]))
			return false
		}
	}
	return true
}

func (r *reader) file(f parsedFile) {
	r.module.Sources[f.Name] = f.Text
	r.report(f.diags...)
	for _, block := range f.blocks {
		r.report(block.diags...)
		if block.named {
			r.block(block)
		}
	}
}

func fileSchema() *hcl.BodySchema {
	labels := map[string][]string{
		"terraform": nil, "locals": nil, "moved": nil, "import": nil, "removed": nil,
		"provider": {"name"}, "variable": {"name"}, "output": {"name"}, "module": {"name"}, "check": {"name"},
		"resource": {"type", "name"}, "data": {"type", "name"}, "ephemeral": {"type", "name"},
		"language": nil,
	}
	schema := &hcl.BodySchema{}
	for _, ty := range sortedNames(labels) {
		schema.Blocks = append(schema.Blocks, hcl.BlockHeaderSchema{Type: ty, LabelNames: labels[ty]})
	}
	return schema
}

func (r *reader) block(parsed parsedBlock) {
	b := parsed.Block
	switch b.Type {
	case "moved", "import", "removed", "check":
		if r.overriding {
			r.report(notOverridable(b.Type+" blocks", b.DefRange))
			return
		}
	}
	switch b.Type {
	case "terraform":
		r.terraformBlock(b)
	case "language":
		r.languageBlock(b)
	case "provider":
		r.providerBlock(b)
	case "variable":
		r.variableBlock(b)
	case "locals":
		r.localsBlock(b)
	case "output":
		r.outputBlock(b)
	case "module":
		r.moduleBlock(b)
	case "resource", "data", "ephemeral":
		r.resourceBlock(parsed)
	case "moved":
		r.movedBlock(b)
	case "import":
		r.importBlock(b)
	case "removed":
		r.removedBlock(b)
	case "check":
		r.checkBlock(b)
	}
}

// finish fills in what only the whole module says.
func (r *reader) finish() {
	for _, ref := range r.providerNames() {
		if r.module.Required[ref.Name] == nil {
			r.module.Required[ref.Name] = r.impliedProvider(ref)
		}
	}
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
