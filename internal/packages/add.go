package packages

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/plugin/install"
	"github.com/formation-iac/formation/internal/pulumi/project"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Added is a package that a project has now.
type Added struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Runtime is the project's language.
	Runtime string `json:"runtime"`
	// SDK is the SDK's directory, or file, below the project's, with slashes.
	SDK string `json:"sdk"`
	// Import says how a program gets at it.
	Import string `json:"import,omitempty"`
	// Next is what is left for the user to run; or "".
	Next string `json:"next,omitempty"`
	// Plugin is the package's, or nil where a schema file stands for it.
	Plugin *install.Installed `json:"-"`
}

// AddTo writes a package's SDK for a language into the user's directory, where
// there is no project to record it in.
func (p *Packages) AddTo(ctx context.Context, s Source, language string) (Added, diag.List) {
	if m := p.opts.Project; m != nil {
		return Added{}, diag.List{languageOfProject(m.Path, m.Runtime.Name)}
	}
	stand := filepath.Join(p.opts.WorkDir, project.Plugin.FileName())
	m, diags := project.Decode(stand, []byte("runtime: "+strconv.Quote(Runtime(language))+"\n"))
	if diags.HasErrors() {
		return Added{}, diags
	}
	pkg, diags := p.Open(ctx, s)
	if diags.HasErrors() {
		return Added{}, diags
	}
	r, more := enter(ctx, sdks(m))
	if diags = append(diags, more...); more.HasErrors() {
		return Added{}, diags
	}
	defer r.leave()
	added, more := p.link(ctx, m, pkg, false)
	return added, append(append(append(diags, more...), selectionIgnored(m, s)...), nothingIn(pkg)...)
}

// sdks is where a project has its SDKs.
func sdks(m *project.Manifest) string { return filepath.Join(m.Dir(), "sdks") }

// Add writes a package's SDK into the project, links it, and records where it
// comes from.
func (p *Packages) Add(ctx context.Context, s Source) (Added, diag.List) {
	if p.opts.Project == nil {
		return Added{}, diag.List{noProject(p.opts.WorkDir)}
	}
	pkg, diags := p.Open(ctx, s)
	if diags.HasErrors() {
		return Added{}, diags
	}
	r, more := enter(ctx, sdks(p.opts.Project))
	if diags = append(diags, more...); more.HasErrors() {
		return Added{}, diags
	}
	defer r.leave()
	// Others may have added packages in the meantime.
	m, more := project.Load(p.opts.Project.Path)
	if m == nil {
		return Added{}, append(diags, more...)
	}
	p.opts.Project = m
	added, more := p.addTo(ctx, m, pkg)
	return added, append(diags, more...)
}

// addTo is Add for a project that nobody else changes.
func (p *Packages) addTo(ctx context.Context, m *project.Manifest, pkg *Package) (Added, diag.List) {
	recorded := p.record(pkg)
	if d := p.conflict(pkg, recorded); d != nil {
		return Added{}, diag.List{d}
	}
	changed, diags := m, diag.List(nil)
	if !pkg.Source.schemaFile() {
		if changed, diags = p.withEntry(pkg, recorded); diags.HasErrors() {
			return Added{}, diags
		}
	}
	_, named := m.Package(pkg.Bound.Name())
	added, more := p.link(ctx, m, pkg, !named)
	diags = append(append(append(diags, more...), selectionIgnored(m, pkg.Source)...), nothingIn(pkg)...)
	if diags.HasErrors() || pkg.Source.schemaFile() {
		return added, append(diags, selectionNotKept(pkg.Source)...)
	}
	if err := errors.Join(wholefile.Clear(changed.Path), changed.Save()); err != nil {
		diags = append(diags, cannotWrite(changed.Path, err))
	}
	return added, diags
}

// withEntry is the manifest that says where a package comes from, and what its
// SDK has of it.
func (p *Packages) withEntry(pkg *Package, recorded project.PackageSpec) (*project.Manifest, diag.List) {
	name := pkg.Bound.Name()
	changed, diags := p.opts.Project.WithPackage(name, recorded)
	if diags.HasErrors() {
		return nil, diags
	}
	changed, more := p.withPlugin(changed, pkg)
	if diags = append(diags, more...); diags.HasErrors() {
		return nil, diags
	}
	selection := pkg.Source.Selection
	if indivisible(changed) {
		selection = pschema.Selection{}
	}
	changed, more = changed.WithSDK(project.SDK{Package: name, Include: selection.Include, Exclude: selection.Exclude})
	return changed, append(diags, more...)
}

// indivisible reports whether SDKs for a program have all of their package: in
// YAML they are a file that names it.
func indivisible(m *project.Manifest) bool { return Runtime(m.Runtime.Name) == "yaml" }

