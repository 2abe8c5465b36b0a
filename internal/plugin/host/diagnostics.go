package host

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Codes that callers branch on.
const (
	// CodeNotFound marks a plugin that is nowhere, or not in the version that
	// is wanted: installing it may help.
	CodeNotFound = "PH0001"
	// CodeNotStarted marks a plugin that could not be started.
	CodeNotStarted = "PH0002"
	// CodeCrashed marks the call during which the plugin ended.
	CodeCrashed = "PH0003"
	// CodeRefused marks what the plugin itself said.
	CodeRefused = "PH0004"
	// CodeUnimplemented marks a call that this plugin does not have.
	CodeUnimplemented = "PH0005"
	// CodeInterrupted marks what was cancelled from our side.
	CodeInterrupted = "PH0006"

	codeEnvironment = "PH0007"
)

// Finding.

// unreadableCache is empty where err is nil.
func unreadableCache(err error) diag.List {
	return diag.FromError(codeEnvironment, "Cannot read the plugin cache", err)
}

func notFound(kind plugin.Kind, w Wanted, others []string) *diag.Diagnostic {
	what := title(kind, w.Name)
	install := fmt.Sprintf("formation plugin install %s %s", kind, w.Name)
	if v, ok := w.Constraint.Version(); ok {
		what += " " + v.String()
		install += " " + v.String()
	}
	detail := "It is neither in the project nor on the PATH nor in the plugin cache."
	if len(others) > 0 {
		detail = fmt.Sprintf("Installed is only %s.", strings.Join(others, ", "))
	}
	return diag.Errorf(CodeNotFound, "Cannot find "+what, "%s Install it with: %s", detail, install)
}

func halfInstalled(kind plugin.Kind, w Wanted, e plugin.Entry) *diag.Diagnostic {
	return diag.Errorf(CodeNotFound, fmt.Sprintf("%s %s is not installed to the end", title(kind, w.Name), e.Version),
		"It is present in %s, and its installation is under way or was broken off. How to mend it, `formation plugin ls` says.", e.Dir)
}

func noSuchPath(kind plugin.Kind, name, path string) *diag.Diagnostic {
	return diag.Errorf(CodeNotFound, "Cannot find "+strings.TrimSpace(title(kind, name)), "There is nothing at %s.", path)
}

func emptyDirectory(kind plugin.Kind, name, dir, manifest string) *diag.Diagnostic {
	what := fmt.Sprintf("neither an executable %s nor a %s", plugin.Executable(kind, name), manifest)
	if kind == plugin.Language {
		what = "no executable " + plugin.Executable(kind, name)
	}
	return diag.Errorf(CodeNotFound, "No "+title(kind, name)+" in "+dir, "The directory has %s. If the plugin was to be built, build it.", what)
}

func takenFromPath(file, path, shipped string) *diag.Diagnostic {
	instead := "an installed one"
	if shipped != "" {
		instead = shipped
	}
	return diag.Warnf("PH0008", "Using "+file+" from the PATH",
		"%s is taken instead of %s, whatever version is wanted. To take no plugins from the PATH, set PULUMI_IGNORE_AMBIENT_PLUGINS=true.", path, instead)
}

func badAttachment(variable, entry string, err error) *diag.Diagnostic {
	return diag.Errorf("PH0009", "Invalid "+variable, "%q: what stands behind a name and a colon is %s. Write name:port,name:port.", entry, err)
}

// Plugins of a project.

func invalidVersion(name string, err error) *diag.Diagnostic {
	return diag.Errorf("PH0010", "Invalid version of plugin "+name, "%s.", err)
}

func noPluginDirectory(name, dir string) *diag.Diagnostic {
	return diag.Errorf("PH0011", "No directory for plugin "+name, "The project says that the plugin is in %s, which is not a directory.", dir)
}

func samePlugin(p, other ProjectPlugin) *diag.Diagnostic {
	return diag.Errorf("PH0012", fmt.Sprintf("%s %s comes twice", title(p.Kind, p.Name), p.Version),
		"It is in %s, and in %s. Name one of them.", other.Dir, p.Dir)
}

// Starting.

var errHostClosed = errors.New("the program is ending")

// notRunnable says in plain words why the system would not run a command.
func notRunnable(found Found, c command, err error) *diag.Diagnostic {
	detail := err.Error() + "."
	switch {
	case c.dir != "" && !isDirectory(c.dir):
		detail = "It cannot run in " + c.dir + ", which is not a directory."
	case errors.Is(err, os.ErrNotExist):
		detail = "There is no file " + found.Path + ", or what it says it is to be run by is not there."
	case errors.Is(err, os.ErrPermission):
		detail = found.Path + " is not executable. If it is a plugin, allow that: chmod +x " + found.Path
	case errors.Is(err, syscall.ENOEXEC):
		detail = found.Path + " is not a program for this machine: it is no executable at all, or one for another system or processor."
	}
	return diag.Errorf(CodeNotStarted, cannotStart(found), "%s", detail)
}

