package mapping

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Member is a resource or function of a package, by its names.
type Member struct {
	Token     string
	Terraform string
	Kind      FunctionKind // 0 for a resource
}

// resourceMembers gives every resource type its token, of a name that is not
// taken. The type called PREFIX_provider comes last, under another name.
func (s *selection) resourceMembers(pkg, prefix string, taken nameSet) []Member {
	var members []Member
	add := func(terraform, name string) {
		members = append(members, Member{token(pkg, taken.claim(letterFirst(memberName(name, prefix)))), terraform, 0})
	}
	provider := prefix + "_provider"
	for _, name := range s.names(tfschema.KindResource) {
		if name != provider {
			add(name, name)
		}
	}
	if s.has(provider) && s.catalog.Has(tfschema.KindResource, provider) {
		add(provider, s.providerName(pkg, prefix))
	}
	return sorted(members)
}

// providerName is after what the type called PREFIX_provider is named: its
// own name would be that of the package's Provider.
func (s *selection) providerName(pkg, prefix string) string {
	candidates := []string{prefix + "_" + pkg + "_provider", prefix + "_provider_resource", prefix + "_" + pkg + "_provider_resource"}
	for _, c := range candidates {
		if !s.catalog.Has(tfschema.KindResource, c) {
			return c
		}
	}
	return candidates[0]
}

// functionMembers gives every data source, function and ephemeral resource
// type its token: getThing, thing and getEphemeralThing. Data sources choose
// before the others, so that they are called as without them; but all after
// the resources, which programs could not tell apart from a function of their
// name.
func (s *selection) functionMembers(pkg, prefix string, taken nameSet) []Member {
	var members []Member
	add := func(kind FunctionKind, terraform, name string) {
		members = append(members, Member{token(pkg, taken.claim(letterFirst(name))), terraform, kind})
	}
	for _, name := range s.names(tfschema.KindDataSource) {
		add(FunctionDataSource, name, "get"+memberName(name, prefix))
	}
	taken[reservedName] = true
	for _, name := range s.functionNames() {
		add(FunctionProvider, name, joinWords(name))
	}
	for _, name := range s.names(tfschema.KindEphemeral) {
		add(FunctionEphemeral, name, "getEphemeral"+memberName(name, prefix))
	}
	return sorted(members)
}

func sorted(members []Member) []Member {
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Token, b.Token) })
	return members
}
