package importer

import (
	"maps"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// secrets are the sensitive values of every object that was seen: those of
// objects that failed as well, since what providers say of a failure may quote
// them.
type secrets struct {
	catalog *tfschema.Catalog
	byFound map[string]map[string]bool // by what the objects were found as
}

func gatherSecrets(catalog *tfschema.Catalog, found []discover.Found, outcomes []read.Outcome, minimal []minimise.Minimal) secrets {
	s := secrets{catalog: catalog, byFound: map[string]map[string]bool{}}
	for _, f := range found {
		s.add(f, f.Type, f.Object)
	}
	for _, outcome := range outcomes {
		for _, o := range outcome.Objects {
			s.add(outcome.Found, o.Type, o.State)
		}
	}
	for _, m := range minimal { // settling may add some
		s.add(m.Object.Found, m.Object.Type, m.Object.State)
	}
	s.addUnread(outcomes)
	return s
}

func (s secrets) add(found discover.Found, typeName string, object cty.Value) {
	if object == cty.NilVal {
		return
	}
	schema, err := s.catalog.Resource(typeName)
	if err != nil {
		return // without a schema it has not been read
	}
	s.addTexts(found, secret.Values(schema.Block, object))
}

func (s secrets) addTexts(found discover.Found, texts []string) {
	if len(texts) == 0 {
		return
	}
	key := found.Key()
	if s.byFound[key] == nil {
		s.byFound[key] = map[string]bool{}
	}
	for _, text := range texts {
		s.byFound[key][text] = true
	}
}

// addUnread adds the ids of what could not be read, where others of the type
// have ids that are secret.
func (s secrets) addUnread(outcomes []read.Outcome) {
	types := map[string]bool{}
	for _, o := range outcomes {
		if s.inName(o.Found) {
			types[o.Found.Type] = true
		}
	}
	for _, o := range outcomes {
		if !types[o.Found.Type] || len(o.Objects) > 0 {
			continue
		}
		texts := []string{o.Found.ID}
		if o.Found.Identity != cty.NilVal {
			texts = append(texts, secret.Texts(o.Found.Identity)...)
		}
		s.addTexts(o.Found, slices.DeleteFunc(texts, func(text string) bool { return text == "" }))
	}
}

// inName reports whether what an object was found by tells a secret of it.
func (s secrets) inName(found discover.Found) bool {
	values := s.of(found)
	return secret.Tells(found.ID, values) || tellsIdentity(found.Identity, values)
}

func tellsIdentity(identity cty.Value, values []string) bool {
	return identity != cty.NilVal && slices.ContainsFunc(secret.Texts(identity), func(text string) bool { return secret.Tells(text, values) })
}

// of are the secrets of what was found, sorted.
func (s secrets) of(found discover.Found) []string {
	if len(s.byFound) == 0 { // most often: a key takes a while
		return nil
	}
	return slices.Sorted(maps.Keys(s.byFound[found.Key()]))
}

// all are the secrets of all objects, sorted.
func (s secrets) all() []string {
	all := map[string]bool{}
	for _, texts := range s.byFound {
		maps.Copy(all, texts)
	}
	return slices.Sorted(maps.Keys(all))
}
