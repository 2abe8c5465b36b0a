package tfstate

import (
	"encoding/json"
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// pathStep is a step of a sensitive path in the file. The value of an index
// is cty's JSON form of a value with its type.
type pathStep struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

const (
	stepIndex   = "index"
	stepGetAttr = "get_attr"
)

// paths decodes "sensitive_attributes". It is nil for null, else not.
func (n node) paths() []cty.Path {
	if n.isNull() {
		return nil
	}
	out := []cty.Path{}
	for _, elem := range n.array(`"sensitive_attributes"`) {
		path := cty.Path{}
		for _, step := range elem.array("sensitive path") {
			path = append(path, step.pathStep())
		}
		out = append(out, path)
	}
	return out
}

func (n node) pathStep() cty.PathStep {
	var raw pathStep
	for _, m := range n.object("path step") {
		switch m.name {
		case "type":
			raw.Type = m.str("path step")
		case "value":
			raw.Value = m.raw()
		default:
			m.malformed("Path step", `an object with "type" and "value" only`)
		}
	}
	step, err := raw.decode()
	if err != nil {
		n.malformed("Path step", fmt.Sprintf(`an attribute ("get_attr") or an index ("index") with its value (%s)`, err))
		return cty.GetAttrStep{}
	}
	return step
}

func (s pathStep) decode() (cty.PathStep, error) {
	switch s.Type {
	case stepGetAttr:
		var name string
		if err := json.Unmarshal(s.Value, &name); err != nil {
			return nil, err
		}
		return cty.GetAttrStep{Name: name}, nil
	case stepIndex:
		key, err := ctyx.DecodeJSON(s.Value, cty.DynamicPseudoType)
		if err != nil {
			return nil, err
		}
		return cty.IndexStep{Key: key}, nil
	default:
		return nil, fmt.Errorf("unknown type %q", s.Type)
	}
}

// encodePaths is the inverse of paths; nil stays nil.
func encodePaths(paths []cty.Path) (json.RawMessage, error) {
	if paths == nil {
		return nil, nil
	}
	out := make([][]pathStep, 0, len(paths))
	for _, path := range paths {
		steps := make([]pathStep, 0, len(path))
		for _, step := range path {
			raw, err := encodeStep(step)
			if err != nil {
				return nil, fmt.Errorf("sensitive path %s: %w", ctyx.PathString(path), err)
			}
			steps = append(steps, raw)
		}
		out = append(out, steps)
	}
	return json.Marshal(out)
}

func encodeStep(step cty.PathStep) (pathStep, error) {
	switch s := step.(type) {
	case cty.GetAttrStep:
		name, err := json.Marshal(s.Name)
		return pathStep{stepGetAttr, name}, err
	case cty.IndexStep:
		key, err := ctyx.EncodeJSON(s.Key, cty.DynamicPseudoType)
		return pathStep{stepIndex, key}, err
	default:
		return pathStep{}, fmt.Errorf("a path cannot have a step of type %T", step)
	}
}
