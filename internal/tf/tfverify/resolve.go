package tfverify

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// declared says what is wrong with a reference in a module, nil for nothing,
// where only the names in it count. What each, count and self mean depends on
// the block that they are in.
func declared(t *tfconfig.Tree, ref tflang.Reference) *diag.Diagnostic {
	m := t.Module
	switch {
	case ref.Kind == tflang.KindVariable && m.Variables[ref.Name] == nil:
		return undeclared("variable", ref.String(), ref.Range)
	case ref.Kind == tflang.KindLocal && m.Locals[ref.Name] == nil:
		return undeclared("local value", ref.String(), ref.Range)
	case ref.Kind == tflang.KindResource && m.Resources[ref.Resource] == nil:
		return undeclared("resource", ref.String(), ref.Range)
	case ref.Kind == tflang.KindEphemeral && m.Ephemerals[ref.Resource] == nil:
		return undeclared("ephemeral resource", ref.String(), ref.Range)
	case ref.Kind == tflang.KindModule:
		return declaredModule(t, ref)
	}
	return nil
}

func declaredModule(t *tfconfig.Tree, ref tflang.Reference) *diag.Diagnostic {
	child := t.Children[ref.Name]
	if t.Module.Calls[ref.Name] == nil || child == nil {
		return undeclared("module", ref.String(), ref.Range)
	}
	if name := outputName(ref); name != "" && child.Module != nil && child.Module.Outputs[name] == nil {
		return undeclared("module output", ref.String()+"."+name, ref.Range)
	}
	return nil
}

// placeholder answers a reference in what is never evaluated: only that it is
// well formed counts, so that its values are not known.
func (f frame) placeholder(ref tflang.Reference) (cty.Value, *diag.Diagnostic) {
	switch ref.Kind {
	case tflang.KindPath, tflang.KindTerraform:
		return f.world(ref)
	case tflang.KindVariable:
		if f.m.config.Variables[ref.Name].Ephemeral {
			return cty.DynamicVal.Mark(tflang.Ephemeral), nil
		}
	}
	return cty.DynamicVal, nil
}

// scope is a place in a module: what can be referred to there beside what
// the module declares.
type scope struct {
	tree        *tfconfig.Tree
	count, each bool
	self        *tfconfig.ResourceBlock // what "self" is, or nil
	extra       *tfconfig.ResourceBlock // a data source that only this place sees, or nil
}

// fault says what is wrong with the names in a reference, nil for nothing.
func (s scope) fault(ref tflang.Reference) *diag.Diagnostic {
	switch {
	case ref.Kind == tflang.KindCount && !(s.count && ref.Name == "index"),
		ref.Kind == tflang.KindEach && !(s.each && (ref.Name == "key" || ref.Name == "value")):
		return repetitionOutside(ref.String(), ref.Range)
	case ref.Kind == tflang.KindSelf && s.self == nil:
		return undeclared("object", "self", ref.Range)
	case s.extra != nil && ref.Kind == tflang.KindResource && ref.Resource == s.extra.Addr:
		return nil
	}
	return declared(s.tree, ref)
}

// block is the resource that a reference without faults leads to, or nil, and
// what follows its name.
func (s scope) block(ref tflang.Reference) (*tfconfig.ResourceBlock, hcl.Traversal) {
	switch {
	case ref.Kind == tflang.KindSelf:
		return s.self, ref.Rest
	case ref.Kind != tflang.KindResource:
		return nil, nil
	case s.extra != nil && ref.Resource == s.extra.Addr:
		return s.extra, ref.Rest
	}
	return s.tree.Module.Resources[ref.Resource], ref.Rest
}

// keyFault says what is wrong with the instance key that a reference has, or
// has not. It returns what comes after it. A reference to all instances has
// none.
func keyFault(ref tflang.Reference, res *tfconfig.ResourceBlock, rest hcl.Traversal) (hcl.Traversal, *diag.Diagnostic) {
	repeated := res.Count != nil || res.ForEach != nil
	if _, key := rest[0].(hcl.TraverseIndex); key {
		if !repeated {
			return nil, unexpectedKey(ref.String(), ref.Range)
		}
		return rest[1:], nil
	}
	if repeated {
		return nil, missingKey(ref.String(), ref.Range)
	}
	return rest, nil
}

// pathFaults says where a relative traversal leaves a schema.
func pathFaults(block *tfschema.Block, path hcl.Traversal) diag.List {
	if len(path) == 0 {
		return nil
	}
	if _, name := path[0].(hcl.TraverseAttr); !name {
		return diag.List{noAttribute(path[0].SourceRange())}
	}
	_, diags := path.TraverseRel(cty.UnknownVal(block.ImpliedType()))
	return tflang.FromHCL(diags)
}
