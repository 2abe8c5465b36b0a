package link

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestBuiltinNames holds the rules for providers that cannot be run here to
// the names in their documentation: a misspelt one would never make a link,
// and nobody would be told.
func TestBuiltinNames(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]int{"aws": 40, "postgresql": 13} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own := &Rules{byType: map[string][]*Rule{}}
			for _, resourceType := range Builtin().Types() {
				if strings.HasPrefix(resourceType, name+"_") {
					own.byType[resourceType] = Builtin().For(resourceType)
				}
			}
			if len(own.byType) < least {
				t.Errorf("rules for %d types only", len(own.byType))
			}
			catalog := tfschema.NewCatalog(documented(t, "testdata/names/"+name+".txt"))
			if diff := cmp.Diff([]string(nil), lines(Check(own, catalog))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// documented reads a file of types and names: see testdata/names/aws.txt.
func documented(t *testing.T, file string) shelf {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := shelf{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if out[words[0]] != nil {
			t.Fatalf("%s has %s twice", file, words[0])
		}
		out[words[0]] = blockOf(words[1:])
	}
	return out
}

// blockOf makes a block of what the names say: see testdata/names/aws.txt.
func blockOf(names []string) *tfschema.Block {
	var attributes []*tfschema.Attribute
	inner := map[string][]string{}
	for _, name := range names {
		outer, rest, nested := strings.Cut(name, ".")
		switch {
		case nested:
			inner[outer] = append(inner[outer], rest)
		case strings.HasSuffix(name, "!"):
			attributes = append(attributes, computed(strings.TrimSuffix(name, "!")))
		case strings.HasSuffix(name, "[]"):
			attributes = append(attributes, typed(strings.TrimSuffix(name, "[]"), cty.Set(cty.String)))
		default:
			attributes = append(attributes, text(name))
		}
	}
	var blocks []*tfschema.NestedBlock
	for name, names := range inner {
		blocks = append(blocks, blockIn(name, tfschema.NestingList, blockOf(names)))
	}
	return block(attributes, blocks...)
}
