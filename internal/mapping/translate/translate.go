// Package translate carries values and paths across the two banks, under the
// names and types of package mapping: Terraform's cty values on one side,
// Pulumi's property values on the other.
//
// A Terraform value that becomes properties and comes back is the same, with
// two exceptions: inside a dynamic value Pulumi cannot tell a set or a tuple
// from a list, nor a map from an object, and write-only values do not come
// out. Package rawstate keeps what is lost beside the outputs.
//
// What has no form on the other side:
//
//   - null attributes, and absent blocks, are properties that are missing;
//   - numbers that a float64 does not hold are strings, digit by digit;
//   - sensitive values are secret; secrets of a program leave no trace in
//     Terraform, and [KeepSecrets] marks them again on the way out;
//   - a set is an array in the order in which Terraform sorts it.
package translate

import (
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/mapping"
)

// ToConfig makes configuration of a program's inputs: what is missing or null
// is null, or empty where Terraform has blocks. Strings are accepted for
// numbers and bools, numbers and bools for strings, as Pulumi programs rely
// on. Secrets are bare, references to resources are their IDs, and assets are
// paths.
//
// The value is complete beside problems too: null stands where they are. A
// property that the object does not have, or that only the provider sets, is
// a problem unless it is null; properties that begin with two underscores are
// left out. known says that nothing in the value is unknown.
func ToConfig(o *mapping.Object, inputs property.Map) (config cty.Value, known bool, problems []Problem) {
	w := &writer{}
	config = w.object(o, inputs)
	return config, !w.unknowns, w.problems
}

// ToState makes state of stored outputs, where nothing better than the
// outputs is known of it. Properties that the object does not have any more
// are left out, and write-only ones are null.
func ToState(o *mapping.Object, outputs property.Map) (cty.Value, []Problem) {
	w := &writer{state: true}
	return w.object(o, outputs), w.problems
}

// FromTerraform makes properties of an object's value, which may be unknown
// anywhere inside. Null properties and write-only ones are left out, sensitive
// ones are secret, also where they are unknown. Marks are ignored. A null
// object is an empty map.
func FromTerraform(o *mapping.Object, v cty.Value) property.Map {
	v, _ = v.Unmark()
	return properties(o, v)
}

// FromAttribute makes the value of one of the properties that [FromTerraform]
// makes, null where that leaves it out.
func FromAttribute(p *mapping.Property, v cty.Value) property.Value {
	v, _ = v.Unmark()
	if v.IsNull() || !v.Type().IsObjectType() {
		return property.Value{}
	}
	return attribute(p, v)
}
