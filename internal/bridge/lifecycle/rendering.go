package lifecycle

import (
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping/rawstate"
	"github.com/formation-iac/formation/internal/mapping/translate"
)

// rendering is what the engine stores of an object's value: the properties,
// without what is secret by their sources, and how they become state again.
type rendering struct {
	made       sync.WaitGroup
	properties property.Map
	delta      property.Value
}

// render begins a rendering, which is to be waited for. Providers mostly answer
// a read with the state that they were sent, and an apply with the plan: what
// is made of those while they are at work need not be made when they are done.
func (s subject) render(v cty.Value) *rendering {
	r := &rendering{}
	r.made.Go(func() {
		r.properties = translate.FromTerraform(s.Object, v)
		r.delta = rawstate.Delta(s.Object, r.properties, v)
	})
	return r
}

// rendering is that of the object, which may have been begun before.
func (s subject) rendering(o object) *rendering {
	r := o.rendering
	if r == nil {
		r = s.render(o.value)
	}
	r.made.Wait()
	return r
}
