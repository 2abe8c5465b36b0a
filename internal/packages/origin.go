package packages

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
)

// withOrigin says in a schema where its plugin comes from, so that SDKs know
// it: the server that was named, or that the schema is silent about. A plugin
// from a git repository does not know more of itself than its name: its version
// is the repository's, and its namespace whoever owns that.
func withOrigin(schema string, i install.Installed) (string, error) {
	server := withoutUser(i.Plugin.Server)
	if i.Local != "" || server == "" {
		return schema, nil
	}
	var own struct{ Namespace, PluginDownloadURL string }
	if err := json.Unmarshal([]byte(schema), &own); err != nil {
		return "", err
	}
	if plugin.IsGitServer(server) {
		return withMembers(schema, map[string]string{
			"version": i.Plugin.Version.String(), "pluginDownloadURL": server, "namespace": cmp.Or(own.Namespace, owner(server)),
		})
	}
	if own.PluginDownloadURL != "" && i.Descriptor.Server == "" {
		return schema, nil
	}
	return withMembers(schema, map[string]string{"pluginDownloadURL": server})
}

// owner is the organization in the address of a git repository.
func owner(server string) string {
	git, err := plugin.ParseGit(server)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(git.Repository, "/")
	return strings.ToLower(first)
}

// withVersion replaces the version of a schema.
func withVersion(schema, version string) (string, error) {
	v, err := plugin.ParseVersion(version)
	if err != nil {
		return "", err
	}
	return withMembers(schema, map[string]string{"version": v.String()})
}

// withMembers sets texts of a schema.
func withMembers(schema string, texts map[string]string) (string, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(schema), &members); err != nil {
		return "", err
	}
	for name, text := range texts {
		members[name] = json.RawMessage(compact(text))
	}
	out, err := json.Marshal(members)
	return string(out), err
}

// sourceOf is how `packages` names what is installed, and its version there: a
// git repository without its scheme, and a commit by its hash.
func sourceOf(i install.Installed) (source, version string) {
	source, version = withoutUser(i.Descriptor.Source), i.Plugin.Version.String()
	if !plugin.IsGitServer(source) {
		return source, version
	}
	if hash, ok := strings.CutPrefix(version, "0.0.0-x"); ok {
		version = hash
	}
	return strings.TrimPrefix(source, "git://"), version
}

// plainSource is a source in the form in which two of one meaning are equal.
func plainSource(text string) string {
	if git, err := plugin.ParseGit(text); err == nil && !isPath(text) {
		return git.Server()
	}
	return text
}
