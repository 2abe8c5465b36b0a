package golang

import (
	"path"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// maxPieces is how many pieces (fields, methods) one Go package may have: the
// compiler takes about 10 s and 0.8 GB for that many, and what it takes for
// several times as many, small machines do not have.
const maxPieces = 8000

// spread divides a module that is too large for one Go package into several
// below it, by the words of names: what is called S3Bucket goes into s3, or
// where that is too large as well, into s3/s3bucket. Where something is depends
// on its own name, and those above give everything below them its names as
// well, so that programs still compile when the package grows.
func (s *sdk) spread(m *module) {
	all, ok := s.spreadable(m)
	if !ok {
		return
	}
	s.branch(m, all, 0)
	s.placeTypes(m, all)
	whole := m.Members
	m.Members = sdkgen.Members{}
	whole.Divide(func(token string) *sdkgen.Members { return &s.moduleOf(token).Members })
}

// member is a resource or function of a module that may be spread.
type member struct {
	token string
	words []string
	// pieces counts those of the member and of the types that no member before
	// it uses.
	pieces int
	// types are the tokens of the module's types that it uses.
	types []string
}

// spreadable lists what a module has, and reports whether it is too large and
// can be spread. The runtime knows resources by the modules of their tokens,
// each of which one Go package registers, and a Go package that another imports
// cannot refer back to it, as resources may to each other.
func (s *sdk) spreadable(m *module) ([]*member, bool) {
	uses := newUses(m)
	var all []*member
	registered := map[string]bool{}
	for _, r := range m.Resources {
		if r.IsProvider {
			continue
		}
		t, _ := pschema.ParseToken(r.Token)
		if registered[t.Module] {
			return nil, false
		}
		registered[t.Module] = true
		all = append(all, uses.member(r.Token, s.resourceName(r.Token), func() { uses.ofResource(r) }))
	}
	for _, fn := range m.Functions {
		name := strings.TrimPrefix(pascal(sdkgen.MemberName(fn.Token)), "Get")
		all = append(all, uses.member(fn.Token, name, func() { uses.ofFunction(fn) }))
	}
	return all, !uses.resources && piecesOf(all) > s.maxPieces
}

func piecesOf(all []*member) (sum int) {
	for _, one := range all {
		sum += one.pieces
	}
	return sum
}

// branch puts members, whose names have some words in common, into the modules
// of their next words. What has no more words stays where it is.
func (s *sdk) branch(m *module, all []*member, words int) {
	next := map[string][]*member{}
	var order []string
	for _, one := range all {
		if len(one.words) == words {
			s.placed[one.token] = m
			continue
		}
		name := strings.Join(one.words[:words+1], "")
		if next[name] == nil {
			order = append(order, name)
		}
		next[name] = append(next[name], one)
	}
	for _, name := range order {
		part := s.part(m, name)
		if piecesOf(next[name]) > s.maxPieces {
			s.branch(part, next[name], words+1)
			continue
		}
		for _, one := range next[name] {
			s.placed[one.token] = part
		}
	}
}

// placeTypes puts types where what uses them is, and those that are used in
// several places into a module of their own, which refers to none of these.
func (s *sdk) placeTypes(m *module, all []*member) {
	m.shared = s.part(m, "sharedtypes")
	for _, one := range all {
		for _, token := range one.types {
			switch s.placed[token] {
			case nil:
				s.placed[token] = s.placed[one.token]
			case s.placed[one.token]:
			default:
				s.placed[token] = m.shared
			}
		}
	}
}

// part makes the module of a name below another.
func (s *sdk) part(above *module, name string) *module {
	key := path.Join(above.key, name)
	for s.dirs[s.dir(key)] || !canBeDir(key) {
		key += "pkg"
	}
	m := s.module(key)
	m.above, m.classes = above, above.classes
	above.below = append(above.below, m)
	return m
}

// canBeDir reports whether a directory of an SDK may have a Go package that
// programs import.
func canBeDir(key string) bool {
	switch path.Base(key) {
	case "internal", "vendor", "testdata", "main":
		return false
	}
	return key != "config"
}

// root is the module of the schema that a module is a part of.
func (m *module) root() *module {
	for m.above != nil {
		m = m.above
	}
	return m
}

// what says what is in a module.
func (m *module) what() string {
	switch root := m.root(); {
	case m.above == nil:
		return "the module " + m.key
	case root.shared == m:
		return "what several packages beside it use"
	default:
		return "what is called " + sdkgen.Pascal(path.Base(m.key))
	}
}

// isEmpty reports whether a part has nothing to declare.
func (m *module) isEmpty() bool {
	return m.above != nil && len(m.below)+len(m.ordered)+len(m.Resources)+len(m.Functions)+len(m.Objects)+len(m.Enums) == 0
}

// common is the module for what belongs to no single part of a module.
func (m *module) common() *module {
	if root := m.root(); root.shared != nil {
		return root.shared
	}
	return m
}
