package sdkgen

import (
	"strings"
	"unicode"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// MemberName is the last part of a token.
func MemberName(token string) string {
	t, _ := pschema.ParseToken(token)
	return t.Name
}

// Pascal makes a name that begins with a capital, out of one with separators:
// what follows each is a capital letter, and all else stays as it is.
func Pascal(name string) string {
	if isPascal(name) {
		return name
	}
	var b strings.Builder
	upper := true
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			upper = true
			continue
		}
		if upper {
			r = unicode.ToUpper(r)
		}
		upper = false
		b.WriteRune(r)
	}
	return b.String()
}

// isPascal reports whether Pascal leaves a name as it is.
func isPascal(name string) bool {
	for i := range len(name) {
		c := name[i]
		capital, letter, digit := c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9'
		if !capital && (i == 0 || !letter && !digit) {
			return false
		}
	}
	return true
}

// ClassName is what SDKs call a resource's class: its Pascal name, and
// Provider for a provider.
func ClassName(r *pschema.Resource) string {
	if r.IsProvider {
		return "Provider"
	}
	return Pascal(MemberName(r.Token))
}
