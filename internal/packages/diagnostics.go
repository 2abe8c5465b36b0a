package packages

import (
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

func argumentsForFile(s Source) *diag.Diagnostic {
	return diag.Errorf("PG0001", "A schema file takes no arguments",
		"%s is a schema: %q would have nothing to parameterize. Name the plugin to give it arguments.", s.Text, s.Args)
}

func unreadableSchema(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PG0002", "Cannot read the schema", "%s: %s.", path, err)
}

func bothParameterizations(s Source, name string) *diag.Diagnostic {
	return diag.Errorf("PG0003", "Contradictory schema",
		"Package %s from %s says that it replaces its plugin's package and that it extends it. Report this to the makers of the plugin.", name, s.Text)
}

func notParameterized(s Source, name string) *diag.Diagnostic {
	return diag.Errorf("PG0004", "The plugin did not take the arguments",
		"After %q, the schema of package %s says nothing of a parameterization, so that an SDK could not ask for it again. Does %s take arguments?", s.Args, name, s.Text)
}

func notExtended(s Source, name string) *diag.Diagnostic {
	return diag.Errorf("PG0005", "The plugin cannot be extended",
		"After %q, the schema of package %s has no extension. Without --extension the arguments make another package of %s.", s.Args, name, s.Text)
}

func noProject(dir string) *diag.Diagnostic {
	return diag.Errorf("PG0006", "No project",
		"There is no Pulumi.yaml and no PulumiPlugin.yaml in %s or above. Go to a project, or pass --language to have an SDK without one.", dir)
}

func languageOfProject(path, runtime string) *diag.Diagnostic {
	return diag.Errorf("PG0019", "The project has a language",
		"%s says %s; --language is for directories without a project.", path, runtime)
}

func noSuchMember(what, name, pkg string, all []string) *diag.Diagnostic {
	return diag.Errorf("PG0020", "Not in the package", "Package %s has no %s %q.%s", pkg, what, name, suggest.DidYouMean(name, all))
}

func nameTaken(name, ours, theirs string) *diag.Diagnostic {
	return diag.Errorf("PG0007", "A package of this name is in the project",
		"Package %s would come from %s, and comes from %s already; a program cannot tell the two apart. "+
			"Remove that one from `packages` in Pulumi.yaml first, or give this one another name, where its plugin can (--provider-name of a Terraform provider).",
		name, ours, theirs)
}

func unknownLanguage(language string, known []string) *diag.Diagnostic {
	return diag.Errorf("PG0008", "No generator for this language",
		"SDKs are written here for %s; for %s its language plugin does that, and pulumi-language-%s is not to be found. "+
			"Put it on the PATH, where it is with the pulumi program; others are installed by `formation plugin install language %s`.",
		strings.Join(known, ", "), language, language, language)
}

func cannotGenerate(language string, err error) *diag.Diagnostic {
	return diag.Errorf("PG0009", "Cannot generate the SDK", "%s: %s.", language, err)
}

func cannotWrite(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PG0010", "Cannot write the SDK", "%s: %s.", path, err)
}

func cannotLink(path string, err error) *diag.Diagnostic {
	return diag.Errorf("PG0011", "Cannot link the SDK", "%s: %s.", path, err)
}

func noLinkFile(dir string, files ...string) *diag.Diagnostic {
	return diag.Warnf("PG0012", "The SDK is not linked",
		"%s has no %s to name it in. Add the SDK to the program's dependencies by hand.", dir, strings.Join(files, " or "))
}

func noMapping(source, key, provider string) *diag.Diagnostic {
	what := "no mapping"
	if provider != "" {
		what += " of " + provider
	}
	return diag.Errorf("PG0013", "No mapping", "%s has %s for %q.", source, what, key)
}

func fromLanguage(language, text string) *diag.Diagnostic {
	return diag.Errorf("PG0017", "The language plugin failed", "%s: %s.", language, strings.TrimRight(text, "."))
}

func misspelt(name, hint string) *diag.Diagnostic {
	return diag.Warnf("PG0021", fmt.Sprintf("No plugin on this machine is called %q", name), "%s", strings.TrimSpace(hint))
}

func selectionNotKept(s Source) diag.List {
	if s.Selection.IsZero() {
		return nil
	}
	return diag.List{diag.Warnf("PG0022", "The selection is not recorded",
		"Pulumi.yaml names no schema files. Give --include and --exclude again when the SDK of %s is to be written again.", s.Text)}
}

func selectionIgnored(m *project.Manifest, s Source) diag.List {
	if s.Selection.IsZero() || !indivisible(m) {
		return nil
	}
	return diag.List{diag.Warnf("PG0023", "The selection has no effect",
		"Programs in YAML have no SDK that could lack something: they use %s as it is.", s.Text)}
}
