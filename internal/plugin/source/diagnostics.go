package source

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin"
)

// CodeStopped is of a download that was told to stop.
const CodeStopped = "PS0002"

// asDiagnostics turns an error of this package into what is reported.
func asDiagnostics(p plugin.Concrete, err error) diag.List {
	var disk *os.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return diag.List{diag.Errorf(CodeStopped, "The download was stopped", "What has come is kept, and the next run goes on from there.")}
	case isDiagnostic(err):
		return diag.FromError("", "", err)
	case errors.As(err, &disk):
		return diag.List{diag.Errorf("PS0003", fmt.Sprintf("Cannot write the %s", p), "%s.\nMake room on the disk, or make the directory writable, and run the command again.", err)}
	}
	return diag.FromError("PS0001", fmt.Sprintf("Could not get the %s", p), err)
}

func isDiagnostic(err error) bool {
	var d *diag.Diagnostic
	return errors.As(err, &d)
}

// What was asked for.

func invalidOverrides(err error) *diag.Diagnostic {
	return diag.Errorf("PS0004", "Invalid "+overridesVariable,
		"%s.\nThe variable holds pairs like \"^github://=https://mirror.example\", separated by commas.", strings.TrimSuffix(err.Error(), "."))
}

func invalidServer(server string, err error) *diag.Diagnostic {
	server, _, _ = strings.Cut(urlUser.ReplaceAllString(server, "://***@"), "?") // without what may be secret
	return diag.Errorf("PS0005", "Cannot download plugins from "+server, "%s.\nA server is a URL like https://example.com/plugins, github://api.github.com/org, gitlab://gitlab.com/123 or file:///mirror.", err)
}

func invalidPlugin(p plugin.Concrete, err error) *diag.Diagnostic {
	return diag.Errorf("PS0006", fmt.Sprintf("Invalid %s plugin %q", p.Kind, p.Name), "%s.", err)
}

func invalidSource(text string, err error) *diag.Diagnostic {
	return diag.Errorf("PS0007", fmt.Sprintf("Invalid source %q", text),
		"%s.\nA source is a name like random, publisher/name, a git repository like github.com/org/repo, or a path like ./provider.", strings.TrimSuffix(err.Error(), "."))
}

func invalidSourceVersion(text string, err error) *diag.Diagnostic {
	return diag.Errorf("PS0008", fmt.Sprintf("Invalid version in %q", text), "%s.", err)
}

// The places.

// failure is a place that could not give a plugin.
type failure struct {
	from string
	err  error
}

type failures []failure

// downloadFailed says why none of the places gave p.
func (s *Sources) downloadFailed(p plugin.Concrete, tried failures) error {
	for _, f := range tried {
		var disk *os.PathError
		if errors.As(f.err, &disk) {
			return f.err
		}
		if errors.Is(f.err, fetch.ErrOffline) {
			return s.offlineFailed(p, f.from)
		}
	}
	missing := !slices.ContainsFunc(tried, func(f failure) bool { return !isMissing(f.err) })
	if missing {
		return diag.Errorf("PS0010", fmt.Sprintf("No %s for %s", p, s.platform), "%s%s", tried.list(), tried.adviceWhereMissing())
	}
	return diag.Errorf("PS0011", fmt.Sprintf("Could not download the %s", p), "%s%s", tried.list(), tried.advice())
}

func isMissing(err error) bool {
	var lacks *noAsset
	return fetch.HasStatus(err, http.StatusNotFound, http.StatusGone) || errors.As(err, &lacks)
}

func (tried failures) list() string {
	var b strings.Builder
	for _, f := range tried {
		fmt.Fprintf(&b, "Tried %s: %s.\n", f.from, f.err)
	}
	return b.String()
}

func (tried failures) adviceWhereMissing() string {
	for _, f := range tried {
		var lacks *noAsset
		if errors.As(f.err, &lacks) && len(lacks.have) > 0 {
			return "The version was not built for this platform; it has: " + strings.Join(lacks.have[:min(len(lacks.have), 20)], ", ") + "."
		}
	}
	return "Check the name, the version and the server. If the place is private, set GITHUB_TOKEN or GITLAB_TOKEN."
}

func (tried failures) advice() string {
	for _, f := range tried {
		var status *fetch.StatusError
		if !errors.As(f.err, &status) {
			continue
		}
		switch {
		case status.RateLimited && status.After > 0:
			return fmt.Sprintf("The server limits how often it may be asked. Run the command again in %s, or set GITHUB_TOKEN to be asked more often.", status.After.Round(time.Second))
		case status.RateLimited:
			return "The server limits how often it may be asked. Wait a while and run the command again, or set GITHUB_TOKEN."
		case status.Code == http.StatusUnauthorized, status.Code == http.StatusForbidden:
			return "Access was refused. Set GITHUB_TOKEN or GITLAB_TOKEN to a token that may read there, or unset one that may not."
		}
	}
	return "Check the network and run the command again; what has been downloaded is kept."
}

func (s *Sources) offlineFailed(p plugin.Concrete, from string) error {
	return diag.Errorf("PS0012", fmt.Sprintf("The %s is not on this machine", p),
		"The network is not to be used, and it would come from %s.\nRun once with the network, or put %s into a directory and set %s to \".*=file:///that/directory\".",
		from, assetName(p, p.Version, s.platform), overridesVariable)
}

