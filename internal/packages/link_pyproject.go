package packages

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// pyproject is a pyproject.toml that is changed step by step.
type pyproject struct{ *tomlText }

// step takes a changed document, if it is proven.
func (p *pyproject) step(changed []byte, change func(tree map[string]any)) error {
	src, err := p.proven(changed, change)
	if err != nil {
		return err
	}
	p.tomlText, err = parseTOML(src)
	return err
}

// withSource adds an SDK to the dependencies of a project for uv, which knows
// the way to it by a table of its own: the standard has absolute ones only.
func withSource(src []byte, sdk, way string) ([]byte, error) {
	return editPyproject(src, func(p *pyproject) error {
		if _, ok := p.tree["project"].(map[string]any); !ok {
			return fmt.Errorf("%w: it has no [project]", errLayout)
		}
		if err := p.depend(sdk); err != nil {
			return err
		}
		return p.lead(sdk, way, "tool", "uv", "sources")
	})
}

// withPoetry adds an SDK to the dependencies of poetry. Where the project's
// own are in use, poetry's table only says more about these.
func withPoetry(src []byte, sdk, way string) ([]byte, error) {
	return editPyproject(src, func(p *pyproject) error {
		ours, _ := p.tree["project"].(map[string]any)
		tool, _ := p.tree["tool"].(map[string]any)
		if ours == nil && tool["poetry"] == nil {
			return fmt.Errorf("%w: it has neither [project] nor [tool.poetry]", errLayout)
		}
		if named, _ := ours["dependencies"].([]any); len(named) > 0 {
			if err := p.depend(sdk); err != nil {
				return err
			}
		}
		return p.lead(sdk, way, "tool", "poetry", "dependencies")
	})
}

func editPyproject(src []byte, edit func(*pyproject) error) ([]byte, error) {
	text, err := parseTOML(src)
	if err != nil {
		return nil, err
	}
	p := &pyproject{text}
	err = edit(p)
	return p.src, err
}

// depend names an SDK among the project's dependencies.
func (p *pyproject) depend(sdk string) error {
	ours, _ := p.tree["project"].(map[string]any)
	dynamic, _ := ours["dynamic"].([]any)
	list := p.find("project", "dependencies")
	switch {
	case slices.Contains(dynamic, any("dependencies")):
		return fmt.Errorf("%w: its dependencies are dynamic", errLayout)
	case list == nil:
		return p.step(p.inserted([]string{"project"}, "dependencies", "["+compact(sdk)+"]"), func(tree map[string]any) {
			tomlTable(tree, "project")["dependencies"] = []any{sdk}
		})
	case list.valueKind != unstable.Array:
		return errLayout
	}
	for i, have := range list.elements {
		if !requires(have.text, sdk) {
			continue
		}
		text := anyVersion(have.text)
		if text == have.text {
			return nil
		}
		changed := slices.Concat(p.src[:have.start], []byte(compact(text)), p.src[have.end:])
		return p.step(changed, func(tree map[string]any) { setElement(tree, i, text) })
	}
	return p.step(p.withElement(list, sdk), func(tree map[string]any) { setElement(tree, len(list.elements), sdk) })
}

// setElement sets one of the project's dependencies, or adds it at the end.
func setElement(tree map[string]any, at int, text string) {
	table := tomlTable(tree, "project")
	list, _ := table["dependencies"].([]any)
	if at < len(list) {
		list[at] = text
	} else {
		table["dependencies"] = append(list, text)
	}
}

// specifier is what a requirement says between the name, with its extras, and
// the marker: versions, or a URL.
var specifier = regexp.MustCompile(`^([ \t]*[A-Za-z0-9._-]+[ \t]*(?:\[[^\]]*\])?)[^;]*(;.*)?$`)

// anyVersion is a requirement without what it says of versions.
func anyVersion(requirement string) string {
	found := specifier.FindStringSubmatch(requirement)
	if found == nil {
		return requirement
	}
	return strings.TrimRight(found[1], " \t") + found[2]
}

// lead says in a table the way to an SDK. What else is said of it stays.
func (p *pyproject) lead(sdk, way string, table ...string) error {
	depth := len(table)
	var whole *tomlEntry
	name := sdk
	for i := range p.entries {
		e := &p.entries[i]
		if e.many || len(e.path) <= depth || !slices.Equal(e.path[:depth], table) || normalized(e.path[depth]) != sdk {
			continue
		}
		if name = e.path[depth]; len(e.path) == depth+2 && e.path[depth+1] == "path" {
			return p.setPath(e, way)
		}
		if whole == nil {
			whole = e
		}
	}
	literal := "{ path = " + compact(way) + " }"
	switch {
	case whole == nil:
		return p.step(p.inserted(table, name, literal), func(tree map[string]any) { setWay(tree, way, table, name) })
	case whole.kind != unstable.KeyValue, len(whole.path) != depth+1, whole.valueKind == unstable.Array:
		return fmt.Errorf("%w: it says something else of %s", errLayout, name)
	}
	return p.step(p.replaced(whole, literal), func(tree map[string]any) { setWay(tree, way, table, name) })
}

func setWay(tree map[string]any, way string, table []string, name string) {
	if in := tomlTable(tree, table...); in != nil {
		in[name] = map[string]any{"path": way}
	}
}

// setPath makes a way the value of a key, unless that leads there already.
func (p *pyproject) setPath(e *tomlEntry, way string) error {
	in := tomlTable(p.tree, e.path[:len(e.path)-1]...)
	if have, ok := in["path"].(string); ok && path.Clean(have) == path.Clean(way) {
		return nil
	}
	return p.step(p.replaced(e, compact(way)), func(tree map[string]any) {
		if in := tomlTable(tree, e.path[:len(e.path)-1]...); in != nil {
			in["path"] = way
		}
	})
}
