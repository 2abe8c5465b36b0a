package minimise

import (
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// witnesses says which objects of a wave are to ask about which places, though
// an object before them was told what a creation gives there: that may follow
// from what else the object was. Of each place one more object asks, the first
// that would have to write it. All others trust the one, and are worked on once
// more should the two contradict each other.
func witnesses(block *tfschema.Block, objects []read.Object, wave []int, known *lessons) map[int]map[string]bool {
	open := known.unconfirmed()
	if len(open) == 0 {
		return nil
	}
	out := map[int]map[string]bool{}
	for _, i := range wave {
		asks := map[string]bool{}
		units, _ := gather(block, objects[i].Unfilled().State)
		for _, u := range units {
			if open[u.schema] && known.about(&u, known.legacy) == doubtful {
				asks[u.schema] = true
			}
		}
		for place := range asks {
			delete(open, place)
		}
		if out[i] = asks; len(open) == 0 {
			break
		}
	}
	return out
}

// unconfirmed are the places where one object alone says what a creation gives.
func (l *lessons) unconfirmed() map[string]bool {
	out := map[string]bool{}
	for schema, known := range l.places {
		if known.given() && known.objects < read.Witnesses && !known.varies {
			out[schema] = true
		}
	}
	return out
}

// misled are the objects of a wave, of those that found so much, which trusted
// one whose word does not count for others.
func (l *lessons) misled(wave []int, found []*lessons) []int {
	var out []int
	for n, taught := range found {
		if taught == nil {
			continue
		}
		for place := range taught.trusted {
			if l.places[place].varies {
				out = append(out, wave[n])
				break
			}
		}
	}
	return out
}
