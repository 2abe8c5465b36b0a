package project

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// ProviderState is a provider resource of a stack: which plugin it runs.
type ProviderState struct {
	URN string
	// Package is the package that it provides.
	Package string
	// Plugin is the plugin's name, and Version its version; or "" for any.
	Plugin, Version string
	// DownloadURL is where to download the plugin from; or "".
	DownloadURL string
	// Checksums map "os-arch" to the SHA-256 of the plugin's archive; or nil.
	Checksums map[string][]byte
	// Parameterization turns the plugin into the package; or nil.
	Parameterization *Parameter
}

// LoadDeployment is [ReadDeployment] of a file.
func LoadDeployment(path string) ([]ProviderState, diag.List) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.List{unreadable(path, err)}
	}
	return ReadDeployment(path, src)
}

// ReadDeployment lists the providers in an exported stack, in its order, and
// in a checkpoint as file backends keep it. A provider that cannot be read is
// left out and named in a warning. Nothing else is read, so that no secret is.
func ReadDeployment(path string, src []byte) ([]ProviderState, diag.List) {
	var stack exportedStack
	if err := json.Unmarshal(src, &stack); err != nil {
		return nil, diag.List{badDeployment(path, err)}
	}
	if stack.Deployment == nil && stack.Checkpoint == nil {
		return nil, diag.List{badDeployment(path, errors.New("it has no \"deployment\""))}
	}
	var providers []ProviderState
	var diags diag.List
	for _, resource := range stack.resources() {
		name, ok := strings.CutPrefix(resource.Type, providerType)
		if !ok {
			continue
		}
		state, err := resource.provider(name)
		if err != nil {
			diags = append(diags, badProviderState(resource.URN, err.Error()))
			continue
		}
		providers = append(providers, state)
	}
	return providers, diags
}

// providerType begins the type of provider resources; a package follows.
const providerType = "pulumi:providers:"

type exportedStack struct {
	Deployment *snapshot `json:"deployment"`
	Checkpoint *struct {
		Latest *snapshot `json:"latest"`
	} `json:"checkpoint"`
}

type snapshot struct {
	Resources []resourceState `json:"resources"`
}

type resourceState struct {
	URN  string `json:"urn"`
	Type string `json:"type"`
	// Inputs are decoded for providers only.
	Inputs json.RawMessage `json:"inputs"`
}

func (s exportedStack) resources() []resourceState {
	switch {
	case s.Deployment != nil:
		return s.Deployment.Resources
	case s.Checkpoint.Latest != nil:
		return s.Checkpoint.Latest.Resources
	}
	return nil
}

// properties are inputs of a provider resource.
type properties map[string]json.RawMessage

// provider reads what the engine keeps about a plugin: below "__internal", or
// in old states among the provider's own inputs.
func (r resourceState) provider(name string) (ProviderState, error) {
	s := ProviderState{URN: r.URN, Package: name, Plugin: name}
	var inputs properties
	if err := decodeOptional(r.Inputs, &inputs); err != nil {
		return s, errors.New("its inputs are not an object")
	}
	internal := inputs
	if raw, ok := inputs["__internal"]; ok {
		internal = nil
		if err := decodeOptional(raw, &internal); err != nil {
			return s, errors.New("its \"__internal\" is not an object")
		}
	}
	return s, errors.Join(
		internal.text("name", &s.Plugin),
		internal.text("pluginDownloadURL", &s.DownloadURL),
		s.readVersions(inputs, internal),
		s.readChecksums(internal),
	)
}

func decodeOptional(raw json.RawMessage, into any) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, into)
}

// text reads a property, where there is one, into a string.
func (p properties) text(name string, into *string) error {
	raw, ok := p[name]
	if !ok {
		return nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil || text == "" {
		return fmt.Errorf("its %q is not text", name)
	}
	*into = text
	return nil
}

// readVersions tells the plugin's version from the package's: the root has the
// package's, and a parameterized plugin keeps its own below "__internal".
func (s *ProviderState) readVersions(inputs, internal properties) error {
	var value string
	if err := internal.text("parameterization", &value); err != nil || value == "" {
		return errors.Join(err, inputs.text("version", &s.Version))
	}
	decoded, err := base64.StdEncoding.DecodeString(value)
	if err != nil {
		return errors.New("its \"parameterization\" is not base64")
	}
	s.Parameterization = &Parameter{Name: s.Package, Value: decoded}
	err = errors.Join(internal.text("version", &s.Version), inputs.text("version", &s.Parameterization.Version))
	if err == nil && s.Parameterization.Version == "" {
		err = errors.New("it is parameterized and has no \"version\"")
	}
	return err
}

func (s *ProviderState) readChecksums(internal properties) error {
	var sums map[string]string
	if err := decodeOptional(internal["pluginChecksums"], &sums); err != nil {
		return errors.New("its \"pluginChecksums\" are not an object of texts")
	}
	for platform, text := range sums {
		sum, err := hex.DecodeString(text)
		if err != nil || len(sum) != 32 {
			return fmt.Errorf("its checksum for %s is not a SHA-256 in hexadecimal", platform)
		}
		if s.Checksums == nil {
			s.Checksums = map[string][]byte{}
		}
		s.Checksums[platform] = sum
	}
	return nil
}
