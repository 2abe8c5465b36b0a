package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/blang/semver/v4"
	"github.com/spf13/cobra"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/release"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/plugin/source"
	"github.com/formation-iac/formation/internal/workflow"
)

// pluginInstall is what the flags of `plugin install` say.
type pluginInstall struct {
	server, file, checksum string
	exact, reinstall, own  bool
	parallel               int
}

func (a *app) pluginInstallCommand() *cobra.Command {
	var req pluginInstall
	cmd := &cobra.Command{
		Use:   "install [KIND NAME [VERSION]]",
		Short: "Install a plugin, or all that the project here needs",
		Long: `Install a plugin into the cache, with all that it depends on; without
arguments all plugins that the project here needs.

KIND is resource, language, analyzer, converter or tool. NAME is a name,
publisher/name, or a git repository such as example.org/org/repo.git/sub; a
version may stand behind an @. A later version that is installed will do,
unless --exact is given; without VERSION any will.

--own puts the plugins that formation comes with into the cache, where the
pulumi program finds them: under all of their names at the version of formation,
or in the place of one plugin and version that an SDK or a stack names.

An installation that was interrupted goes on where it ended.`,
		Example: `  formation plugin install resource random 4.16.0
  formation plugin install resource mine 1.0.0 --file ./pulumi-resource-mine
  formation plugin install resource acme 1.2.3 --server https://example.org/plugins
  formation plugin install          # what the project here needs
  formation plugin install --own    # ours, so that the pulumi program finds them
  formation plugin install --own resource terraform-provider 1.0.2`,
		Args: between(0, 3, "KIND and NAME, and perhaps VERSION; or nothing"),
		RunE: func(cmd *cobra.Command, args []string) error { return a.pluginInstall(cmd, req, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&req.server, "server", "", "`URL` to download from")
	flags.BoolVar(&req.exact, "exact", false, "install this very version, even where a later one is installed")
	flags.StringVarP(&req.file, "file", "f", "", "install from a `FILE`: an executable, a directory, or a .tar.gz archive")
	flags.BoolVar(&req.reinstall, "reinstall", false, "install anew what is installed")
	flags.StringVar(&req.checksum, "checksum", "", "SHA-256 that the archive must have")
	flags.IntVar(&req.parallel, "parallel", 4, "plugins to install at one time; below 1 all of them")
	flags.BoolVar(&req.own, "own", false, "put the plugins that formation comes with into the cache")
	return cmd
}

func (a *app) pluginInstall(cmd *cobra.Command, req pluginInstall, args []string) error {
	if err := req.check(args); err != nil {
		return &usageError{command: cmd.CommandPath(), err: err}
	}
	var work func(context.Context, *workflow.Plugins) ([]install.Installed, diag.List)
	switch {
	case req.own && len(args) == 0:
		work = req.shipAll
	case len(args) == 0:
		work = req.installProject
	default:
		kind, err := parseKind(cmd, args[0])
		if err != nil {
			return err
		}
		if work, err = req.installOne(kind, args[1], strings.Join(args[2:], "")); err != nil {
			a.say(diag.FromError("CL0007", "Not a plugin", err), nil)
			return done(exitUsage)
		}
	}
	var installed []install.Installed
	diags := a.withPlugins(cmd.Context(), func(env *workflow.PluginEnvironment) { env.Parallel = atOnce(req.parallel) },
		func(ctx context.Context, p *workflow.Plugins) (diags diag.List) {
			installed, diags = work(ctx, p)
			return diags
		})
	return a.printInstalled(installed, diags)
}

// atOnce is --parallel as an environment has it, where 0 is not given.
func atOnce(parallel int) int {
	if parallel < 1 {
		return -1
	}
	return parallel
}

// check says what in the flags and arguments does not fit together.
func (r pluginInstall) check(args []string) error {
	switch {
	case r.own && (r.server != "" || r.file != "" || r.checksum != "" || r.exact):
		return errors.New("--own installs what formation comes with, and nothing else")
	case r.own && len(args) > 0 && len(args) < 3:
		return errors.New("--own wants KIND, NAME and VERSION of the plugin in whose place ours is to stand; or nothing")
	case len(args) == 1:
		return fmt.Errorf("want a NAME after the kind %q", args[0])
	case r.file != "" && len(args) < 3:
		return errors.New("--file needs KIND, NAME and VERSION: a file does not tell")
	case r.file != "" && r.server != "":
		return errors.New("--file and --server are two places to install from")
	case r.checksum != "" && len(args) == 0:
		return errors.New("--checksum is that of one plugin: want KIND and NAME")
	case r.server != "" && len(args) == 0:
		return errors.New("--server is that of one plugin: want KIND and NAME")
	}
	return nil
}

// installOne is the work for a plugin that the user names.
func (r pluginInstall) installOne(kind plugin.Kind, name, version string) (func(context.Context, *workflow.Plugins) ([]install.Installed, diag.List), error) {
	var sums plugin.Checksums
	if r.checksum != "" {
		sum, err := plugin.ParseChecksum(r.checksum)
		if err != nil {
			return nil, err
		}
		sums = plugin.Checksums{plugin.CurrentPlatform().String(): sum}
	}
	if r.file != "" || r.own {
		v, err := plugin.ParseVersion(version)
		if err != nil {
			return nil, err
		}
		c := plugin.Concrete{Kind: kind, Name: name, Version: v, Checksums: sums}
		if r.own {
			return r.ship(c), nil
		}
		return r.fromFile(c), nil
	}
	d, diags := source.Describe(name, source.Wish{Kind: kind, Version: version, Exact: r.exact, Server: r.server, Checksums: sums})
	if diags.HasErrors() {
		return nil, diags.Err()
	}
	return func(ctx context.Context, p *workflow.Plugins) ([]install.Installed, diag.List) {
		return p.Installer.Install(ctx, install.Request{Descriptors: []plugin.Descriptor{d}, Project: p.Project, Reinstall: r.reinstall})
	}, nil
}

func (r pluginInstall) fromFile(c plugin.Concrete) func(context.Context, *workflow.Plugins) ([]install.Installed, diag.List) {
	return func(ctx context.Context, p *workflow.Plugins) ([]install.Installed, diag.List) {
		got, diags := p.Installer.InstallFile(ctx, install.FileRequest{Plugin: c, Path: r.file, Reinstall: r.reinstall})
		return []install.Installed{got}, diags
	}
}

func (r pluginInstall) installProject(ctx context.Context, p *workflow.Plugins) ([]install.Installed, diag.List) {
	return p.InstallPlugins(ctx, r.reinstall)
}

// shipAll puts our plugins into the cache at the version of this release.
func (r pluginInstall) shipAll(ctx context.Context, p *workflow.Plugins) ([]install.Installed, diag.List) {
	version, err := semver.Parse(release.Semantic())
	if err != nil {
		return nil, diag.FromError("CL0005", "This program has no version", err)
	}
	return r.ship(install.OwnPlugins(version)...)(ctx, p)
}

// ship puts our plugins into the cache as those that are named.
func (r pluginInstall) ship(plugins ...plugin.Concrete) func(context.Context, *workflow.Plugins) ([]install.Installed, diag.List) {
	return func(ctx context.Context, p *workflow.Plugins) ([]install.Installed, diag.List) {
		dir, err := install.ProgramDir()
		if err != nil {
			return nil, diag.FromError("CL0005", "Cannot tell where this program is", err)
		}
		return p.Installer.Ship(ctx, install.ShipRequest{Dir: dir, Plugins: plugins, Reinstall: r.reinstall})
	}
}

// installedJSON is an installed plugin for machines.
type installedJSON struct {
	// Name is the package's in `packages`, or the plugin's.
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Version string `json:"version,omitempty"`
	Path    string `json:"path"`
	// Fresh says that it was not installed before.
	Fresh bool `json:"fresh"`
}

func (a *app) printInstalled(installed []install.Installed, diags diag.List) error {
	if a.json {
		list := []installedJSON{}
		for _, i := range distinct(installed) {
			list = append(list, machineReadable(i))
		}
		if err := a.writeJSON(struct {
			Diagnostics diag.List       `json:"diagnostics"`
			Installed   []installedJSON `json:"installed"`
		}{orEmpty(diags), list}); err != nil {
			return err
		}
	} else {
		a.print(installedText(installed))
	}
	return ended(diags)
}

// ended is how a command ends after these diagnostics.
func ended(diags diag.List) error {
	if diags.HasErrors() {
		return done(exitFailed)
	}
	for _, d := range diags {
		if d.Code == workflow.CodeNoDependencies {
			return done(exitPartial)
		}
	}
	return nil
}

func machineReadable(i install.Installed) installedJSON {
	out := installedJSON{Name: i.Name, Kind: string(i.Descriptor.Kind), Path: i.Path, Fresh: i.Fresh}
	if out.Name == "" {
		out.Name = shortSource(i)
	}
	if i.Local == "" {
		out.Kind, out.Version = string(i.Plugin.Kind), i.Plugin.Version.String()
		if i.Name == "" {
			out.Name = i.Plugin.Name
		}
	}
	return out
}

// shortSource is what a plugin was asked for by: a name, or the end of a path
// that nobody wrote.
func shortSource(i install.Installed) string {
	if i.Name == "" && filepath.IsAbs(i.Descriptor.Source) {
		return filepath.Base(i.Descriptor.Source)
	}
	return i.Descriptor.Source
}

// distinct leaves out what comes again without a name of its own: a program
// needs the plugins of its packages as well.
func distinct(installed []install.Installed) []install.Installed {
	var out []install.Installed
	seen := map[string]bool{}
	for _, i := range installed {
		if i.Path == "" || i.Name == "" && seen[i.Path] {
			continue
		}
		seen[i.Path] = true
		out = append(out, i)
	}
	return out
}

func installedText(installed []install.Installed) string {
	var b strings.Builder
	for _, i := range distinct(installed) {
		if i.Name != "" {
			fmt.Fprintf(&b, "package %s: ", i.Name)
		}
		switch {
		case i.Local != "":
			fmt.Fprintf(&b, "%s plugin %s: found in %s\n", i.Descriptor.Kind, shortSource(i), i.Path)
		case i.Fresh:
			fmt.Fprintf(&b, "%s: installed\n", i.Plugin)
		default:
			fmt.Fprintf(&b, "%s: was installed already\n", i.Plugin)
		}
	}
	return b.String()
}
