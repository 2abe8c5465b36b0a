package tfprovider

import (
	"context"
	"errors"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// blockType returns the type of values of one schema.
func (c *client) blockType(ctx context.Context, kind tfschema.Kind, name string) (cty.Type, diag.List) {
	catalog, diags := c.Schema(ctx)
	if diags.HasErrors() {
		return cty.NilType, diags
	}
	schema, err := catalog.Schema(kind, name)
	var unknown *tfschema.UnknownTypeError
	switch {
	case errors.As(err, &unknown):
		return cty.NilType, append(diags, unknownType(err))
	case err != nil:
		return cty.NilType, append(diags, malformed(c.name, "GetProviderSchema", err))
	}
	return schema.Block.ImpliedType(), diags
}

// resourceTypes returns the types of a resource's state and identity; the
// latter is cty.NilType where the resource has none.
func (c *client) resourceTypes(ctx context.Context, name string) (state, identity cty.Type, diags diag.List) {
	state, diags = c.blockType(ctx, tfschema.KindResource, name)
	if diags.HasErrors() {
		return cty.NilType, cty.NilType, diags
	}
	catalog, _ := c.Schema(ctx)
	schema, err := catalog.Identity(name)
	if err != nil {
		return cty.NilType, cty.NilType, append(diags, malformed(c.name, "GetResourceIdentitySchemas", err))
	}
	if schema == nil {
		return state, cty.NilType, diags
	}
	return state, schema.Type(), diags
}

// encode puts a value on the wire; cty.NilVal becomes a null of type ty.
func (c *client) encode(what string, v cty.Value, ty cty.Type) (*wire.DynamicValue, diag.List) {
	if v == cty.NilVal {
		v = cty.NullVal(ty)
	}
	data, err := ctyx.EncodeMsgpack(v, ty)
	if err != nil {
		return nil, diag.List{unsendable(c.name, what, err)}
	}
	return &wire.DynamicValue{Msgpack: data}, nil
}

// encodeIdentity is encode for identities, which are left out when absent.
func (c *client) encodeIdentity(v cty.Value, ty cty.Type) (*wire.ResourceIdentityData, diag.List) {
	if v == cty.NilVal || v.IsNull() || ty == cty.NilType {
		return nil, nil
	}
	data, diags := c.encode("the resource identity", v, ty)
	return &wire.ResourceIdentityData{IdentityData: data}, diags
}

// decode takes a value off the wire. An absent one is a null of type ty.
func (c *client) decode(rpc string, v *wire.DynamicValue, ty cty.Type) (cty.Value, diag.List) {
	out, err := decodeDynamic(v, ty)
	if err != nil {
		return cty.NilVal, diag.List{malformed(c.name, rpc, err)}
	}
	return out, nil
}

func decodeDynamic(v *wire.DynamicValue, ty cty.Type) (cty.Value, error) {
	switch {
	case len(v.GetMsgpack()) > 0:
		return ctyx.DecodeMsgpack(v.GetMsgpack(), ty)
	case len(v.GetJson()) > 0:
		return ctyx.DecodeJSON(v.GetJson(), ty)
	default:
		return cty.NullVal(ty), nil
	}
}

// known reports whether a value is known to have no unknown values.
func known(v *wire.DynamicValue) bool { return ctyx.KnownMsgpack(v.GetMsgpack()) }

// decodeIdentity is decode for identities: absent ones are cty.NilVal.
func (c *client) decodeIdentity(rpc string, v *wire.ResourceIdentityData, ty cty.Type) (cty.Value, diag.List) {
	if v.GetIdentityData() == nil || ty == cty.NilType {
		return cty.NilVal, nil
	}
	out, diags := c.decode(rpc, v.GetIdentityData(), ty)
	if diags.HasErrors() || out.IsNull() {
		return cty.NilVal, diags
	}
	return out, diags
}

// said converts the provider's own diagnostics about a value of type ty.
func (c *client) said(in []*wire.Diagnostic, ty cty.Type) diag.List {
	var out diag.List
	for _, d := range in {
		path, err := attributePath(d.GetAttribute())
		if err != nil { // a path we cannot read must not cost the message
			path = nil
		}
		severity := diag.Error
		if d.GetSeverity() == wire.Diagnostic_WARNING {
			severity = diag.Warning
		}
		summary := printable(d.GetSummary())
		if summary == "" {
			summary = "Provider " + c.name + " gave no reason"
		}
		out = append(out, &diag.Diagnostic{
			Severity: severity, Code: CodeProvider,
			Summary: summary, Detail: printable(d.GetDetail()), Path: ctyx.HideSetElements(path, ty),
		})
	}
	return out
}

// attributePath reads a path. Elements of sets have no step of their own on
// the wire: most providers end the path at the set, and some put a string or
// number of the set in the place of a key.
func attributePath(p *wire.AttributePath) (cty.Path, error) {
	var out cty.Path
	for _, step := range p.GetSteps() {
		switch s := step.GetSelector().(type) {
		case *wire.AttributePath_Step_AttributeName:
			out = out.GetAttr(s.AttributeName)
		case *wire.AttributePath_Step_ElementKeyString:
			out = out.IndexString(s.ElementKeyString)
		case *wire.AttributePath_Step_ElementKeyInt:
			out = out.Index(cty.NumberIntVal(s.ElementKeyInt))
		default:
			return nil, errors.New("attribute path with an unknown kind of step")
		}
	}
	return out, nil
}

func (c *client) attributePaths(rpc string, in []*wire.AttributePath) ([]cty.Path, diag.List) {
	out, err := each(in, attributePath)
	if err != nil {
		return nil, diag.List{malformed(c.name, rpc, err)}
	}
	return slices.Clip(out), nil
}

func deferReason(d *wire.Deferred) DeferReason {
	if d == nil {
		return ""
	}
	switch d.GetReason() {
	case wire.Deferred_RESOURCE_CONFIG_UNKNOWN:
		return DeferredResourceConfig
	case wire.Deferred_PROVIDER_CONFIG_UNKNOWN:
		return DeferredProviderConfig
	case wire.Deferred_ABSENT_PREREQ:
		return DeferredAbsentPrereq
	default:
		return DeferredUnknownReason
	}
}

// each converts a list, stopping at the first error.
func each[In, Out any](in []In, convert func(In) (Out, error)) ([]Out, error) {
	out := make([]Out, 0, len(in))
	for _, v := range in {
		converted, err := convert(v)
		if err != nil {
			return nil, err
		}
		out = append(out, converted)
	}
	return out, nil
}
