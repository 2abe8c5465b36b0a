package tfprovider

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Reattach says how to reach a provider process that runs already, as
// debuggers offer it in TF_REATTACH_PROVIDERS.
type Reattach struct {
	Protocol        string
	ProtocolVersion int
	Pid             int
	Test            bool
	Addr            struct{ Network, String string }
	// Variable is the environment variable that says so.
	Variable string `json:"-"`
}

// ReattachEnv is the environment variable that names running providers to
// Terraform and OpenTofu.
const ReattachEnv = "TF_REATTACH_PROVIDERS"

// ParseReattach reads the value of an environment variable like
// [ReattachEnv]: a JSON object from provider addresses to connections. An
// empty value gives an empty map.
func ParseReattach(variable, value string) (map[tfaddr.Provider]*Reattach, error) {
	if value == "" {
		return nil, nil
	}
	var raw map[string]*Reattach
	if err := json.Unmarshal([]byte(value), &raw); err != nil {
		return nil, fmt.Errorf("%s is not a JSON object of connections: %w", variable, err)
	}
	out := make(map[tfaddr.Provider]*Reattach, len(raw))
	for address, r := range raw {
		provider, err := tfaddr.ParseProvider(address)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variable, err)
		}
		if err := r.check(); err != nil {
			return nil, fmt.Errorf("%s: %q %w", variable, address, err)
		}
		if out[provider] != nil {
			return nil, fmt.Errorf("%s: %q is named twice", variable, provider)
		}
		r.Variable = variable
		out[provider] = r
	}
	return out, nil
}

func (r *Reattach) check() error {
	switch {
	case r == nil || r.Addr.Network != "unix" && r.Addr.Network != "tcp":
		return errors.New(`needs Addr.Network "unix" or "tcp"`)
	case r.Addr.String == "":
		return errors.New("needs Addr.String")
	case r.Protocol != "grpc":
		return errors.New(`needs Protocol "grpc"`)
	}
	if _, known := dialects()[r.protocolVersion()]; !known {
		return fmt.Errorf("speaks protocol %d; protocols 5 and 6 are supported", r.ProtocolVersion)
	}
	return nil
}

// protocolVersion is the version that the process speaks. Older SDKs leave it
// out, and speak 5.
func (r *Reattach) protocolVersion() int {
	if r.ProtocolVersion == 0 {
		return 5
	}
	return r.ProtocolVersion
}
