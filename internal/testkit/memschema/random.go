package memschema

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/randschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Random makes a provider whose type names are "thing_…". Many of its names
// fall together in another spelling.
func Random(seed uint64) *Schemas {
	m := randschema.New(seed, randschema.Options{Depth: 3, Dynamic: true, WriteOnly: true})
	s := &Schemas{
		Provider:  m.Block(),
		Resources: randomTypes(m), Data: randomTypes(m), Ephemeral: randomTypes(m), Lists: randomTypes(m),
		Functions: map[string]*tfschema.Function{},
	}
	for range m.IntN(4) {
		name := randomName(m)
		s.Functions[name] = randomFunction(m, name)
	}
	return s
}

func randomTypes(m *randschema.Maker) map[string]*tfschema.Block {
	all := map[string]*tfschema.Block{}
	for range m.IntN(6) {
		b := m.Block()
		b.Deprecated = m.IntN(4) == 0
		b.Description = fmt.Sprintf("Has `%s` and [more](/more).", randomName(m))
		all["thing_"+randomName(m)] = b
	}
	return all
}

// randomName has one to three parts.
func randomName(m *randschema.Maker) string {
	parts := []string{"get", "ephemeral", "pulumi", "provider", "a", "b", "A", "ab", "v2", "1"}
	name := parts[m.IntN(len(parts))]
	for range m.IntN(3) {
		name += []string{"_", "", "-"}[m.IntN(3)] + parts[m.IntN(len(parts))]
	}
	return name
}

func randomFunction(m *randschema.Maker, name string) *tfschema.Function {
	f := &tfschema.Function{Name: name, Return: randomType(m), Summary: "It works."}
	for range m.IntN(4) {
		parameter := []string{"", "pulumi", "a_b", "a__b", "rest"}[m.IntN(5)]
		f.Parameters = append(f.Parameters, &tfschema.Parameter{Name: parameter, Type: randomType(m), AllowNull: m.IntN(2) == 0})
	}
	if m.IntN(2) == 0 {
		f.Variadic = &tfschema.Parameter{Name: "rest", Type: randomType(m)}
	}
	return f
}

// randomType is the type of a whole random block, or a dynamic or simple one.
func randomType(m *randschema.Maker) cty.Type {
	return []cty.Type{cty.String, cty.DynamicPseudoType, cty.List(cty.Number), m.Block().ImpliedType()}[m.IntN(4)]
}
