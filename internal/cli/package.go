package cli

import (
	"errors"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/formation-iac/formation/internal/packages"
)

const packageSources = `SOURCE is a name, perhaps with @VERSION; publisher/name; a git repository such as
example.org/org/repo.git/sub@1.2.3; the path of a plugin; or a file with a schema
(.json, .yaml). What is not installed is installed first.

ARGs parameterize the plugin. Those that look like flags are passed on, unless
they are flags of this command; behind -- everything is.`

const generatorGCPercent = 50

func (a *app) packageCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "package",
		Short: "Add Pulumi packages to projects, and look into them",
		Long:  "Add Pulumi packages to projects, and look into them.\n\n" + packageSources,
		// Generators make much garbage, and hold little at their end.
		PersistentPreRun: func(*cobra.Command, []string) {
			if a.environment().Lookup("GOGC") == "" {
				debug.SetGCPercent(generatorGCPercent)
			}
		},
	}
	return group(cmd, a.packageAddCommand(), a.packageGenSDKCommand(), a.packageGetSchemaCommand(),
		a.packageGetMappingCommand(), a.packageInfoCommand(), a.packagePublishCommand())
}

// packageFlags are those of every command that opens a package.
type packageFlags struct {
	server    string
	extension string
}

func (f *packageFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.server, "server", "", "`URL` to download the plugin from; SOURCE is its name then")
	flags.StringVar(&f.extension, "extension", "", "`ARGS` that add to the plugin's package instead of making another of it, quoted as in a shell")
}

// source reads SOURCE and what parameterizes it.
func (f *packageFlags) source(args []string) (packages.Source, error) {
	s := packages.Source{Text: args[0], Args: args[1:], Server: f.server}
	if f.extension == "" {
		return s, nil
	}
	if len(s.Args) > 0 {
		return s, errors.New("--extension has the arguments; there can be none behind SOURCE")
	}
	words, err := shellWords(f.extension)
	s.Args, s.Extension = words, true
	return s, err
}

// passing makes a command of one whose arguments may be flags of a plugin. run
// gets all that is not the command's own, with at least least arguments.
func passing(cmd *cobra.Command, least int, want string, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd.DisableFlagParsing = true
	cmd.DisableFlagsInUseLine = true
	cmd.RunE = func(cmd *cobra.Command, all []string) error {
		own, args, err := partition(cmd.Flags(), all, least)
		if err == nil {
			err = cmd.Flags().Parse(own)
		}
		switch {
		case errors.Is(err, pflag.ErrHelp):
			return cmd.Help()
		case err != nil:
			return cmd.FlagErrorFunc()(cmd, err)
		}
		if help, err := cmd.Flags().GetBool("help"); err == nil && help {
			return cmd.Help()
		}
		if len(args) < least {
			return &usageError{command: cmd.CommandPath(), err: wrongArguments(want, args)}
		}
		if err := noneEmpty(cmd, args[:least], want); err != nil { // what follows is the plugin's
			return err
		}
		return run(cmd, args)
	}
	return cmd
}

// partition parts the command's own flags, with their values, from all else.
// Flags that the command does not have are the plugin's once there are least
// arguments, and a mistake before. Those that only count before SOURCE are the
// plugin's then too.
func partition(flags *pflag.FlagSet, all []string, least int) (own, args []string, err error) {
	for i := 0; i < len(all); i++ {
		word := all[i]
		switch {
		case word == "--":
			return own, append(args, all[i+1:]...), nil
		case len(word) < 2 || word[0] != '-':
			args = append(args, word)
			continue
		}
		flag, joined := ownFlag(flags, word)
		if flag != nil && len(args) >= least && onlyBeforeSource(flag) {
			flag = nil
		}
		switch {
		case flag == nil && len(args) < least:
			return nil, nil, unknownFlag(word)
		case flag == nil:
			args = append(args, word)
			continue
		}
		own = append(own, word)
		if !joined && flag.NoOptDefVal == "" && i+1 < len(all) {
			i++
			own = append(own, all[i])
		}
	}
	return own, args, nil
}

// ownFlag finds the flag that a word names. joined says that its value is in
// the word as well.
func ownFlag(flags *pflag.FlagSet, word string) (flag *pflag.Flag, joined bool) {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		name, _, joined = strings.Cut(name, "=")
		return flags.Lookup(name), joined
	}
	return flags.ShorthandLookup(word[1:2]), len(word) > 2
}

// shellWords parts a text as a shell does, by spaces, quotes and backslashes.
func shellWords(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	started := false
	var quote rune
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, started = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, started = r, true
		case strings.ContainsRune(" \t\n", r):
			if started {
				words = append(words, word.String())
				word.Reset()
			}
			started = false
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("--extension ends within a quotation")
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}
