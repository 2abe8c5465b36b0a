package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// config is a root module as these tests understand it, on their own: the
// program's evaluator is not asked about the program's output.
type config struct {
	// resources are the resource blocks by address.
	resources map[string]*hclsyntax.Body
	// singular are blocks that stand for an object, not for elements of a list.
	singular []string
	scope    *hcl.EvalContext
}

// parseConfig reads the .tf and .tfvars files among files, for one of the
// ground truths' providers. The state's values stand for what references refer
// to.
func parseConfig(t testing.TB, provider string, files map[string]string, state []tfcli.Instance) config {
	t.Helper()
	singular := map[string][]string{"estate": {"replication", "destination"}, "classic": {"timeouts"}}[provider]
	c := config{resources: map[string]*hclsyntax.Body{}, singular: singular, scope: &hcl.EvalContext{
		Variables: resourceValues(t, state),
		Functions: map[string]function.Function{"jsonencode": stdlib.JSONEncodeFunc},
	}}
	variables := map[string]cty.Value{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".tf") && !strings.HasSuffix(name, ".tfvars") {
			continue
		}
		file, diags := hclsyntax.ParseConfig([]byte(files[name]), name, hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		body := file.Body.(*hclsyntax.Body)
		for key, attribute := range body.Attributes {
			variables[key] = evaluate(t, attribute.Expr, nil)
		}
		for _, block := range body.Blocks {
			if block.Type == "resource" {
				c.resources[strings.Join(block.Labels, ".")] = block.Body
			}
		}
	}
	c.scope.Variables["var"] = cty.ObjectVal(variables)
	return c
}

func evaluate(t testing.TB, expr hcl.Expression, scope *hcl.EvalContext) cty.Value {
	t.Helper()
	value, diags := expr.Value(scope)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return value
}

// resourceValues are the objects that references lead to.
func resourceValues(t testing.TB, state []tfcli.Instance) map[string]cty.Value {
	t.Helper()
	types := map[string]map[string]cty.Value{}
	for _, r := range state {
		text, err := json.Marshal(r.Values)
		if err != nil {
			t.Fatal(err)
		}
		var value ctyjson.SimpleJSONValue
		if err := value.UnmarshalJSON(text); err != nil {
			t.Fatal(err)
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
	return out
}

// object is what a resource's block says: attributes by name, blocks as lists
// of objects.
func (c config) object(t testing.TB, body *hclsyntax.Body) map[string]any {
	t.Helper()
	out := map[string]any{}
	for name, attribute := range body.Attributes {
		value := evaluate(t, attribute.Expr, c.scope)
		if value.IsNull() {
			continue // the same as not written
		}
		text, err := ctyjson.Marshal(value, value.Type())
		if err != nil {
			t.Fatal(err)
		}
		var plain any
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		out[name] = plain
	}
	for _, block := range body.Blocks {
		if block.Type == "lifecycle" {
			continue
		}
		list, _ := out[block.Type].([]any)
		out[block.Type] = append(list, c.object(t, block.Body))
	}
	return out
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
		for _, key := range slices.Sorted(maps.Keys(v)) {
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

// reference is an attribute of another resource, where it stands.
type reference struct{ from, path, to string }

// references lists what resources refer to, in the ground truth's paths.
func (c config) references() []reference {
	var out []reference
	for from, body := range c.resources {
		c.walkBody(body, "", func(path string, traversal hcl.Traversal) {
			to := traversal.RootName()
			for _, step := range traversal[1:] {
				if attribute, ok := step.(hcl.TraverseAttr); ok {
					to += "." + attribute.Name
				}
			}
			out = append(out, reference{from, path, to})
		})
	}
	return out
}

func (c config) walkBody(body *hclsyntax.Body, prefix string, yield func(string, hcl.Traversal)) {
	for name, attribute := range body.Attributes {
		walkExpr(attribute.Expr, prefix+name, yield)
	}
	for _, block := range body.Blocks {
		step := block.Type
		switch {
		case block.Type == "lifecycle":
			continue
		case !slices.Contains(c.singular, block.Type):
			step += "[]"
		}
		c.walkBody(block.Body, prefix+step+".", yield)
	}
}

func walkExpr(expr hclsyntax.Expression, path string, yield func(string, hcl.Traversal)) {
	switch e := expr.(type) {
	case *hclsyntax.ObjectConsExpr:
		for _, item := range e.Items {
			walkExpr(item.ValueExpr, path+"."+hcl.ExprAsKeyword(item.KeyExpr), yield)
		}
	case *hclsyntax.TupleConsExpr:
		for _, elem := range e.Exprs {
			walkExpr(elem, path+"[]", yield)
		}
	default:
		for _, traversal := range expr.Variables() {
			if traversal.RootName() != "var" {
				yield(path, traversal)
			}
		}
	}
}
