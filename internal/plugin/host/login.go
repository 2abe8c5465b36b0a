package host

import "github.com/formation-iac/formation/internal/plugin"

// LoggedIn returns e with the address of the Pulumi service that keeps the
// user's stacks, and the token for it, which plugins reach it by. backend is
// that of the project, or "". Without such a login e stays as it is.
func (e Environment) LoggedIn(backend string) Environment {
	service, token, ok := plugin.CloudLogin(e.Lookup, backend)
	if !ok {
		return e
	}
	return e.with("PULUMI_API="+service, "PULUMI_ACCESS_TOKEN="+token)
}
