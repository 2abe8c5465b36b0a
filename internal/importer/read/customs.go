package read

import (
	"context"
	"maps"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
)

// customs are what a provider keeps for the objects of a type and never reads:
// defaults, and flags of its own. An import leaves these null, so that each
// object would have to be read once more when it is known what belongs there.
// For most it is the same for all objects of a type, and is therefore learned
// from a few of them while others are read. What an object is read with changes
// how often it is read, and not what becomes of it.
type customs struct {
	ask func(context.Context, Object) map[string]cty.Value

	mu     sync.Mutex
	byType map[string]*custom
}

// custom is what is known of one type.
type custom struct {
	// toAsk and toHear count the objects that are yet to be asked about, and of
	// which there is yet to be an answer.
	toAsk, toHear int
	// values are what the answers agree on. They are nil before the first one,
	// and do not change after the last one.
	values map[string]cty.Value
}

// Witnesses are how many objects of a type must agree on what they have before
// others adopt it. What a provider makes of an object itself differs.
const Witnesses = 2

// newCustoms returns nil where nobody can be asked. Types of which there are no
// others are not asked about.
func newCustoms(found []discover.Found, ask func(context.Context, Object) map[string]cty.Value) *customs {
	if ask == nil {
		return nil
	}
	count := map[string]int{}
	for _, f := range found {
		count[f.Type]++
	}
	c := &customs{ask: ask, byType: map[string]*custom{}}
	for typeName, n := range count {
		if n > Witnesses {
			c.byType[typeName] = &custom{toAsk: Witnesses, toHear: Witnesses}
		}
	}
	return c
}

// of returns the values to read an object of a type with, if they are known.
func (c *customs) of(typeName string) map[string]cty.Value {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.byType[typeName]; known != nil && known.toHear == 0 {
		return known.values
	}
	return nil
}

// heed learns from an outcome, if it is one of the first of its type that has
// an object.
func (c *customs) heed(ctx context.Context, o Outcome) {
	if c == nil || len(o.Objects) != 1 || !c.mayAsk(o.Objects[0].Type) {
		return
	}
	said := c.ask(ctx, o.Objects[0])
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byType[o.Objects[0].Type].hear(said)
}

func (c *customs) mayAsk(typeName string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.byType[typeName]
	if known == nil || known.toAsk == 0 {
		return false
	}
	known.toAsk--
	return true
}

func (c *custom) hear(said map[string]cty.Value) {
	if c.toHear--; c.values == nil {
		c.values = map[string]cty.Value{}
		maps.Copy(c.values, said)
		return
	}
	maps.DeleteFunc(c.values, func(name string, v cty.Value) bool {
		other, ok := said[name]
		return !ok || !other.RawEquals(v)
	})
}
