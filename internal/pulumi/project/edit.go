package project

import (
	"encoding/base64"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/formation-iac/formation/internal/base/diag"
)

const packagesField = "packages"

// WithPackage returns the manifest in which the entry name of `packages` is
// spec. The entry is in the short form where that says all, unless it was an
// object before, or all the others are.
func (m *Manifest) WithPackage(name string, spec PackageSpec) (*Manifest, diag.List) {
	if name == "" || strings.ContainsAny(name, "\r\n") {
		return nil, diag.List{invalidPackageName(name)}
	}
	old, had := m.Package(name)
	if had && samePackage(old.PackageSpec, spec) {
		return m, nil
	}
	value := spec.node()
	if text, ok := spec.short(); ok && !m.prefersObject(old, had) {
		value = textNode(text)
	}
	return m.edited([]string{packagesField, name}, value)
}

// prefersObject reports whether an entry should be an object though the short
// form would do.
func (m *Manifest) prefersObject(old Package, had bool) bool {
	if had {
		return old.object
	}
	return len(m.Packages) > 0 && !slices.ContainsFunc(m.Packages, func(p Package) bool { return !p.object })
}

// samePackage takes nil and empty for the same.
func samePackage(a, b PackageSpec) bool { return reflect.DeepEqual(a.normal(), b.normal()) }

func (s PackageSpec) normal() PackageSpec {
	s.Parameters = append([]string{}, s.Parameters...)
	s.Extensions = append([]string{}, s.Extensions...)
	sums := map[string][]byte{}
	maps.Copy(sums, s.Checksums)
	s.Checksums = sums
	return s
}

// node is the long form of s.
func (s PackageSpec) node() *yaml.Node {
	object := with(objectNode(), sourceField, textNode(s.Source))
	if s.Version != "" {
		with(object, versionField, textNode(s.Version))
	}
	if len(s.Parameters) > 0 {
		with(object, parametersField, listNode(s.Parameters))
	}
	if len(s.Checksums) > 0 {
		sums := map[string]string{}
		for platform, sum := range s.Checksums {
			sums[platform] = base64.StdEncoding.EncodeToString(sum)
		}
		with(object, checksumsField, textsNode(sums))
	}
	if s.PluginDownloadURL != "" {
		with(object, pluginDownloadURLField, textNode(s.PluginDownloadURL))
	}
	if len(s.Extensions) > 0 {
		with(object, extensionsField, listNode(s.Extensions))
	}
	return object
}

// WithoutPackage returns the manifest without the entry name of `packages`.
func (m *Manifest) WithoutPackage(name string) (*Manifest, diag.List) {
	if _, had := m.Package(name); !had {
		return m, nil
	}
	if len(m.Packages) == 1 {
		return m.edited([]string{packagesField}, nil)
	}
	return m.edited([]string{packagesField, name}, nil)
}

// WithProvider returns the manifest in which a provider's plugin is taken from
// a directory. An option of the same name and version is replaced.
func (m *Manifest) WithProvider(option PluginOption) (*Manifest, diag.List) {
	options := slices.Clone(m.Plugins.Providers)
	at := slices.IndexFunc(options, func(o PluginOption) bool { return o.Name == option.Name && o.Version == option.Version })
	if at < 0 {
		options = append(options, option)
	} else {
		options[at] = option
	}
	list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	for _, o := range options {
		list.Content = append(list.Content, o.node())
	}
	return m.edited([]string{"plugins", "providers"}, list)
}

func (o PluginOption) node() *yaml.Node {
	object := with(objectNode(), "name", textNode(o.Name))
	if o.Version != "" {
		with(object, "version", textNode(o.Version))
	}
	return with(object, "path", textNode(o.Path))
}

// edited returns the manifest with value at path of its file, or without it
// where value is nil.
func (m *Manifest) edited(path []string, value *yaml.Node) (*Manifest, diag.List) {
	src, diags := edited(m.Path, m.Source, path, value)
	if diags.HasErrors() {
		return nil, diags
	}
	return Decode(m.Path, src)
}

// SetYAML returns the text of any YAML file with value at the path of keys. As
// in a manifest, everything else keeps its bytes; a file of nothing but
// comments counts as a mapping of nothing.
func SetYAML(file string, src []byte, keys []string, value any) ([]byte, diag.List) {
	var node yaml.Node
	if err := node.Encode(value); err != nil {
		return nil, diag.List{invalidYAML(file, err)}
	}
	var top yaml.Node
	if err := yaml.Unmarshal(src, &top); err != nil || top.Kind != 0 {
		return edited(file, src, keys, &node)
	}
	after := slices.Clone(src)
	if len(after) > 0 && after[len(after)-1] != '\n' {
		after = append(after, '\n')
	}
	lines := (&editor{step: 2}).blockLines(nest(keys, &node), "")
	return append(after, strings.Join(lines, "\n")+"\n"...), nil
}

// edited returns src with value at path, or without it where value is nil.
func edited(file string, src []byte, path []string, value *yaml.Node) ([]byte, diag.List) {
	doc, diags := parse(file, src)
	if doc == nil {
		return nil, diags
	}
	e := newEditor(doc)
	if value == nil {
		e.drop(doc.root, path)
	} else {
		e.put(doc.root, path, value)
	}
	after := apply(src, e.patches)
	if !proves(file, src, after, e, path, value) {
		return nil, diag.List{cannotEdit(file, strings.Join(path, "."), byHand(e, path, value))}
	}
	return after, nil
}

// proves reports whether after is before with value at path, and nothing else
// changed: no other value, and no comment but those of removed lines.
func proves(file string, before, after []byte, e *editor, path []string, value *yaml.Node) bool {
	want, _ := parse(file, before)
	got, _ := parse(file, after)
	if want == nil || got == nil || !assign(want.root, path, value) || !same(want.root, got.root) {
		return false
	}
	missing := map[string]int{}
	comments(e.doc.root, 1, missing)
	comments(got.root, -1, missing)
	for removed := range e.removed {
		comments(removed, -1, missing)
	}
	for _, n := range missing {
		if n > 0 {
			return false
		}
	}
	return true
}

// byHand is what the user should write.
func byHand(e *editor, path []string, value *yaml.Node) string {
	if value == nil {
		return "delete " + strings.Join(path, ".")
	}
	return strings.Join(e.blockLines(nest(path, value), "  "), "\n")
}
