package source

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
)

// pulumiReleases is where the plugins of Pulumi are published.
const pulumiReleases = "github://api.github.com/pulumi"

// namedPlace prepares the place that a server's URL names.
func (s *Sources) namedPlace(p plugin.Concrete, server string) (place, error) {
	if err := checkIdentity(p); err != nil {
		return nil, err
	}
	if server == "" {
		return s.newFallback(p)
	}
	u, err := url.Parse(placeholdersAside(server))
	if err != nil {
		return nil, invalidServer(server, errors.New("it is not a valid URL"))
	}
	switch u.Scheme {
	case "github":
		return s.newGitHub(p, u)
	case "gitlab":
		return s.newGitLab(p, u)
	case "http", "https":
		return s.newHTTP(p, server)
	case "file":
		return s.newDirectory(p, u)
	case "git":
		return s.newGit(p, server)
	}
	return nil, invalidServer(server, fmt.Errorf("its scheme %q is none of github, gitlab, https, http, file and git", u.Scheme))
}

// checkIdentity refuses what would lead elsewhere as a part of paths and URLs.
func checkIdentity(p plugin.Concrete) error {
	if _, ok := plugin.ParseKind(string(p.Kind)); !ok {
		return invalidPlugin(p, fmt.Errorf("there is no kind %q", p.Kind))
	}
	if err := plugin.CheckName(p.Name); err != nil {
		return invalidPlugin(p, err)
	}
	return nil
}

// placeholdersAside makes a URL with ${…} in it one that can be parsed.
func placeholdersAside(server string) string {
	return strings.NewReplacer("${", "$", "}", "").Replace(server)
}
