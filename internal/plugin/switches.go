package plugin

import "strings"

// OfflineVariable is the switch that keeps plugins off the network. Formation
// sets it for those that it starts offline; users may set it for those that
// other programs start.
const OfflineVariable = "FORMATION_OFFLINE"

// Switched reports whether an environment variable switches something on: it
// is "1", or "true" in any case, as the pulumi program takes it. env looks up
// a variable.
func Switched(env func(string) string, name string) bool {
	value := env(name)
	return value == "1" || strings.EqualFold(value, "true")
}
