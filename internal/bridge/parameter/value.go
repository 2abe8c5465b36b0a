package parameter

import (
	"encoding/json"
	"errors"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// value is the parameter in a generated SDK. Its JSON is that of Pulumi's own
// bridge, so that the SDKs of either work with the other.
type value struct {
	Remote       *remoteValue `json:"remote,omitempty"`
	Local        *localValue  `json:"local,omitempty"`
	Includes     []string     `json:"includes,omitempty"`
	Excludes     []string     `json:"excludes,omitempty"`
	ProviderName string       `json:"providerName,omitempty"`
}

type remoteValue struct {
	URL     string `json:"url"`
	Version string `json:"version"`
}

type localValue struct {
	Path string `json:"path"`
}

// Value is p as a generated SDK holds it: JSON, always the same bytes.
func (p Parameter) Value() []byte {
	v := value{Includes: p.Includes, Excludes: p.Excludes, ProviderName: p.ProviderName}
	if p.Path != "" {
		v.Local = &localValue{Path: p.Path}
	} else {
		v.Remote = &remoteValue{URL: p.Provider.String(), Version: p.Version}
	}
	out, _ := json.Marshal(v) // strings always have a JSON form
	return out
}

// ParseValue reads what [Parameter.Value] wrote, or Pulumi's own bridge.
// Members that it does not know are let pass. A path is relative to workDir:
// SDKs of the other bridge may hold such. Errors are diagnostics.
func ParseValue(data []byte, workDir string) (Parameter, error) {
	var v value
	if err := json.Unmarshal(data, &v); err != nil {
		return Parameter{}, badValue(err)
	}
	p := Parameter{Includes: names(v.Includes), Excludes: names(v.Excludes), ProviderName: v.ProviderName}
	switch {
	case v.Remote != nil && v.Local != nil:
		return Parameter{}, badValue(errors.New("it names both a registry's provider and a local one"))
	case v.Remote != nil:
		if err := p.locateExactly(v.Remote); err != nil {
			return Parameter{}, badValue(err)
		}
	case v.Local != nil && v.Local.Path != "":
		if err := p.locateFile(v.Local.Path, workDir); err != nil {
			return Parameter{}, err
		}
	default:
		return Parameter{}, badValue(errors.New("it names no provider"))
	}
	return p, p.check()
}

// locateExactly takes a provider of a registry and its one version.
func (p *Parameter) locateExactly(remote *remoteValue) error {
	var err error
	if p.Provider, err = tfaddr.ParseProvider(remote.URL); err != nil {
		return err
	}
	version, err := versions.ParseVersion(constraint(remote.Version))
	if err != nil {
		return err
	}
	p.Version = version.String()
	return nil
}
