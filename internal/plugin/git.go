package plugin

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"regexp"
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

// Parts of a repository's address become parts of a plugin's name.
var (
	gitPart = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)
	gitHost = regexp.MustCompile(`^[a-zA-Z0-9.-]+(:[0-9]+)?$`)
)

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
	if !gitHost.MatchString(g.Host) || u.RawQuery != "" || u.Fragment != "" {
		return Git{}, errors.New("a git repository is given as host/org/repository")
	}
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	for _, part := range parts {
		if part == "." || part == ".." || !gitPart.MatchString(part) {
			return Git{}, fmt.Errorf("a git repository is given as host/org/repository, and %q is no part of that", part)
		}
	}
	if len(parts) < 2 {
		return Git{}, errors.New("a git repository is given as host/org/repository")
	}
	end, err := repositoryEnd(u.Hostname(), parts)
	g.Repository, g.Path = path.Join(parts[:end]...), path.Join(parts[end:]...)
	switch {
	case err != nil:
		return Git{}, err
	case u.Hostname() == gistHost:
		g.Repository = parts[end-1]
	}
	if !strings.HasSuffix(g.Repository, gitSuffix) && u.Hostname() != azureHost {
		g.Repository += gitSuffix
	}
	return g, nil
}

const (
	gitSuffix = ".git"
	gistHost  = "gist.github.com"
	azureHost = "dev.azure.com"
)

// repositoryEnd is how many parts of the path the repository has.
func repositoryEnd(host string, parts []string) (int, error) {
	switch host {
	case azureHost:
		return len(parts), nil
	case gistHost:
		if len(parts) != 2 {
			return 0, errors.New("a gist is given as gist.github.com/owner/id")
		}
		return 2, nil
	}
	for end := len(parts); end > 0; end-- {
		if strings.HasSuffix(parts[end-1], gitSuffix) {
			return end, nil
		}
	}
	return 2, nil
}

// Name is what the cache calls the plugin: host, repository and path, with
// underscores for slashes and for the colon before a port.
func (g Git) Name() string {
	name := g.Host + "/" + g.Repository
	if g.Path != "" {
		name += "/" + g.Path
	}
	return strings.NewReplacer("/", "_", ":", "_").Replace(name)
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
