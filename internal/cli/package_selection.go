package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/packages"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

const packageSelection = `--include and --exclude, before SOURCE, select which resources and functions the
SDK is to have; what they refer to comes along. A PATTERN is a name (Bucket) or a
token (aws:s3:Bucket, aws:s3/bucket:Bucket), in which * stands for any characters
and ? for one. Behind SOURCE, flags of these names are the plugin's own.`

const (
	includeFlag = "include"
	excludeFlag = "exclude"
	// beforeSource annotates flags that are the plugin's behind SOURCE.
	beforeSource = "before-source"
)

// selectionFlags are those of commands that write SDKs. Plugins have flags of
// the same names, so these only count before SOURCE.
type selectionFlags struct{ include, exclude []string }

func (f *selectionFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.include, includeFlag, nil, "`PATTERN` of what the SDK is to have, or several with commas between them")
	flags.StringSliceVar(&f.exclude, excludeFlag, nil, "`PATTERN` of what the SDK is not to have, or several")
	for _, name := range []string{includeFlag, excludeFlag} {
		flags.Lookup(name).Annotations = map[string][]string{beforeSource: {}}
	}
}

func onlyBeforeSource(flag *pflag.Flag) bool { return flag.Annotations[beforeSource] != nil }

// selection reads the flags. One that is there and says nothing is a mistake:
// it would mean everything.
func (f *selectionFlags) selection(flags *pflag.FlagSet) (pschema.Selection, error) {
	s := pschema.Selection{Include: patterns(f.include), Exclude: patterns(f.exclude)}
	switch {
	case flags.Changed(includeFlag) && len(s.Include) == 0:
		return s, namesNothing(includeFlag)
	case flags.Changed(excludeFlag) && len(s.Exclude) == 0:
		return s, namesNothing(excludeFlag)
	}
	return s, nil
}

func namesNothing(flag string) error {
	return fmt.Errorf("--%s names nothing; leave it out for everything", flag)
}

// patterns drops the spaces around patterns, and what is empty.
func patterns(given []string) []string {
	var out []string
	for _, pattern := range given {
		if pattern = strings.TrimSpace(pattern); pattern != "" {
			out = append(out, pattern)
		}
	}
	return out
}

// explainFlags adds to errors where --include or --exclude stands right behind
// SOURCE, before anything that a plugin could be parameterized with.
func explainFlags(source packages.Source, diags diag.List) diag.List {
	if !diags.HasErrors() || len(source.Args) == 0 {
		return diags
	}
	name, _, _ := strings.Cut(source.Args[0], "=")
	if name != "--"+includeFlag && name != "--"+excludeFlag {
		return diags
	}
	return append(diags, behindSource(name, source.Text))
}

func behindSource(flag, source string) *diag.Diagnostic {
	return diag.Warnf("CL0012", flag+" stands behind SOURCE",
		"There it is an argument of the plugin. To select what the SDK has, put it before %s.", source)
}
