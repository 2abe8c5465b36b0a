package write

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// The bounds of the layout, in lines of a file and in resources. A module
// that fits on a few screens is one file; a family of types gets a file of
// its own from smallFamily resources on; no file gets longer than maxLines
// unless one resource is.
const (
	oneFileLines = 200
	smallFamily  = 3
	maxLines     = 800
)

// sourceFile is one file of resources.
type sourceFile struct {
	name string
	text []byte
}

// piece is one resource as it is printed.
type piece struct {
	resourceType, name string
	family             string
	text               []byte
	lines              int
}

// layOut prints the resources, by type and name, into files.
func layOut(m Module) []sourceFile {
	pieces := printPieces(m)
	if len(pieces) == 0 {
		return nil // an empty file says nothing
	}
	families := map[string][]piece{}
	total := 0
	for _, p := range pieces {
		families[p.family] = append(families[p.family], p)
		total += p.lines + 1
	}
	if total <= oneFileLines {
		families = map[string][]piece{"main": pieces}
	}
	mergeSmall(families)
	n := &fileNames{taken: map[string]bool{}}
	var out []sourceFile
	for _, family := range slices.Sorted(maps.Keys(families)) {
		out = append(out, n.split(familyName(family, families[family]), families[family])...)
	}
	return out
}

// Printed returns m with its resources and its state printed, on all
// processors. [Files] prints what is not; for a module that is laid out more
// than once it is work saved. The state may not change any more.
func (m Module) Printed(ctx context.Context) Module {
	m = m.named()
	var stateText []byte
	var encoding sync.WaitGroup
	if m.State != nil {
		encoding.Go(func() {
			stateText, _ = tfstate.Encode(m.State) // what is wrong with it, Files says
		})
	}
	printed := parallel.Map(ctx, runtime.GOMAXPROCS(0), m.Resources, func(_ context.Context, r Resource) Resource {
		r.text = printResource(m, r)
		return r
	})
	encoding.Wait()
	if ctx.Err() == nil {
		m.Resources, m.stateText = printed, stateText
	}
	return m
}

func printResource(m Module, r Resource) []byte {
	return tfconfig.Print([]*tfconfig.Block{resourceBlock(r, m.ProviderLocalName)})
}

func printPieces(m Module) []piece {
	var out []piece
	for _, r := range m.Resources {
		text := r.text
		if text == nil {
			text = printResource(m, r)
		}
		out = append(out, piece{
			resourceType: r.Addr.Type, name: r.Addr.Name, family: family(r.Addr.Type),
			text: text, lines: bytes.Count(text, []byte("\n")),
		})
	}
	slices.SortFunc(out, func(a, b piece) int {
		return cmp.Or(strings.Compare(a.resourceType, b.resourceType), strings.Compare(a.name, b.name))
	})
	return out
}

// family is the first word of a type after the provider's: iam of
// aws_iam_role.
func family(resourceType string) string {
	words := strings.Split(resourceType, "_")
	if len(words) > 1 && words[1] != "" {
		return words[1]
	}
	return words[0]
}

// familyName is the longest run of words that all types of a family share
// after the provider's: security_group where there are nothing but
// aws_security_group and aws_security_group_rule.
func familyName(family string, pieces []piece) string {
	var common []string
	for i, p := range pieces {
		words := strings.Split(p.resourceType, "_")[1:]
		if i == 0 {
			common = words
			continue
		}
		common = commonWords(common, words)
	}
	if len(common) == 0 || common[0] != family {
		return family
	}
	return strings.Join(common, "_")
}

func commonWords(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// mergeSmall puts the resources of small families into the main file, while
// that stays within its bound.
func mergeSmall(families map[string][]piece) {
	var small []piece
	lines := 0
	for _, family := range slices.Sorted(maps.Keys(families)) {
		if family == "main" || len(families[family]) >= smallFamily {
			continue
		}
		for _, p := range families[family] {
			lines += p.lines + 1
			small = append(small, p)
		}
	}
	if len(small) == 0 || lines > maxLines {
		return
	}
	for _, p := range small {
		delete(families, p.family)
	}
	families["main"] = append(families["main"], small...)
}

// fileNames gives every file a name of its own.
type fileNames struct{ taken map[string]bool }

// split makes one file of the pieces, or several where they are too long:
// first by type, then in parts.
func (n *fileNames) split(name string, pieces []piece) []sourceFile {
	if totalLines(pieces) <= maxLines {
		return []sourceFile{n.file(name, pieces)}
	}
	byType := map[string][]piece{}
	for _, p := range pieces {
		byType[p.resourceType] = append(byType[p.resourceType], p)
	}
	var out []sourceFile
	for _, t := range slices.Sorted(maps.Keys(byType)) {
		base := t
		if _, rest, ok := strings.Cut(t, "_"); ok && rest != "" {
			base = rest
		}
		for _, part := range parts(byType[t]) {
			out = append(out, n.file(base, part))
		}
	}
	return out
}

func totalLines(pieces []piece) int {
	total := len(pieces) - 1
	for _, p := range pieces {
		total += p.lines
	}
	return total
}

// parts cuts pieces into runs within the bound.
func parts(pieces []piece) [][]piece {
	var out [][]piece
	start, lines := 0, 0
	for i, p := range pieces {
		if lines > 0 && lines+p.lines+1 > maxLines {
			out = append(out, pieces[start:i])
			start, lines = i, 0
		}
		lines += p.lines + 1
	}
	return append(out, pieces[start:])
}

func (n *fileNames) file(base string, pieces []piece) sourceFile {
	texts := make([][]byte, len(pieces))
	for i, p := range pieces {
		texts[i] = p.text
	}
	return sourceFile{name: n.name(base), text: bytes.Join(texts, []byte("\n"))}
}

func (n *fileNames) name(base string) string {
	base = strings.ToLower(base)
	if reservedBase(base) {
		base += "_resources"
	}
	name := base
	for i := 2; n.taken[name]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	n.taken[name] = true
	return name + ".tf"
}

// reservedBase are names that other files of the module have, that the tools
// read as overrides, or that one system cannot have.
func reservedBase(base string) bool {
	switch base {
	case "versions", "providers", "variables", "imports", "outputs", "terraform", "override", "con", "prn", "aux", "nul":
		return true
	}
	return strings.HasSuffix(base, "_override")
}
