package pschema

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Token is the name of a member: `package:module:Name`. A method's name is
// that of its resource, a slash and its own.
type Token struct{ Package, Module, Name string }

// ParseToken splits a token; false where it has no three parts.
func ParseToken(text string) (Token, bool) {
	pkg, rest, _ := strings.Cut(text, ":")
	module, name, ok := strings.Cut(rest, ":")
	if !ok || strings.Contains(name, ":") {
		return Token{}, false
	}
	return Token{Package: pkg, Module: module, Name: name}, true
}

func (t Token) String() string { return t.Package + ":" + t.Module + ":" + t.Name }

// Module is the module that a token's member is in, as SDKs lay it out:
// segments between slashes, "" for the package's own. It is the token's middle
// part as the schema's meta.moduleFormat reads it; "index" is the root, and a
// provider is in the root.
func (p *Package) Module(token string) string {
	parsed, ok := ParseToken(token)
	if !ok || parsed.Package == "pulumi" && (parsed.Module == "pulumi" || parsed.Module == "providers") {
		return ""
	}
	return p.moduleNames.get(parsed.Module, func() string { return p.readModule(parsed.Module) })
}

// readModule reads the middle part of a token.
func (p *Package) readModule(module string) string {
	if p.moduleFormat != nil {
		match := p.moduleFormat.FindStringSubmatch(module)
		if len(match) < 2 {
			return ""
		}
		module = match[1]
	}
	if module == "index" {
		return ""
	}
	return module
}

// tokenShape is the metaschema's pattern for tokens. Hyphens in the name are
// for methods of resources that have them, so they are let pass everywhere.
func tokenShape() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z][-a-zA-Z0-9_]*:([^0-9:][a-zA-Z0-9._/-]*)?:[^0-9:][a-zA-Z0-9._/-]*$`)
}

// wrongWithToken says what is wrong with the token of a member, or "".
func (p *Package) wrongWithToken(token string, shape *regexp.Regexp) string {
	parsed, ok := ParseToken(token)
	module := p.Module(token)
	switch {
	case !ok:
		return "it should have three parts, `package:module:Name`"
	case !shape.MatchString(token):
		return "a part holds characters that no SDK could name"
	case !p.ownsPrefix(parsed):
		return "its first part should be the package, " + p.Header.Name + ", or one of allowedPackageNames"
	case escapes(module) || escapes(parsed.Name):
		return "a part of it is `..`, or none at all"
	case module == "" && strings.EqualFold(parsed.Name, "provider"):
		return "the provider has that name in the root module"
	case strings.HasPrefix(module, "index/"):
		return "modules below index cannot be"
	}
	return ""
}

func (p *Package) ownsPrefix(token Token) bool {
	// Methods of the provider are functions of `pulumi:providers:PACKAGE/name`.
	ofProvider := strings.HasPrefix(token.String(), p.ProviderToken()+"/")
	return token.Package == p.Header.Name ||
		slices.Contains(p.Header.AllowedPackageNames, token.Package) ||
		ofProvider
}

// escapes reports whether a module or name would leave its directory.
func escapes(path string) bool {
	if path == "" {
		return false
	}
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return true
		}
	}
	return false
}

// parseVersion reads a semantic version, with or without a "v", and fills in
// parts that are missing at its end.
func parseVersion(text string) (string, bool) {
	version := "v" + strings.TrimPrefix(text, "v")
	if !semver.IsValid(version) {
		return "", false
	}
	if strings.Count(version, ".") < 2 && !strings.ContainsAny(version, "-+") {
		version = semver.Canonical(version)
	}
	return version[1:], true
}
