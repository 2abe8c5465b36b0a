package tfverify

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// stateFile is the local backend's file name, and what init calls its note of
// the backend that it set up.
const stateFile = "terraform.tfstate"

// backendNote is what init noted of the backend: what is written in the
// module, completed by its -backend-config.
type backendNote struct {
	Type   string
	Config json.RawMessage
	// Hash tells whether what is written is still the same.
	Hash uint64
}

// loadBackendNote reads what init noted, if anything.
func loadBackendNote(path string) (backendNote, diag.List) {
	var file struct{ Backend backendNote }
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return backendNote{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		return backendNote{}, diag.List{unreadableNote(path, err)}
	}
	return file.Backend, nil
}

// localState is where the local backend keeps the state of the workspace.
// Where init set a backend up, that one counts, as long as the module still
// says the same. Another backend is an error.
func localState(req Request, written *tfconfig.Backend) (path string, diags diag.List) {
	if written != nil && written.Type != "local" {
		return "", diag.List{remoteState(written.Type, written.Range)}
	}
	note, diags := loadBackendNote(req.Options.DataPath(req.Dir, stateFile))
	if diags.HasErrors() {
		return "", diags
	}
	config, diags := localConfig(written)
	switch {
	case diags.HasErrors():
		return "", diags
	case note.Type == "":
	case written == nil || note.Type != "local":
		return "", append(diags, changedBackend(note.Type, written))
	default:
		noted := note.local()
		if note.Hash != configHash(config) && noted != config {
			return "", append(diags, changedBackend(note.Type, written))
		}
		config = noted
	}
	return config.statePath(req.Dir, req.Workspace), diags
}

// checkBackend looks through a backend block, nil for none, also where the
// state is not looked for there.
func checkBackend(written *tfconfig.Backend) diag.List {
	switch {
	case written == nil:
		return nil
	case written.Type == "local":
		_, diags := localConfig(written)
		return diags
	case !slices.Contains(backends(), written.Type):
		return diag.List{unknownBackend(written.Type, written.Range)}
	}
	return nil
}

// backends are the types that a client has. Source: OpenTofu 1.12.6 and
// Terraform 1.11.4, internal/backend/init.
func backends() []string {
	return []string{"cloud", "local", "remote", "azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "oss", "pg", "s3"}
}

// localBackend is the configuration of the local backend.
type localBackend struct {
	Path         string
	WorkspaceDir string `json:"workspace_dir"`
}

// local is the configuration in the note of a local backend. What is no such
// configuration is not what is written either.
func (n backendNote) local() (config localBackend) {
	_ = json.Unmarshal(n.Config, &config)
	return config
}

// localConfig reads the block, nil for none. What it leaves out is "".
func localConfig(written *tfconfig.Backend) (config localBackend, diags diag.List) {
	if written == nil {
		return config, nil
	}
	spec := hcldec.ObjectSpec{}
	for _, name := range []string{"path", "workspace_dir"} {
		spec[name] = &hcldec.AttrSpec{Name: name, Type: cty.String}
	}
	v, hclDiags := hcldec.Decode(written.Config, spec, nil)
	diags = tflang.FromHCL(hclDiags)
	if diags.HasErrors() {
		return config, diags
	}
	for name, field := range map[string]*string{"path": &config.Path, "workspace_dir": &config.WorkspaceDir} {
		if set := v.GetAttr(name); !set.IsNull() && set.IsKnown() { // a syntax error leaves what is not known
			*field = set.AsString()
			if *field == "" {
				diags = append(diags, emptyPath(name, written.Range))
			}
		}
	}
	return config, diags
}

// configHash is what the clients note of the block as it is written. Source:
// OpenTofu 1.12.6, internal/configs/backend.go.
func configHash(config localBackend) uint64 {
	attrs := map[string]cty.Value{"path": cty.StringVal(config.Path), "workspace_dir": cty.StringVal(config.WorkspaceDir)}
	for name, v := range attrs {
		if v.AsString() == "" {
			attrs[name] = cty.NullVal(cty.String)
		}
	}
	return uint64(cty.TupleVal([]cty.Value{cty.StringVal("local"), cty.ObjectVal(attrs)}).Hash())
}

// statePath is where the state of a workspace is. Path is for the default
// workspace alone. Source: OpenTofu 1.12.6, internal/backend/local/backend.go.
func (b localBackend) statePath(dir, workspace string) string {
	path := cmp.Or(b.Path, stateFile)
	if workspace != defaultWorkspace {
		path = filepath.Join(cmp.Or(b.WorkspaceDir, stateFile+".d"), workspace, stateFile)
	}
	return within(dir, path)
}

// within is a path as seen from dir.
func within(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
