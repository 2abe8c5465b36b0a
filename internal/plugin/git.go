package plugin

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Git is a place in a git repository.
type Git struct {
	// Host is the server, with its port.
	Host string
	// Repository is the path of the repository on it, such as
	// "pulumi/component.git".
	Repository string
	// Path is where in the repository the plugin is, with slashes; or "".
	Path string
	// User is what a URL had before the @; it may hold a secret. Or nil.
	User *url.Userinfo
}

const gitScheme = "git"

// IsGitServer reports whether a plugin's server is a git repository.
func IsGitServer(server string) bool { return strings.HasPrefix(server, gitScheme+"://") }

// ParseGit reads `[git://|https://]host/org/repo[.git][/sub/path]`. The
// repository ends at ".git", or after two parts where there is none; on Azure
// DevOps it is the whole path, and on gist.github.com its last part.
func ParseGit(text string) (Git, error) {
	if !strings.Contains(text, "://") {
		text = gitScheme + "://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return Git{}, errors.New("it is not a valid URL")
	}
	if u.Scheme != gitScheme && u.Scheme != "https" {
		return Git{}, fmt.Errorf("a git repository is given as git:// or https://, not %s://", u.Scheme)
	}
	g := Git{Host: u.Host, User: u.User}
	if g.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return Git{}, errors.New("a git repository is given as host/org/repository")
	}
	g.Repository, g.Path, err = splitRepository(u.Hostname(), strings.Trim(u.Path, "/"))
	if err != nil {
		return Git{}, err
	}
	for part := range strings.SplitSeq(g.Repository+"/"+g.Path, "/") {
		if part == "." || part == ".." || strings.ContainsAny(part, "\\\x00") {
			return Git{}, errors.New("a path in it leads out of the repository")
		}
	}
	return g, nil
}

func splitRepository(host, all string) (repository, rest string, err error) {
	const suffix = ".git"
	parts := strings.Split(all, "/")
	if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
		return "", "", errors.New("a git repository is given as host/org/repository")
	}
	if host == "gist.github.com" {
		if len(parts) != 2 {
			return "", "", errors.New("a gist is given as gist.github.com/owner/id")
		}
		return strings.TrimSuffix(parts[1], suffix) + suffix, "", nil
	}
	if host == "dev.azure.com" {
		return all, "", nil
	}
	if at := strings.LastIndex(all, suffix); at >= 0 {
		end := at + len(suffix)
		return all[:end], strings.Trim(all[end:], "/"), nil
	}
	return path.Join(parts[0], parts[1]) + suffix, strings.Trim(strings.Join(parts[2:], "/"), "/"), nil
}

// Name is what the cache calls the plugin: host, repository and path, with
// underscores for slashes.
func (g Git) Name() string {
	name := g.Host + "/" + g.Repository
	if g.Path != "" {
		name += "/" + g.Path
	}
	return strings.ReplaceAll(name, "/", "_")
}

// Server is the URL that a plugin's server has for g, without the user.
func (g Git) Server() string {
	server := url.URL{Scheme: gitScheme, Host: g.Host, Path: path.Join("/", g.Repository, g.Path)}
	return server.String()
}

// Remote is the URL of the repository for the git program, without the user.
func (g Git) Remote() string {
	remote := url.URL{Scheme: "https", Host: g.Host, Path: "/" + g.Repository}
	return remote.String()
}
