package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/formation-iac/formation/internal/base/suggest"
)

// suggested asks whether a flag that cmd does not have means one that it has.
func suggested(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := suggest.Nearest(unknown.GetSpecifiedName(), names)
	if len(near) == 0 {
		return err
	}
	for i := range near {
		near[i] = "--" + near[i]
	}
	return misspeltFlag(err, suggest.Question(near))
}

// strictFlags holds the flags of cmd and of all commands below it to what a
// user who gives one means: an empty value is a shell's variable that is not
// set, and of two values for a flag that takes one, one would be lost.
func strictFlags(cmd *cobra.Command) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" { // a switch
			return
		}
		_, several := f.Value.(pflag.SliceValue)
		if several && f.DefValue == "[]" { // what help takes for no default of a list only
			f.DefValue = ""
		}
		f.Value = &strictValue{Value: f.Value, several: several}
	})
	for _, below := range cmd.Commands() {
		strictFlags(below)
	}
}

// strictValue is a flag's value that is given once, unless it is one of
// several, and is not empty.
type strictValue struct {
	pflag.Value
	several, given bool
}

// Set implements pflag.Value.
func (v *strictValue) Set(text string) error {
	switch {
	case text == "":
		return emptyFlag()
	case v.given && !v.several:
		return repeatedFlag(v.String())
	}
	v.given = true
	return v.Value.Set(text)
}
