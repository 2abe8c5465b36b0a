package tfregistry

import (
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

func decodeInstallation(blocks []cliEntry) (*Installation, diag.List) {
	out := &Installation{}
	var diags diag.List
	for _, block := range blocks {
		methods, err := block.block()
		if err != nil {
			diags = append(diags, asDiagnostics(err)...)
			continue
		}
		for _, entry := range methods {
			diags = append(diags, asDiagnostics(out.decodeMethod(entry))...)
		}
	}
	return out, diags
}

func (i *Installation) decodeMethod(entry cliEntry) error {
	members, err := entry.block()
	if err != nil {
		return err
	}
	switch kind := MethodKind(entry.key); kind {
	case "dev_overrides":
		if len(i.Methods) > 0 {
			return invalidCLIFile(entry.at, "dev_overrides must stand before every other method, since it always comes first")
		}
		return i.decodeOverrides(members)
	case Direct, FilesystemMirror, NetworkMirror:
		method := Method{Kind: kind}
		for _, member := range members {
			if err := method.decodeArgument(member); err != nil {
				return err
			}
		}
		if err := method.check(); err != nil {
			return invalidCLIFile(entry.at, err.Error())
		}
		i.Methods = append(i.Methods, method)
		return nil
	case "oci_mirror":
		return ociMirror(entry.at)
	}
	return invalidCLIFile(entry.at, fmt.Sprintf("unknown installation method %q; known are dev_overrides, direct, filesystem_mirror and network_mirror", entry.key))
}

func (i *Installation) decodeOverrides(members []cliEntry) error {
	if i.DevOverrides == nil {
		i.DevOverrides = map[tfaddr.Provider]string{}
	}
	for _, member := range members {
		p, err := tfaddr.ParseProvider(member.key)
		if err != nil {
			return invalidCLIFile(member.at, err.Error())
		}
		path, err := member.text()
		if err != nil {
			return err
		}
		i.DevOverrides[p] = filepath.Clean(path)
	}
	return nil
}

func (m *Method) decodeArgument(entry cliEntry) error {
	var err error
	switch {
	case entry.key == "include":
		m.Include, err = entry.texts()
	case entry.key == "exclude":
		m.Exclude, err = entry.texts()
	case entry.key == "path" && m.Kind == FilesystemMirror, entry.key == "url" && m.Kind == NetworkMirror:
		m.Location, err = entry.text()
	case entry.key == "trust_all_hashes" && m.Kind == NetworkMirror:
		m.TrustAllHashes, err = entry.boolean()
	}
	return err
}

func (m *Method) check() error {
	for _, text := range append(append([]string{}, m.Include...), m.Exclude...) {
		if _, err := parsePattern(text); err != nil {
			return err
		}
	}
	switch m.Kind {
	case FilesystemMirror:
		if m.Location == "" {
			return fmt.Errorf("filesystem_mirror needs a path")
		}
	case NetworkMirror:
		u, err := url.Parse(m.Location)
		if err != nil || u.Scheme != "https" || u.Host == "" {
			return fmt.Errorf("network_mirror needs a url that starts with https://")
		}
	}
	return nil
}