// noLatest says why the newest version is not known.
func (s *Sources) noLatest(p plugin.Concrete, at place, err error) error {
	what := fmt.Sprintf("the newest version of the %s plugin %s", p.Kind, p.Name)
	var disk *os.PathError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), isDiagnostic(err):
		return err
	case errors.Is(err, errNoVersions):
		return diag.Errorf("PS0013", "Which version of the "+string(p.Kind)+" plugin "+p.Name+"?", "It comes from %s, and %s.\nSay which version you want.", at, err)
	case errors.Is(err, fetch.ErrOffline):
		return diag.Errorf("PS0014", "Cannot look up "+what, "None is installed, and %s would have to be asked, but the network is not to be used.\nSay which version you want, or run once with the network.", at)
	case isMissing(err):
		return diag.Errorf("PS0015", fmt.Sprintf("There is no %s plugin %s", p.Kind, p.Name), "%s%s", failures{{at.String(), err}}.list(), failures{}.adviceWhereMissing())
	case errors.As(err, &disk):
		return diag.Errorf("PS0016", "Could not look up "+what, "Cannot read %s: %s.", at, err)
	}
	return diag.Errorf("PS0016", "Could not look up "+what, "%s%s", failures{{at.String(), err}}.list(), failures{{at.String(), err}}.advice())
}

// Git.

// gitFailed says why git could not do what it should, or returns err as it is.
func (r *repository) gitFailed(err error) error {
	var failed *gitError
	switch {
	case errors.Is(err, errNoGit):
		return diag.Errorf("PS0017", "The program git was not found", "It is needed for %s. Install git, or put it on the PATH, and run the command again.", r)
	case errors.As(err, &failed):
		return diag.Errorf("PS0019", "Could not get "+r.String(),
			"%s\nCheck the address and the network. If the repository is private, give git credentials for %s (a credential helper, or GITHUB_TOKEN or GITLAB_TOKEN for their hosts).", failed, r.at.Host)
	}
	return err
}

// cloneFailed says why a version could not be checked out into a directory.
func (r *repository) cloneFailed(v semver.Version, dir string, err error) error {
	p := r.p
	p.Version = v
	var failed *gitError
	switch {
	case errors.As(err, &failed) && failed.disk:
		return &os.PathError{Op: "clone into", Path: dir, Err: failed}
	case errors.Is(err, fetch.ErrOffline):
		return diag.Errorf("PS0012", fmt.Sprintf("The %s is not on this machine", p), "The network is not to be used, and it would come from %s.\nRun once with the network.", r)
	case isMissingRef(err):
		return diag.Errorf("PS0018", fmt.Sprintf("No version %s in %s", v, r), "%s.\nA version is a tag like v1.2.3, or the hash of a commit.", err)
	}
	return r.gitFailed(err)
}

func noSuchSubdir(p plugin.Concrete, at plugin.Git) *diag.Diagnostic {
	return diag.Errorf("PS0020", fmt.Sprintf("No directory %s in %s", at.Path, at.Remote()), "Version %s of the repository does not have it. Check the path, or ask for another version.", p.Version)
}

// What must not be installed.

func wrongChecksum(p plugin.Concrete, from, want, have string) *diag.Diagnostic {
	return diag.Errorf("PS0021", fmt.Sprintf("Wrong checksum of the %s", p),
		"The archive from %s has the SHA-256\n%s where\n%s was expected. It was damaged or replaced, or the checksum is not that of this version and platform. It is not installed.", from, have, want)
}

func hostileArchive(p plugin.Concrete, from, reason string) *diag.Diagnostic {
	return diag.Errorf("PS0022", fmt.Sprintf("The %s is refused", p),
		"What %s gives is not installed: %s.\nIf this is not what you expect of it, tell its publisher.", from, reason)
}

// Descriptors.

func twoVersions(first, second string) *diag.Diagnostic {
	return diag.Errorf("PS0009", "The version is given twice", "Behind the @ of the source stands %s, and beside it %s. Give one of them.", first, second)
}

func twoServers(r Ref) *diag.Diagnostic {
	return diag.Errorf("PS0023", "A git repository has no other server", "The source %s says where the plugin comes from. Leave the server out.", r.Git.Remote())
}

// Registries.

func invalidService(service string) *diag.Diagnostic {
	return diag.Errorf("PS0024", "Invalid address of the registry", "%q is not the https URL of a Pulumi service. It stands in PULUMI_API or in the login of the pulumi program.", urlUser.ReplaceAllString(service, "://***@"))
}

func noRegistry(name string) *diag.Diagnostic {
	return diag.Errorf("PS0025", "No registry to look up "+name, "Registries are switched off by PULUMI_DISABLE_REGISTRY_RESOLVE. Unset it, or give a git repository or a server.")
}

func notRegistered(name string, err error) *diag.Diagnostic {
	return diag.Errorf("PS0026", "No package "+name, "%s.\nCheck the name, log in where it is private, or say where it comes from: a git repository, a path, or a server.", capital(err.Error()))
}

func ambiguousName(name string, have []Package) *diag.Diagnostic {
	return diag.Errorf("PS0027", "Which package "+name+"?", "The registry has %s. Write one of these.", listIDs(have))
}

func parameterizedTwice(p Package) *diag.Diagnostic {
	return diag.Errorf("PS0028", p.PackageID.String()+" takes no parameters",
		"The registry has it as the plugin %s with a parameter already. Leave the parameters out, or use %s itself.", p.Base.Name, p.Base.Name)
}

func registryFailed(name string, r Registry, err error) *diag.Diagnostic {
	return diag.Errorf("PS0029", "Could not look up "+name, "The registry %s: %s.\nTry again later, or say where it comes from: a git repository, a path, or a server.", r, err)
}

func registryUnreachable(name string, r Registry, err error) *diag.Diagnostic {
	return diag.Errorf(codeUnreachable, "Could not look up "+name, "The registry %s could not be asked: %s.\nCheck the network and run the command again.", r, err)
}

// capital makes the first letter one that begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
