package link

import (
	"errors"
	"fmt"
	"strings"
)

// Path leads to values inside a resource: through nested blocks, nested
// attributes, collections, and JSON documents in strings.
type Path []Step

// Step is one name in a path, with `[]` after it where the values of a
// collection are meant. For lists and sets the brackets may be left out, and
// where a provider has a single object they do no harm; for maps they tell
// all values from the value of one key.
type Step struct {
	Name string
	Each bool
}

// ParsePath reads a path such as `policy.Statement[].Resource[]`. The error
// says what is wrong, without quoting the path.
func ParsePath(s string) (Path, error) {
	if s == "" {
		return nil, errors.New("it is empty")
	}
	var path Path
	for part := range strings.SplitSeq(s, ".") {
		name, each := strings.CutSuffix(part, "[]")
		switch {
		case name == "":
			return nil, errors.New("it has an empty step")
		case strings.ContainsAny(name, "[]"):
			return nil, fmt.Errorf("step %q has brackets other than a final []", part)
		case strings.ContainsAny(name, " \t\r\n"):
			return nil, fmt.Errorf("step %q has blanks", part)
		}
		path = append(path, Step{name, each})
	}
	return path, nil
}

// String writes p as rule files do.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(step.Name)
		if step.Each {
			b.WriteString("[]")
		}
	}
	return b.String()
}

// names is p without brackets: paths that differ in these alone are rules
// for the same values.
func (p Path) names() string {
	names := make([]string, len(p))
	for i, step := range p {
		names[i] = step.Name
	}
	return strings.Join(names, ".")
}
