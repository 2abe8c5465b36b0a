package crdprovider

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/spf13/pflag"
)

// parameter is what the provider is made of: files in the arguments, their
// content in the value, so that an SDK needs no files.
type parameter struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	CRDs    []string `json:"crds"` // YAML texts
	// Extend has the definitions add to the plugin's package: what comes of
	// them has its provider.
	Extend bool `json:"extend,omitempty"`
}

// defaultVersion is the package's where nothing is said.
const defaultVersion = "1.0.0"

// parseArgs reads: [--name NAME] [--extend] FILE…
func parseArgs(args []string, workDir string) (parameter, error) {
	p := parameter{Version: defaultVersion}
	flags := pflag.NewFlagSet("parameters", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.StringVar(&p.Name, "name", "crds", "")
	flags.BoolVar(&p.Extend, "extend", false, "")
	if err := flags.Parse(args); err != nil {
		return p, fmt.Errorf("%w: give [--name NAME] [--extend] and files with custom resource definitions", err)
	}
	for _, file := range flags.Args() {
		if !filepath.IsAbs(file) {
			file = filepath.Join(workDir, file)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return p, err
		}
		p.CRDs = append(p.CRDs, string(text))
	}
	return p, p.check()
}

// parseValue reads what value wrote.
func parseValue(data []byte) (parameter, error) {
	var p parameter
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("the SDK's parameter cannot be read: %w; generate the SDK again", err)
	}
	return p, p.check()
}

func (p parameter) value() []byte {
	out, _ := json.Marshal(p) // strings always have a JSON form
	return out
}

var validName = regexp.MustCompile(`^[a-z][-a-z0-9]*$`)

func (p parameter) check() error {
	switch {
	case !validName.MatchString(p.Name):
		return fmt.Errorf("%q is no name for a package: give one with --name", p.Name)
	case p.Version == "":
		return errors.New("the parameter has no version")
	case len(p.CRDs) == 0:
		return errors.New("no custom resource definitions: name the files that hold them")
	}
	return nil
}
