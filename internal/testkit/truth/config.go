package truth

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// config is a root module as this package understands it, on its own: the
// program's evaluator is not asked about the program's output.
type config struct {
	// resources are the resource blocks by address.
	resources map[string]*hclsyntax.Body
	// singles are blocks that stand for an object, not for elements of a list.
	singles []string
	scope   *hcl.EvalContext
}

// parseConfig reads the .tf and .tfvars files among files. The state's values
// stand for what references refer to.
func parseConfig(singles []string, files map[string]string, state []tfcli.Instance) (config, error) {
	objects, err := resourceValues(state)
	if err != nil {
		return config{}, err
	}
	c := config{resources: map[string]*hclsyntax.Body{}, singles: singles, scope: &hcl.EvalContext{
		Variables: objects,
		Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc},
	}}
	variables := map[string]cty.Value{}
	for _, name := range sortedKeys(files) {
		if !strings.HasSuffix(name, ".tf") && !strings.HasSuffix(name, ".tfvars") {
			continue
		}
		if err := c.read(name, files[name], variables); err != nil {
			return config{}, err
		}
	}
	c.scope.Variables["var"] = cty.ObjectVal(variables)
	return c, nil
}

// read takes a file's resources, and the values that it gives to variables.
func (c config) read(name, text string, variables map[string]cty.Value) error {
	file, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
	if diags.HasErrors() {
		return diags
	}
	body, ok := file.Body.(*hclsyntax.Body)
	if !ok {
		return fmt.Errorf("%s is no native syntax", name)
	}
	for key, attribute := range body.Attributes {
		value, diags := attribute.Expr.Value(nil)
		if diags.HasErrors() {
			return diags
		}
		variables[key] = value
	}
	for _, block := range body.Blocks {
		if block.Type == "resource" {
			c.resources[strings.Join(block.Labels, ".")] = block.Body
		}
	}
	return nil
}

// resourceValues are the objects that references lead to.
func resourceValues(state []tfcli.Instance) (map[string]cty.Value, error) {
	types := map[string]map[string]cty.Value{}
	for _, r := range state {
		text, err := json.Marshal(r.Values)
		if err != nil {
			return nil, err
		}
		var value ctyjson.SimpleJSONValue
		if err := value.UnmarshalJSON(text); err != nil {
			return nil, err
		}
		if types[r.Type] == nil {
			types[r.Type] = map[string]cty.Value{}
		}
		types[r.Type][r.Name] = value.Value
	}
	out := map[string]cty.Value{}
	for name, objects := range types {
		out[name] = cty.ObjectVal(objects)
	}
	return out, nil
}

// object is what a resource's block says: attributes by name, blocks as lists
// of objects.
func (c config) object(body *hclsyntax.Body) (map[string]any, error) {
	out := map[string]any{}
	for name, attribute := range body.Attributes {
		plain, err := c.plain(attribute.Expr)
		if err != nil {
			return nil, err
		}
		if plain != nil { // null is the same as not written
			out[name] = plain
		}
	}
	for _, block := range body.Blocks {
		if block.Type == "lifecycle" {
			continue
		}
		object, err := c.object(block.Body)
		if err != nil {
			return nil, err
		}
		list, _ := out[block.Type].([]any)
		out[block.Type] = append(list, object)
	}
	return out, nil
}

// plain is an expression's value as encoding/json has it.
func (c config) plain(expr hcl.Expression) (any, error) {
	value, diags := expr.Value(c.scope)
	if diags.HasErrors() {
		return nil, diags
	}
	text, err := ctyjson.Marshal(value, value.Type())
	if err != nil {
		return nil, err
	}
	var out any
	err = json.Unmarshal(text, &out)
	return out, err
}

// lookup returns what stands at a path of the ground truth, as canonical JSON,
// sorted: "[]" goes through every element of a list or a map, and a name goes
// through the one block of a list.
func lookup(value any, path string) []string {
	step, rest, more := strings.Cut(path, ".")
	name, each := strings.CutSuffix(step, "[]")
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	object, ok := value.(map[string]any)
	if !ok || object[name] == nil {
		return nil
	}
	targets := []any{object[name]}
	if each {
		targets = elements(object[name])
	}
	var out []string
	for _, target := range targets {
		if more {
			out = append(out, lookup(target, rest)...)
		} else if target != nil {
			out = append(out, canonical(target))
		}
	}
	slices.Sort(out)
	return out
}

func elements(value any) []any {
	switch v := value.(type) {
	case []any:
		return v
	case map[string]any:
		var out []any
		for _, key := range sortedKeys(v) {
			out = append(out, v[key])
		}
		return out
	}
	return nil
}

// canonical writes a value so that equal ones are equal text. Lists are
// sorted: whether their order matters, and is right, is for a plan to say.
func canonical(value any) string {
	if list, ok := value.([]any); ok {
		texts := make([]string, len(list))
		for i, elem := range list {
			texts[i] = canonical(elem)
		}
		slices.Sort(texts)
		return "[" + strings.Join(texts, ",") + "]"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
