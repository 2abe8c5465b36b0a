package source

import (
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Ref is what a source says. One of Path, Git and Name is set.
type Ref struct {
	// Path is a directory, an executable or a file on this machine, as written.
	Path string
	// Git is a repository, and Server the same as a plugin's server: with what
	// stood before an @, which may be secret, and so never to be written down.
	Git    *plugin.Git
	Server string
	// Name is name, publisher/name or registry/publisher/name.
	Name string
	// Version is what stands behind the last @ of a Name or a repository; or "".
	Version string
}

// Patterns of sources, as the pulumi program has them.
var (
	registryName = regexp.MustCompile(`^(?:[a-zA-Z0-9-][a-zA-Z0-9-_.]*[a-zA-Z0-9]/){0,2}[a-zA-Z0-9-][a-zA-Z0-9-_.]*[a-zA-Z0-9]$`)
	secureShell  = regexp.MustCompile(`^[^/:@]+@[^/:@]+:[^/]`)
	hostFirst    = regexp.MustCompile(`^[^./@:][^/@:]*\.[a-z]+(?::[0-9]+)?/`)
)

// Parse reads where a package comes from:
//
//   - a path begins with ".", "/" or a drive, or holds slashes and is nothing
//     else;
//   - a repository begins with git://, https:// or a host name and a slash;
//   - a name has letters, digits, dashes, dots and underscores, and up to two
//     slashes.
//
// Names and repositories may end in @version. Errors are diagnostics.
func Parse(text string) (Ref, error) {
	if isPath(text) {
		return Ref{Path: text}, nil
	}
	if user, _, ok := strings.Cut(text, "@"); ok && secureShell.MatchString(text) {
		return Ref{}, invalidSource(user+"@…", errors.New("addresses for SSH are not taken; write host/org/repository, and have git use SSH for that host by its setting url.<base>.insteadOf"))
	}
	if strings.Contains(text, "://") || hostFirst.MatchString(text) {
		return parseRepository(text)
	}
	name, version, versioned := cutVersion(text)
	switch {
	case registryName.MatchString(name) && (!versioned || version != ""):
		return Ref{Name: name, Version: version}, nil
	case strings.ContainsAny(text, `/\`):
		return Ref{Path: text}, nil
	}
	return Ref{}, invalidSource(text, errors.New("it is neither a name nor a path nor a git repository"))
}

func isPath(text string) bool {
	return text == "." || text == ".." || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") ||
		strings.HasPrefix(text, `.\`) || strings.HasPrefix(text, `..\`) || filepath.IsAbs(text) || strings.HasPrefix(text, "/")
}

// cutVersion parts what stands behind the last @, unless a slash follows.
func cutVersion(text string) (rest, version string, ok bool) {
	at := strings.LastIndexByte(text, '@')
	if at < 0 || strings.ContainsRune(text[at:], '/') {
		return text, "", false
	}
	return text[:at], text[at+1:], true
}

func parseRepository(text string) (Ref, error) {
	rest, version, versioned := cutVersion(text)
	if versioned && version == "" {
		return Ref{}, invalidSource(rest, errors.New("no version stands behind the @"))
	}
	git, err := plugin.ParseGit(rest)
	if err != nil {
		return Ref{}, invalidSource(urlUser.ReplaceAllString(rest, "://***@"), err)
	}
	server := git.Server()
	if git.User != nil {
		server = strings.Replace(server, "://", "://"+git.User.String()+"@", 1)
	}
	return Ref{Git: &git, Server: server, Version: version}, nil
}

// ParseVersion reads the version of a package from this source: a semantic
// version, or for a repository also the hash of a commit. Errors are
// diagnostics.
func (r Ref) ParseVersion(text string) (semver.Version, error) {
	v, err := plugin.ParseVersion(text)
	if err == nil {
		return v, nil
	}
	if r.Git != nil {
		if v, ok := plugin.CommitVersion(text); ok {
			return v, nil
		}
		err = errors.New("it is neither a semantic version nor the hash of a commit")
	}
	return semver.Version{}, invalidSourceVersion(text, err)
}

// Wish is what people say about a package beside its source.
type Wish struct {
	Kind plugin.Kind
	// Version is a version, or "".
	Version string
	// Exact asks for that version alone, or without one for the newest.
	Exact bool
	// Server, Checksums, Parameters and Extensions are as in Pulumi.yaml.
	Server                 string
	Checksums              plugin.Checksums
	Parameters, Extensions []string
}

// Describe makes a descriptor of a source, which may hold a version, and what
// was said beside it. A version given is the only one that will do in a
// project; see [plugin.Constraint].
func Describe(text string, w Wish) (plugin.Descriptor, diag.List) {
	ref, err := Parse(text)
	if err != nil {
		return plugin.Descriptor{}, diag.FromError("PS0007", "Invalid source", err)
	}
	version := ref.Version
	if w.Version != "" {
		if version != "" {
			return plugin.Descriptor{}, diag.List{twoVersions(version, w.Version)}
		}
		version = w.Version
	}
	if ref.Git != nil && w.Server != "" {
		return plugin.Descriptor{}, diag.List{twoServers(ref)}
	}
	constraint, err := ref.constraint(version, w.Exact)
	if err != nil {
		return plugin.Descriptor{}, diag.FromError("PS0008", "Invalid version", err)
	}
	return plugin.Descriptor{
		Kind: w.Kind, Source: ref.String(), Constraint: constraint, Server: w.Server, Checksums: w.Checksums,
		Parameterization: plugin.Parameterization{Args: w.Parameters}, Extension: plugin.Parameterization{Args: w.Extensions},
	}, nil
}

func (r Ref) constraint(version string, exact bool) (plugin.Constraint, error) {
	if version == "" || r.Path != "" {
		return plugin.NewConstraint("", exact)
	}
	v, err := r.ParseVersion(version)
	if exact {
		return plugin.Exactly(v), err
	}
	return plugin.AtLeast(v), err
}

// String is the source without its version.
func (r Ref) String() string {
	switch {
	case r.Git != nil:
		return r.Server
	case r.Path != "":
		return r.Path
	}
	return r.Name
}
