package pschema

import (
	"net/url"
	"strings"
)

// reference is a parsed `$ref` to a named type or a resource.
type reference struct {
	// pkg and version name another package; pkg is "" for the schema's own.
	pkg, version string
	kind         referenceKind
	// token is "" for a provider.
	token string
}

type referenceKind string

const (
	toType     referenceKind = "types"
	toResource referenceKind = "resources"
	toProvider referenceKind = "provider"
)

// builtin is the type behind `pulumi.json#/…`.
func builtin(ref string) (Primitive, bool) {
	switch ref {
	case "pulumi.json#/Any":
		return Any, true
	case "pulumi.json#/Asset":
		return Asset, true
	case "pulumi.json#/Archive":
		return Archive, true
	case "pulumi.json#/Json":
		return JSON, true
	}
	return 0, false
}

// parseReference reads a `$ref` and says what is wrong with it, or "".
func parseReference(text string) (ref reference, problem string) {
	document, fragment, ok := strings.Cut(text, "#")
	if !ok {
		return ref, "it has no fragment, which begins with #"
	}
	if document != "" {
		if ref.pkg, ref.version, problem = parseSchemaPath(document); problem != "" {
			return ref, problem
		}
	}
	// Old generators left slashes in tokens as they are, so only the first counts.
	kind, token, _ := strings.Cut(strings.TrimPrefix(fragment, "/"), "/")
	ref.kind = referenceKind(kind)
	switch ref.kind {
	case toProvider:
		if token != "" {
			return ref, "nothing can follow #/provider"
		}
		return ref, ""
	case toType, toResource:
		return ref.withToken(token)
	}
	return ref, "it should lead to #/types/TOKEN, #/resources/TOKEN, #/provider, or be one of pulumi.json#/Any, " +
		"Asset, Archive and Json"
}

func (r reference) withToken(escaped string) (reference, string) {
	token, err := url.PathUnescape(escaped)
	if err != nil || token == "" {
		return r, "the token in it cannot be read"
	}
	r.token = token
	return r, ""
}

// parseSchemaPath reads `/PACKAGE/vVERSION/schema.json`, also behind a host.
func parseSchemaPath(text string) (pkg, version, problem string) {
	const want = "its path should be /PACKAGE/vVERSION/schema.json"
	address, err := url.Parse(text)
	if err != nil {
		return "", "", want
	}
	parts := strings.Split(strings.TrimPrefix(address.Path, "/"), "/")
	if len(parts) != 3 || parts[0] == "" || parts[2] != "schema.json" || !strings.HasPrefix(parts[1], "v") {
		return "", "", want
	}
	version, ok := parseVersion(parts[1])
	if !ok {
		return "", "", "its version, " + parts[1] + ", is not semantic"
	}
	return parts[0], version, ""
}
