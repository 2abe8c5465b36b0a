package sdkts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// reserved are the words that no identifier of a strict-mode module can be.
// Source: ECMA-262, 12.7.2 and 13.1.1.
func reserved(name string) bool {
	switch name {
	case "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else",
		"enum", "export", "extends", "false", "finally", "for", "function", "if", "import", "in", "instanceof",
		"new", "null", "return", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void",
		"while", "with", "await", "yield", "let", "static", "implements", "interface", "package", "private",
		"protected", "public", "arguments", "eval":
		return true
	}
	return false
}

// beginsIdentifier and continuesIdentifier tell which characters identifiers
// are of. Source: ECMA-262, 12.7.
func beginsIdentifier(r rune) bool {
	return r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)
}

func continuesIdentifier(r rune) bool {
	return beginsIdentifier(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc)
}

// identifierName reports whether a name can stand behind a dot.
func identifierName(name string) bool {
	first, size := utf8.DecodeRuneInString(name)
	return size > 0 && beginsIdentifier(first) &&
		strings.IndexFunc(name[size:], func(r rune) bool { return !continuesIdentifier(r) }) < 0
}

// identifier makes a name that declarations can have: an underscore for each
// character that cannot be, and one in front of words that are reserved.
func identifier(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case !continuesIdentifier(r):
			r = '_'
		case i == 0 && !beginsIdentifier(r):
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	if reserved(b.String()) {
		return "_" + b.String()
	}
	return b.String()
}

// typeName is the name of a resource's class, an object's interface or an
// enum: that of the token with a capital in front, and others where something
// stood that no identifier has.
func typeName(token string) string {
	var b strings.Builder
	upper := true
	for _, r := range sdkgen.MemberName(token) {
		if !continuesIdentifier(r) {
			upper = true
			continue
		}
		if upper {
			r = unicode.ToUpper(r)
		}
		upper = false
		b.WriteRune(r)
	}
	return identifier(b.String())
}

// className is the name of the class of a resource of the package.
func (s *sdk) className(token string) string {
	if token == s.pkg.ProviderToken() {
		return "Provider"
	}
	return typeName(token)
}

// camel writes all capitals at the beginning of a name in lower case.
func camel(name string) string {
	end := strings.IndexFunc(name, unicode.IsLower)
	if end < 0 {
		end = len(name)
	}
	return strings.ToLower(name[:end]) + name[end:]
}

// localClass is what the file of a class calls it: TypeScript lets no class
// have the name of what CommonJS modules need at their top.
func localClass(name string) string {
	if name == "Object" {
		return name + "_"
	}
	return name
}

func upperFirst(name string) string {
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + name[size:]
}

// functionName is what programs call a function; it may be a reserved word.
func functionName(f *pschema.Function) string { return camel(typeName(f.Token)) }

// local is a name for a declaration inside a file, which is exported as name.
func local(name string) string {
	if reserved(name) {
		return name + "_"
	}
	return name
}

// ofEveryObject reports whether all objects have a member of that name. One
// that is not their own says nothing. Source: ECMA-262, 20.1.3 and B.2.2.
func ofEveryObject(name string) bool {
	switch name {
	case "__proto__", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__":
		return true
	}
	return typedInEveryObject(name)
}

// typedInEveryObject reports whether TypeScript knows of the member too: then
// an object that lacks an optional property of that name would not do.
func typedInEveryObject(name string) bool {
	switch name {
	case "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf":
		return true
	}
	return false
}

// key writes a property's name where an object or interface declares it.
func key(name string) string {
	if name == "__proto__" { // which by itself is no property but the object's prototype
		return "[" + quote(name) + "]"
	}
	if identifierName(name) {
		return name
	}
	return quote(name)
}

// member writes access to a property: object.name, or object["name"].
func member(object, name string) string {
	if ofEveryObject(name) {
		return ownMember("", object, name)
	}
	if identifierName(name) {
		return object + "." + name
	}
	return object + "[" + quote(name) + "]"
}

// maybeMember is member for an object that may be undefined.
func maybeMember(object, name string) string {
	if ofEveryObject(name) {
		return ownMember(object+" && ", object, name)
	}
	if identifierName(name) {
		return object + "?." + name
	}
	return object + "?.[" + quote(name) + "]"
}

// ownMember writes access to a property that an object may only seem to have.
func ownMember(condition, object, name string) string {
	return "(" + condition + "{}.hasOwnProperty.call(" + object + ", " + quote(name) + ") ? (" + object + " as any)[" + quote(name) + "] : undefined)"
}

// segments are the parts of a module's path as an index exports them, each
// inside of the one before.
func segments(module string) []string {
	if module == "" {
		return nil
	}
	parts := strings.Split(module, "/")
	for i, part := range parts {
		parts[i] = identifier(part)
	}
	return parts
}

// namespaces are the parts of a module's path as types see them. Dots separate
// namespaces as slashes do.
func namespaces(module string) []string {
	if module == "" {
		return nil
	}
	parts := strings.FieldsFunc(module, func(r rune) bool { return r == '/' || r == '.' })
	for i, part := range parts {
		parts[i] = identifier(part)
	}
	return parts
}
