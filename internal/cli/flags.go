package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// strictFlags holds the flags of cmd and of all commands below it to what a
// user who gives one means: an empty value is a shell's variable that is not
// set.
func strictFlags(cmd *cobra.Command) {
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" { // a switch
			return
		}
		if f.DefValue == "[]" { // what help takes for no default of a list only
			f.DefValue = ""
		}
		f.Value = &strictValue{Value: f.Value}
	})
	for _, below := range cmd.Commands() {
		strictFlags(below)
	}
}

// strictValue is a flag's value that is not empty.
type strictValue struct{ pflag.Value }

// Set implements pflag.Value.
func (v *strictValue) Set(text string) error {
	if text == "" {
		return emptyFlag()
	}
	return v.Value.Set(text)
}
