package host

import (
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
)

// Offline returns e for programs that are to leave the network alone: plugins
// do by a variable of ours, and the package managers that languages install
// with by theirs. A mirror on this machine stays theirs.
func (e Environment) Offline() Environment {
	more := []string{
		plugin.OfflineVariable + "=true",
		"npm_config_offline=true", "YARN_ENABLE_NETWORK=0", // npm, pnpm; yarn
		"PIP_NO_INDEX=1", "UV_OFFLINE=1",
	}
	if !strings.HasPrefix(e.Lookup("GOPROXY"), "file:") {
		more = append(more, "GOPROXY=off")
	}
	return e.with(more...)
}
