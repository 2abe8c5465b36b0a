package install

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// codeInternal is what only the environment can bring about.
const codeInternal = "PI0001"

// codeStopped is an installation that was told to stop.
const codeStopped = "PI0002"

// stopped puts one error in the place of all that say that something stopped.
func stopped(diags diag.List) diag.List {
	diags = slices.DeleteFunc(diags, func(d *diag.Diagnostic) bool { return d.Code == codeStopped || d.Code == source.CodeStopped })
	return append(diags, diag.Errorf(codeStopped, "The installation was stopped", "Nothing is half-installed. Run the command again; it goes on from there."))
}

// The cache.

func unreadableCache(root string, err error) *diag.Diagnostic {
	return diag.Errorf("PI0003", "Cannot read the plugin cache", "%s.\nMake %s readable, or choose another directory with PULUMI_HOME.", err, root)
}

func unwritableCache(cache plugin.Cache, p plugin.Concrete, err error) *diag.Diagnostic {
	return cannotWrite(cache, "the "+p.String(), err)
}

// cannotWrite says that what was to be installed is not, as the cache is full
// or not to be written.
func cannotWrite(cache plugin.Cache, what string, err error) *diag.Diagnostic {
	return diag.Errorf("PI0004", "Cannot install "+what,
		"%s.\nMake %s writable, make room on its disk, or choose another directory with PULUMI_HOME.", err, cache.Root)
}

// cannotLock says why a lock was not had for what is to be installed.
func cannotLock(cache plugin.Cache, what string, err error) *diag.Diagnostic {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return diag.Errorf(codeStopped, "The installation was stopped", "It waited for another process that installs the same. Run the command again; it goes on from there.")
	}
	return cannotWrite(cache, what, err)
}

func stillPresent(p plugin.Concrete) *diag.Diagnostic {
	return diag.Errorf("PI0006", fmt.Sprintf("The %s is present but not installed", p), "Its files are there, and a step after that failed. When the cause is mended, run: %s", installation(p))
}

// What is wanted.

func acquisitionDisabled(p plugin.Concrete, variable string) *diag.Diagnostic {
	return diag.Errorf("PI0007", fmt.Sprintf("The %s is not installed", p), "%s forbids to install it without being asked. Run: %s", variable, installation(p))
}

func bundled(p plugin.Concrete) *diag.Diagnostic {
	return diag.Errorf("PI0008", fmt.Sprintf("The %s plugin %s comes with the pulumi program", p.Kind, p.Name),
		"It is not published by itself. Install pulumi from https://www.pulumi.com/docs/install/, or put %s on the PATH.", p.Executable())
}

func unusablePath(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PI0009", "No plugin at "+path, "%s.", err)
}

func noPluginInside(p plugin.Concrete, err error) *diag.Diagnostic {
	return diag.Errorf("PI0010", fmt.Sprintf("What came is not the %s", p), "%s. Check the name, the kind and where it comes from.", capital(err.Error()))
}

func pathLeavesPlugin(path, bounds string) *diag.Diagnostic {
	return diag.Errorf("PI0020", "A plugin names a package outside of itself", "The manifest in %s names the path %s. A plugin may only name paths inside of its own files; tell its publisher.", bounds, path)
}

func registryPassedOver(d plugin.Descriptor, found plugin.Concrete, diags diag.List) *diag.Diagnostic {
	return diag.Warnf("PI0011", fmt.Sprintf("The installed %s is taken for %s", found, d.Source), "%s", diags.Errors()[0].Detail)
}

// Dependencies.

func dependencyCycle(ring []*node) *diag.Diagnostic {
	labels := make([]string, len(ring))
	for n, node := range ring {
		labels[n] = node.label
	}
	return diag.Errorf("PI0012", "Packages depend on each other in a ring",
		"%s.\nNone of them can be installed before the others. Take one out of the packages of the one before it.", strings.Join(labels, " needs "))
}

