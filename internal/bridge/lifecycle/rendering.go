package lifecycle

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping/rawstate"
	"github.com/formation-iac/formation/internal/mapping/translate"
)

// rendering is what the engine stores of an object's value: the properties,
// without what is secret by their sources, and how they become state again.
type rendering struct {
	properties property.Map
	delta      property.Value
}

func (s subject) render(v cty.Value) rendering {
	properties := translate.FromTerraform(s.Object, v)
	return rendering{properties: properties, delta: rawstate.Delta(s.Object, properties, v)}
}

// ahead renders what the provider's next answer most likely is: providers
// mostly answer a read with the state that they were sent, and an apply with
// the plan.
func (s subject) ahead(v cty.Value) func() rendering {
	return meanwhile(func() rendering { return s.render(v) })
}

// rendering is that of an object, which may have been made ahead.
func (s subject) rendering(o object) rendering {
	if o.rendered != nil {
		return o.rendered()
	}
	return s.render(o.value)
}
