package tfverify

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// remoteStateType is the data source that Terraform itself implements: the
// outputs of another state. Where the local backend keeps that, it is read.
const remoteStateType = "terraform_remote_state"

func remoteStateSchema() *tfschema.Schema {
	return &tfschema.Schema{Block: &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "backend", Type: cty.String, Required: true},
		{Name: "config", Type: cty.DynamicPseudoType, Optional: true},
		{Name: "defaults", Type: cty.DynamicPseudoType, Optional: true},
		{Name: "outputs", Type: cty.DynamicPseudoType, Computed: true},
		{Name: "workspace", Type: cty.String, Optional: true},
	}}}
}

// isBuiltin reports whether the client's own provider has a block's type, and
// that type is worked out here.
func isBuiltin(addr tfaddr.Resource) bool {
	if addr.Mode == tfaddr.Data {
		return addr.Type == remoteStateType
	}
	return addr.Type == dataType
}

// stateElsewhere names a state that is not looked for: other backends need
// what only clients have, and so do keys that states are encrypted with.
func (i *instance) stateElsewhere() *diag.Diagnostic {
	if !tfconfig.IsBuiltin(i.provider.address) {
		return nil
	}
	backend := ctyx.Unmark(i.config.GetAttr("backend"))
	if !backend.IsKnown() || isLocal(backend) && i.m.v.tree.Module.Encryption == nil {
		return nil
	}
	return remoteStateGap(i.res.Addr.Type, i.res.Range)
}

func isLocal(backend cty.Value) bool {
	return backend.IsKnown() && !backend.IsNull() && backend.AsString() == "local"
}

// ValidateDataSourceConfig holds what is known to what the backend takes.
func (b *builtin) ValidateDataSourceConfig(_ context.Context, _ string, config cty.Value) diag.List {
	backend := config.GetAttr("backend")
	if !backend.IsKnown() || backend.IsNull() {
		return nil
	}
	if name := backend.AsString(); name != "local" {
		if name != "_local" && !slices.Contains(backends(), name) { // that is what it was called once
			return diag.List{remoteStateSetting("backend", "there is none of the type "+strconv.Quote(name)).On(cty.GetAttrPath("backend"))}
		}
		return nil
	}
	var diags diag.List
	for _, name := range []string{"config", "defaults"} {
		v := config.GetAttr(name)
		if ty := v.Type(); !v.IsNull() && ty != cty.DynamicPseudoType && !ty.IsObjectType() && !ty.IsMapType() {
			diags = append(diags, remoteStateSetting(name, "it must be an object").On(cty.GetAttrPath(name)))
		}
	}
	if settings := config.GetAttr("config"); len(diags) == 0 && settings.IsWhollyKnown() {
		_, diags = remoteLocal(settings)
	}
	return diags
}

// remoteLocal is the configuration of a local backend that a value has.
func remoteLocal(settings cty.Value) (backend localBackend, diags diag.List) {
	if settings.IsNull() {
		return backend, nil
	}
	fields := map[string]*string{"path": &backend.Path, "workspace_dir": &backend.WorkspaceDir}
	values := settings.AsValueMap()
	for _, name := range sortedKeys(values) {
		field, path := fields[name], cty.GetAttrPath("config").GetAttr(name)
		if field == nil {
			diags = append(diags, remoteStateSetting("config", "the local backend has no "+name).On(path))
			continue
		}
		text, err := convert.Convert(values[name], cty.String)
		switch {
		case err != nil:
			diags = append(diags, remoteStateSetting("config", name+" must be a string").On(path))
		case text.IsNull():
		case text.AsString() == "":
			diags = append(diags, remoteStateSetting("config", name+" is empty").On(path))
		default:
			*field = text.AsString()
		}
	}
	return backend, diags
}

// ReadDataSource reads the outputs of a state that a local backend has, and
// takes the defaults of those that it has not. Source: OpenTofu 1.12.6,
// internal/builtin/providers/tf.
func (b *builtin) ReadDataSource(_ context.Context, req tfprovider.ReadDataRequest) (tfprovider.ReadResponse, diag.List) {
	config := req.Config.AsValueMap()
	backend, diags := remoteLocal(config["config"])
	if diags.HasErrors() {
		return tfprovider.ReadResponse{}, diags
	}
	workspace := defaultWorkspace
	if v := config["workspace"]; !v.IsNull() {
		workspace = cmp.Or(v.AsString(), defaultWorkspace)
	}
	state, diags := otherState(backend.statePath(b.dir, workspace), workspace)
	if diags.HasErrors() {
		return tfprovider.ReadResponse{}, diags
	}
	outputs := map[string]cty.Value{}
	if defaults := config["defaults"]; !defaults.IsNull() {
		maps.Copy(outputs, defaults.AsValueMap())
	}
	for name, out := range state.Outputs {
		value, err := out.Decode()
		if err != nil {
			return tfprovider.ReadResponse{}, append(diags, unreadableOutput(name, err))
		}
		outputs[name] = value
	}
	config["outputs"] = cty.ObjectVal(outputs)
	return tfprovider.ReadResponse{State: cty.ObjectVal(config), Identity: cty.NilVal}, diags
}

// otherState reads a state file, which must be there.
func otherState(path, workspace string) (*tfstate.State, diag.List) {
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(text) == 0:
		return nil, diag.List{noOtherState(workspace)}
	case err != nil:
		return nil, diag.List{unreadableState(err)}
	}
	return tfstate.Decode(text, path)
}
