package discover

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
)

// importBlocks takes in one configuration file with import blocks.
func (in *intake) importBlocks(name string, r io.Reader) {
	if src, ok := in.whole(name, r); ok {
		in.importFiles(filepath.Dir(name), map[string][]byte{name: src})
	}
}

// whole reads all of an inventory whose format cannot be taken in piece by
// piece. It is false after a fault.
func (in *intake) whole(name string, r io.Reader) ([]byte, bool) {
	src, err := io.ReadAll(io.LimitReader(r, maxWhole+1))
	if err == nil && len(src) > maxWhole {
		err = errors.New("a JSON array or a file of import blocks may have 32 MiB; use JSON lines for more")
	}
	if err != nil {
		in.fault(unreadableInventory(name, err))
	}
	return src, err == nil
}

// directory takes in the import blocks of every configuration file of one
// directory, which share variables and locals.
func (in *intake) directory(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		in.fault(unreadableInventory(dir, err))
		return
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if e.IsDir() || !isBlocksFile(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		src, err := os.ReadFile(path)
		if err == nil && len(src) > maxWhole {
			err = errors.New("it has more than 32 MiB")
		}
		if err != nil {
			in.fault(unreadableInventory(path, err))
			continue
		}
		files[path] = src
	}
	in.importFiles(dir, files)
}

// importFiles takes in files that belong to one directory.
func (in *intake) importFiles(dir string, files map[string][]byte) {
	ev := newEvaluator(dir)
	var imports []*hcl.Block
	for _, name := range sortedNames(files) {
		body, diags := ParseBody(codeSyntax, name, files[name])
		in.faultAll(diags)
		if body == nil {
			continue
		}
		content, _, hclDiags := body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{ // other blocks are none of its business
			{Type: "import"}, {Type: "variable", LabelNames: []string{"name"}}, {Type: "locals"},
		}})
		in.faultAll(diag.FromHCL(codeSyntax, hclDiags))
		for _, block := range content.Blocks {
			switch block.Type {
			case "import":
				imports = append(imports, block)
			case "variable":
				in.faultAll(ev.declareVariable(block))
			case "locals":
				in.faultAll(ev.declareLocals(block))
			}
		}
	}
	for _, block := range imports {
		in.importBlock(ev, block)
	}
}

// faultAll records what a callee reported, warnings included.
func (in *intake) faultAll(diags diag.List) {
	for _, d := range diags {
		if d.Severity == diag.Error {
			in.fault(d)
		} else {
			in.diags = append(in.diags, d)
		}
	}
}

func (in *intake) importBlock(ev *evaluator, block *hcl.Block) {
	content, hclDiags := block.Body.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "to", Required: true}, {Name: "id"}, {Name: "identity"}, {Name: "for_each"}, {Name: "provider"},
	}})
	in.faultAll(diag.FromHCL(codeSyntax, hclDiags))
	if hclDiags.HasErrors() {
		return
	}
	if expr := exprOf(content, "provider"); expr != nil {
		mine, diags := isMine(in.localName, "import block", expr)
		in.faultAll(diags)
		if !mine {
			return
		}
	}
	instances, diags := ev.repetitions(nil, exprOf(content, "for_each"))
	in.faultAll(diags)
	for _, instance := range instances {
		e, diags := ev.importEntry(content.Attributes, instance.vars)
		in.faultAll(diags)
		if !diags.HasErrors() {
			e.at = block.DefRange
			in.add(e)
		}
	}
}

// importEntry evaluates one instance of an import block.
func (ev *evaluator) importEntry(attrs hcl.Attributes, vars map[string]cty.Value) (entry, diag.List) {
	target, diags := ev.target(attrs["to"].Expr, vars)
	e := entry{typeName: target.typeName, name: target.name}
	if attr, ok := attrs["id"]; ok {
		v, more := ev.value(attr.Expr, vars)
		diags = append(diags, more...)
		v = ctyx.Unmark(v)
		s, err := convert.Convert(v, cty.String)
		if !more.HasErrors() && (err != nil || s.IsNull() || !s.IsKnown() || s.AsString() == "") {
			diags = append(diags, badImportID(attr.Expr.Range()))
		} else if !more.HasErrors() {
			e.id = s.AsString()
		}
	}
	if attr, ok := attrs["identity"]; ok {
		v, more := ev.value(attr.Expr, vars)
		diags = append(diags, more...)
		v = ctyx.Unmark(v)
		if !more.HasErrors() && (v.IsNull() || !v.IsKnown() || !(v.Type().IsObjectType() || v.Type().IsMapType())) {
			diags = append(diags, badImportIdentity(attr.Expr.Range()))
		} else if !more.HasErrors() {
			e.identity = v.AsValueMap()
			if e.identity == nil {
				e.identity = map[string]cty.Value{}
			}
		}
	}
	return e, diags
}

// target is the address of an import block's `to`.
type target struct{ typeName, name string }

// target reads `aws_vpc.main`, `aws_vpc.main["a"]` or `aws_vpc.main[each.key]`.
// A module path before it is reported and left out, since everything is
// written into one module.
func (ev *evaluator) target(expr hcl.Expression, vars map[string]cty.Value) (target, diag.List) {
	path, key, diags := ev.address(expr, vars)
	if diags.HasErrors() {
		return target{}, diags
	}
	modules := 0
	for len(path) >= 2 && path[0] == "module" {
		path = path[2:]
		modules++
	}
	if len(path) != 2 || path[0] == "data" {
		return target{}, append(diags, badImportTarget(expr.Range()))
	}
	if modules > 0 {
		diags = append(diags, moduleLeftOut(expr.Range(), path[0]+"."+path[1]))
	}
	name := path[1]
	if key != "" {
		name += "_" + key
	}
	return target{typeName: path[0], name: name}, diags
}

// address splits a resource address into its names and the key of the
// resource instance, keys of modules being left out.
func (ev *evaluator) address(expr hcl.Expression, vars map[string]cty.Value) (path []string, key string, diags diag.List) {
	if indexed, ok := expr.(*hclsyntax.IndexExpr); ok {
		path, _, diags = ev.address(indexed.Collection, vars)
		if diags.HasErrors() {
			return nil, "", diags
		}
		v, more := ev.value(indexed.Key, vars)
		diags = append(diags, more...)
		v = ctyx.Unmark(v)
		s, err := convert.Convert(v, cty.String)
		if !more.HasErrors() && (err != nil || s.IsNull() || !s.IsKnown()) {
			return nil, "", append(diags, badImportTarget(expr.Range()))
		}
		if more.HasErrors() {
			return nil, "", diags
		}
		return path, s.AsString(), diags
	}
	traversal, hclDiags := hcl.AbsTraversalForExpr(expr)
	if hclDiags.HasErrors() {
		return nil, "", diag.List{badImportTarget(expr.Range())}
	}
	path = []string{traversal.RootName()}
	for _, step := range traversal[1:] {
		switch step := step.(type) {
		case hcl.TraverseAttr:
			path, key = append(path, step.Name), ""
		case hcl.TraverseIndex:
			if s, err := convert.Convert(step.Key, cty.String); err == nil && !s.IsNull() && s.IsKnown() {
				key = s.AsString()
			}
		default:
			return nil, "", diag.List{badImportTarget(expr.Range())}
		}
	}
	return path, key, nil
}