func dependencyFailed(n *node, w *want) *diag.Diagnostic {
	name := w.name
	if git, err := plugin.ParseGit(w.descriptor.Source); name == "" && err == nil {
		name = git.Remote() // without what may be secret
	} else if name == "" {
		name = w.descriptor.Source
	}
	detail := fmt.Sprintf("It depends on the package %s, which could not be installed.", name)
	if n.plugin.Name != "" {
		detail += " Its files are there; when the cause is mended, run: " + installation(n.plugin)
	}
	return diag.Errorf("PI0013", "The "+n.label+" is not ready", "%s", detail)
}

func noLinker(n *node) *diag.Diagnostic {
	return diag.Errorf("PI0014", "The "+n.label+" needs SDKs", "It has packages, and their SDKs cannot be generated here.")
}

func noLanguage(n *node) *diag.Diagnostic {
	return diag.Errorf("PI0015", fmt.Sprintf("The %s needs the language plugin %s", n.label, n.manifest.Runtime.Name),
		"It installs what the language needs. It comes with the pulumi program; put pulumi-language-%s on the PATH.", n.manifest.Runtime.Name)
}

// capital makes the first letter one that begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// Files given by hand.

func unusableFile(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PI0016", "Cannot install a plugin from "+path, "%s.\nGive an executable, a directory, or a .tar.gz archive of one.", err)
}

// Listing and removing.

func cannotRemove(e plugin.Entry, err error) *diag.Diagnostic {
	return diag.Errorf("PI0017", fmt.Sprintf("Cannot remove the %s plugin %s %s", e.Kind, e.Name, e.Version),
		"%s.\nIt is as it was. End the programs that use it, and run the command again.", err)
}

func cannotClear(e plugin.Entry, left string, err error) *diag.Diagnostic {
	return diag.Errorf("PI0026", fmt.Sprintf("Cannot remove all of the %s plugin %s %s", e.Kind, e.Name, e.Version),
		"%s.\nIt is not installed any more. End the programs that use it, and remove %s by hand.", err, left)
}

// Our own plugins.

func notShipped(program, dir string) *diag.Diagnostic {
	return diag.Errorf("PI0018", "The program "+program+" is missing", "It belongs beside formation, in %s. Install formation again.", dir)
}

func notOurs(p plugin.Concrete) *diag.Diagnostic {
	var names []string
	for _, own := range OwnPlugins(p.Version) {
		names = append(names, fmt.Sprintf("the %s plugin %s", own.Kind, own.Name))
	}
	return diag.Errorf("PI0023", fmt.Sprintf("Formation does not come with the %s plugin %s", p.Kind, p.Name),
		"It has %s. Leave --own out to install another.", strings.Join(names, " and "))
}

func othersInPlace(p plugin.Concrete) *diag.Diagnostic {
	return diag.Errorf("PI0024", fmt.Sprintf("The %s is another's", p),
		"It is installed already, and did not come with formation. To put formation's in its place, run: %s --reinstall", shipCommand(p))
}

// comesWithFormation says where a plugin of ours is, which may be needed here,
// or wanted in the cache.
func comesWithFormation(p plugin.Concrete) *diag.Diagnostic {
	return diag.Errorf("PI0025", fmt.Sprintf("The %s plugin %s comes with formation", p.Kind, p.Name),
		"It is not published by itself. Formation uses the program %s beside its own; where that is missing, install formation again. "+
			"To have it in the plugin cache, for the pulumi program, run: formation plugin install --own", p.Executable())
}

func invalidRange(text string) *diag.Diagnostic {
	return diag.Errorf("PI0019", fmt.Sprintf("Invalid range of versions %q", text), "Write one like \">=1.0.0 <2.0.0\", or one version like 1.2.3.")
}

// Languages.

func languageFailed(m *project.Manifest, what string, err error) *diag.Diagnostic {
	text := err.Error()
	if s, ok := status.FromError(err); ok {
		text = s.Message()
	}
	return diag.Errorf("PI0021", fmt.Sprintf("The language plugin %s %s for %s", m.Runtime.Name, what, m.Path), "%s", text)
}

func unusableDependency(name string, err error) *diag.Diagnostic {
	return diag.Errorf("PI0022", "A package that the program needs cannot be used", "Its language names %q: %s.", name, err)
}