func isDirectory(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func cannotStart(found Found) string { return "Cannot start " + title(found.Kind, found.Name) }

// notStarted says why what runs is not a plugin; fate is how it ended by
// itself, or "".
func (i *Instance) notStarted(err error, fate string) *diag.Diagnostic {
	var other *notAPluginError
	detail := clip(printable(status.Convert(err).Message())) + "."
	switch path := i.found.Path; {
	case errors.As(err, &other):
		detail = fmt.Sprintf("%s is not a Pulumi plugin: %s, where a plugin tells its port.", path, other)
	case fate != "":
		detail = fmt.Sprintf("%s ended before it answered (%s).", path, fate)
	case errors.Is(err, io.EOF):
		detail = path + " is not a Pulumi plugin: it closed its output without telling a port."
	case errors.Is(err, errSilent):
		detail = fmt.Sprintf("%s did not tell a port within %s.", path, i.host.opts.startTimeout(i.found))
	case errors.Is(err, errDeaf):
		detail = fmt.Sprintf("%s told a port, and did not answer there within %s.", path, connectTime)
	}
	return diag.Errorf(CodeNotStarted, cannotStart(i.found), "%s", withWords(detail, i.words.String()))
}

// clip shortens what a plugin says to what a message can take.
func clip(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

func withWords(detail, words string) string {
	if words == "" {
		return detail
	}
	return detail + "\nIts last words:\n" + words
}

func notReached(found Found, err error) *diag.Diagnostic {
	return diag.Errorf(CodeNotStarted, "Cannot attach to "+title(found.Kind, found.Name),
		"%s says that it listens on port %d: %s.", attachVariable(found.Kind), found.port, attachFailure(err))
}

func attachFailure(err error) string {
	if errors.Is(err, errDeaf) {
		return fmt.Sprintf("nobody answered there within %s", connectTime)
	}
	return clip(printable(status.Convert(err).Message()))
}

func badRuntimeOptions(manifest string, err error) *diag.Diagnostic {
	return diag.Errorf(CodeNotStarted, "Unusable runtime options in "+manifest, "%s.", err)
}

func needsLanguage(found Found, runtime string) *diag.Diagnostic {
	return diag.Errorf(CodeNotStarted, cannotStart(found),
		"It is a directory with a %s program, which the language plugin of that name runs.", runtime)
}

func needsPolicyRunner(pack Found, runtime string) *diag.Diagnostic {
	return diag.Errorf(CodeNotStarted, cannotStart(pack),
		"It is a policy pack in %s. The language plugin of that name runs it, or else the analyzer plugin policy-%s.", runtime, runtime)
}

func guestFailed(found Found, failure string) *diag.Diagnostic {
	return diag.Errorf(CodeNotStarted, title(found.Kind, found.Name)+" failed", "%s.", clip(failure))
}

// Calls.

func unwritableRPCLog(err error) *diag.Diagnostic {
	return diag.Errorf("PH0015", "Calls of plugins cannot be logged", "%s names a file to log them to: %s. Unset it, or name another file.", rpcLogVariable, err)
}

func (i *Instance) crashed(method string) *diag.Diagnostic {
	detail := fmt.Sprintf("Its process ended during %s", shortMethod(method))
	if i.proc == nil {
		detail = fmt.Sprintf("The connection to its process was lost during %s", shortMethod(method))
	} else if fate := i.proc.fate(); fate != "" {
		detail += " (" + fate + ")"
	}
	return diag.Errorf(CodeCrashed, title(i.found.Kind, i.found.Name)+" crashed", "%s",
		withWords(detail+". This is a defect of the plugin; please report it to its authors.", i.words.String()))
}

// shortMethod is a method without its service.
func shortMethod(method string) string { return method[strings.LastIndexByte(method, '/')+1:] }

func closedPlugin(i *Instance) *diag.Diagnostic {
	return diag.Errorf(CodeInterrupted, i.String()+" is closed", "It was called when it had been told to end, or was while it ended.")
}

func interrupted(found Found, cause error) *diag.Diagnostic {
	return diag.Errorf(CodeInterrupted, title(found.Kind, found.Name)+" was interrupted", "%s.", cause)
}

func unimplemented(i *Instance, method string) *diag.Diagnostic {
	return diag.Errorf(CodeUnimplemented, fmt.Sprintf("%s has no %s", i, method),
		"The plugin does not do what is asked of it. A newer version may.")
}

func refused(i *Instance, method string, err error) *diag.Diagnostic {
	return diag.Errorf(CodeRefused, fmt.Sprintf("%s failed in %s", i, method), "%s", printable(status.Convert(err).Message()))
}

func malformed(i *Instance, method, what string) *diag.Diagnostic {
	return diag.Errorf("PH0013", fmt.Sprintf("%s sent a malformed answer", i), "%s: %s.", method, clip(printable(what)))
}

func otherPackage(i *Instance, want, got string) *diag.Diagnostic {
	return diag.Errorf("PH0014", fmt.Sprintf("%s made another package", i),
		"It was parameterized for package %s, and says that it is %s now. Generate the SDK again with: formation package add.", want, clip(printable(got)))
}