// record is a package's entry in Pulumi.yaml: what leads to it again.
func (p *Packages) record(pkg *Package) project.PackageSpec {
	s := pkg.Source
	spec := project.PackageSpec{Source: s.Text, PluginDownloadURL: withoutUser(s.Server)}
	if s.Extension {
		spec.Extensions = s.Args
	} else {
		spec.Parameters = s.Args
	}
	switch i := pkg.Installed; {
	case isPath(s.Text):
		spec.Source = relativeTo(p.opts.Project.Dir(), p.absolute(s))
		if own, version, ok := p.ownPlugin(pkg); ok {
			spec.Source, spec.Version = own.Name, version
		}
	case i == nil:
	case i.Local == "":
		spec.Source, spec.Version = sourceOf(*i)
	default: // beside a program, or on the PATH: whichever version that is
		spec.Source = i.Descriptor.Source
		if v, ok := i.Descriptor.Constraint.Version(); ok {
			spec.Version = v.String()
		}
	}
	spec.Source = withoutUser(spec.Source)
	spec.Parameters, spec.Extensions = p.portable(spec.Parameters), p.portable(spec.Extensions)
	return spec
}

// withoutUser takes out of a URL what stands before the @, which may be secret.
// Other texts stay as they are.
func withoutUser(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.User == nil {
		return text
	}
	u.User = nil
	return u.String()
}

// portable writes arguments that are paths relative to the user's directory
// such that they are relative to the project's, where its plugins run.
func (p *Packages) portable(args []string) []string {
	out := slices.Clone(args)
	if p.opts.Project == nil {
		return out
	}
	for i, arg := range out {
		if strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") {
			out[i] = relativeTo(p.opts.Project.Dir(), filepath.Join(p.opts.WorkDir, arg))
		}
	}
	return out
}

func relativeTo(dir, path string) string {
	relative, err := filepath.Rel(dir, path)
	if err != nil {
		return path
	}
	if relative = filepath.ToSlash(relative); !strings.HasPrefix(relative, "../") {
		relative = "./" + relative
	}
	return relative
}

// conflict finds a package of the same name that comes from elsewhere.
// Another version from the same place takes the place of the one before.
func (p *Packages) conflict(pkg *Package, recorded project.PackageSpec) *diag.Diagnostic {
	there, ok := p.opts.Project.Package(pkg.Bound.Name())
	theirs := there.PackageSpec
	if isPath(theirs.Source) && isPath(pkg.Source.Text) && p.opts.Project.Abs(theirs.Source) == p.absolute(pkg.Source) {
		theirs.Source = recorded.Source
	}
	if ok && !same(theirs, recorded) {
		return nameTaken(pkg.Bound.Name(), origin(recorded), origin(there.PackageSpec))
	}
	return p.otherPlugin(pkg)
}

// same reports whether two entries mean the same plugin, and the same thing to
// parameterize it with: whatever else the arguments say, of versions and of a
// part, it is the same package.
func same(a, b project.PackageSpec) bool {
	return plainSource(a.Source) == plainSource(b.Source) && a.PluginDownloadURL == b.PluginDownloadURL &&
		sameThing(a.Parameters, b.Parameters) && sameThing(a.Extensions, b.Extensions)
}

// sameThing compares the first arguments that are no flags. Where there are
// none, all must be equal.
func sameThing(a, b []string) bool {
	x, y := withoutFlags(a), withoutFlags(b)
	if len(x) == 0 || len(y) == 0 {
		return slices.Equal(a, b)
	}
	return x[0] == y[0]
}

// withoutFlags drops flags with their values. A flag that has none takes the
// next argument along: what it means is only known to the plugin.
func withoutFlags(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		flag := len(args[i]) > 1 && args[i][0] == '-'
		switch {
		case !flag:
			out = append(out, args[i])
		case !strings.Contains(args[i], "=") && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
		}
	}
	return out
}

func origin(s project.PackageSpec) string {
	return strings.Join(slices.Concat([]string{s.Source}, s.Parameters, s.Extensions), " ")
}

// Link implements install.Linker: what an installation asks SDKs for.
func (p *Packages) Link(ctx context.Context, m *project.Manifest, packages []install.Installed) diag.List {
	var diags diag.List
	for _, installed := range packages {
		diags = append(diags, p.linkInstalled(ctx, m, installed)...)
	}
	return diags
}

// linkInstalled links what a manifest selects of a package.
func (p *Packages) linkInstalled(ctx context.Context, m *project.Manifest, installed install.Installed) diag.List {
	sdk := m.SDK(installed.Name)
	s := Source{
		Text: installed.Descriptor.Source, Args: installed.Parameterization.Args, Server: installed.Descriptor.Server,
		Selection: pschema.Selection{Include: sdk.Include, Exclude: sdk.Exclude}, SelectedAt: &sdk.Range,
	}
	pkg, diags := p.openInstalled(ctx, s, installed)
	if diags.HasErrors() {
		return diags
	}
	r, more := enter(ctx, sdks(m))
	if diags = append(diags, more...); more.HasErrors() {
		return diags
	}
	defer r.leave()
	_, more = p.link(ctx, m, pkg, false)
	return append(append(diags, more...), selectionIgnored(m, s)...)
}
