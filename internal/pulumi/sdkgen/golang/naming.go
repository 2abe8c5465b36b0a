package golang

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// naming gives the resources and types of a package their Go names. Two that
// would have one name in a Go package are told apart by a word behind that of
// the second: resources come first, since programs name them most.
type naming struct {
	sdk   *sdk
	names map[string]string // by section and token
	// taken are names of resources and types, functions those that functions
	// may take, and whose; both by Go package and name.
	taken     map[string]bool
	functions map[string]string
}

// newNaming binds no more than what may collide.
func newNaming(s *sdk) *naming {
	n := &naming{sdk: s, names: map[string]string{}, taken: map[string]bool{}, functions: map[string]string{}}
	n.resource(s.pkg.ProviderToken(), "Provider")
	for _, token := range s.pkg.ResourceTokens() {
		n.resource(token, sdkgen.Pascal(sdkgen.MemberName(token)))
	}
	for _, token := range s.pkg.FunctionTokens() {
		n.function(token)
	}
	for _, token := range s.pkg.TypeTokens() {
		n.typ(token)
	}
	return n
}

func (n *naming) key(token, name string) string { return n.sdk.moduleKey(token) + " " + name }

func (n *naming) resource(token, name string) {
	for _, suffix := range []string{"", "Resource", "Res", "Resource_"} {
		name := name + suffix
		own := []string{name, name + "Input", name + "Output", name + "Args", name + "State", "New" + name, "Get" + name}
		if n.take("resources", token, own) {
			return
		}
	}
}

func (n *naming) function(token string) {
	name := pascal(sdkgen.MemberName(token))
	for _, suffix := range []string{"", "Args", "Output", "OutputArgs", "Result", "ResultOutput"} {
		n.functions[n.key(token, name+suffix)] = token
	}
}

func (n *naming) typ(token string) {
	name := pascal(sdkgen.MemberName(token))
	if n.takeType(token, name) {
		return
	}
	suffixes := []string{"Type", "Typ", "Type_"}
	t, _ := n.sdk.pkg.Type(token)
	if _, isEnum := t.(*pschema.Enum); isEnum {
		suffixes = []string{"Enum", "Enum_"}
	}
	for _, suffix := range suffixes {
		if n.takeType(token, name+suffix) {
			return
		}
	}
}

func (n *naming) takeType(token, name string) bool {
	own := []string{name, name + "Input", name + "Output", name + "Args"}
	return !slices.ContainsFunc(own, func(name string) bool { return n.ofFunction(token, name) }) && n.take("types", token, own)
}

// take takes names, the first of which a member gets, unless one is taken.
func (n *naming) take(section, token string, own []string) bool {
	for _, name := range own {
		if n.taken[n.key(token, name)] {
			return false
		}
	}
	for _, name := range own {
		n.taken[n.key(token, name)] = true
	}
	n.names[section+token] = own[0]
	return true
}

// ofFunction reports whether a function takes a name: those of arguments and
// results only where it describes these itself.
func (n *naming) ofFunction(token, name string) bool {
	of, ok := n.functions[n.key(token, name)]
	if !ok {
		return false
	}
	fn, _ := n.sdk.pkg.Function(of)
	rest := strings.TrimPrefix(name, pascal(sdkgen.MemberName(of)))
	switch {
	case fn.IsMethod:
		return false
	case strings.HasPrefix(rest, "Result"):
		return fn.InlineResult() != nil
	case strings.HasSuffix(rest, "Args"):
		return len(fn.Arguments()) > 0
	}
	return true
}

// resourceName is the Go name of a resource of the package.
func (s *sdk) resourceName(token string) string {
	if name := s.naming.names["resources"+token]; name != "" {
		return name
	}
	return sdkgen.Pascal(sdkgen.MemberName(token))
}

// typeName is the Go name of an object or enum of the package.
func (s *sdk) typeName(token string) string {
	if name := s.naming.names["types"+token]; name != "" {
		return name
	}
	return pascal(sdkgen.MemberName(token))
}
