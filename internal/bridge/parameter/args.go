package parameter

import (
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// ParseArgs reads the arguments of `pulumi package add terraform-bridge`:
//
//	[host/][namespace/]type [constraint]
//	[path/]terraform-provider-NAME
//
// and the flags --include, --exclude, --provider-name, --fullDocs and
// --upstreamRepoPath among them. Paths are relative to workDir. Errors are diagnostics. Neither disk nor network is
// asked whether there is such a provider.
func ParseArgs(args []string, workDir string) (Parameter, error) {
	var p Parameter
	flags := pflag.NewFlagSet("parameters", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringSliceVar(&p.Includes, "include", nil, "")
	flags.StringSliceVar(&p.Excludes, "exclude", nil, "")
	flags.StringVar(&p.ProviderName, "provider-name", "", "")
	flags.BoolVar(&p.Docs.Wanted, "fullDocs", false, "")
	flags.StringVar(&p.Docs.Dir, "upstreamRepoPath", "", "")
	flags.SetNormalizeFunc(flagName)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return Parameter{}, help()
	case err != nil:
		return Parameter{}, badArguments(err)
	case flags.NArg() == 0:
		return Parameter{}, nothingNamed()
	}
	p.Includes, p.Excludes = names(p.Includes), names(p.Excludes)
	if p.Docs.Dir != "" {
		p.Docs = Docs{Wanted: true, Dir: absolute(p.Docs.Dir, workDir)}
	}
	if err := p.locate(flags.Args(), workDir); err != nil {
		return Parameter{}, err
	}
	return p, p.check()
}

// flagName is the name under which a flag is known. Pulumi's own bridge spells
// some in a way of their own.
func flagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "full-docs":
		name = "fullDocs"
	case "upstream-repo-path":
		name = "upstreamRepoPath"
	}
	return pflag.NormalizedName(name)
}

// locate reads what stands between the flags: where the provider is.
func (p *Parameter) locate(positionals []string, workDir string) error {
	source, rest := positionals[0], positionals[1:]
	if looksLocal(source) {
		if len(rest) > 0 {
			return pathWithVersion(source, rest)
		}
		return p.locateFile(source, workDir)
	}
	if len(rest) > 1 {
		return tooManyArguments(rest)
	}
	var err error
	if p.Provider, err = tfaddr.ParseProvider(source); err != nil {
		return invalidProvider(source, err)
	}
	if len(rest) == 1 {
		p.Version = constraint(rest[0])
	}
	return nil
}

// constraint drops the "v" that tags have before versions.
func constraint(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 1 && text[0] == 'v' && text[1] >= '0' && text[1] <= '9' {
		return text[1:]
	}
	return text
}

const binaryPrefix = "terraform-provider-"

// looksLocal reports whether source is a path, and not an address: these have
// no such types, and do not begin like that.
func looksLocal(source string) bool {
	return strings.HasPrefix(source, ".") || strings.HasPrefix(source, "~") || filepath.IsAbs(source) ||
		strings.Contains(source, `\`) || strings.HasPrefix(filepath.Base(source), binaryPrefix)
}

// locateFile takes the path of an executable.
func (p *Parameter) locateFile(path, workDir string) error {
	base := filepath.Base(path)
	if !strings.HasPrefix(base, binaryPrefix) || base == binaryPrefix {
		return notAProviderName(path)
	}
	p.Path = absolute(path, workDir)
	return nil
}

func absolute(path, workDir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(workDir, path)
}

// names drops the empty ones and the spaces around the others, and those that
// come again.
func names(list []string) []string {
	var out []string
	for _, name := range list {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func intersection(a, b []string) []string {
	var both []string
	for _, name := range a {
		if slices.Contains(b, name) {
			both = append(both, name)
		}
	}
	return both
}
