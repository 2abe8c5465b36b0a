package importer

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
)

// objects are those read, each once.
type objects struct {
	list []read.Object
	// repeats were asked for and are objects that something else that was
	// asked for is as well.
	repeats []repeat
}

// repeat is a second name of an object.
type repeat struct{ found, of discover.Found }

// distinct lists the objects read, each once: an import may bring along what
// was found on its own as well, and one object can go by several ids.
func distinct(outcomes []read.Outcome) objects {
	out := objects{}
	byKey := map[string][]read.Object{}
	for _, broughtAlong := range []bool{false, true} { // what was asked for goes first
		for _, outcome := range outcomes {
			for i, o := range outcome.Objects {
				if (i > 0) != broughtAlong {
					continue
				}
				known := byKey[o.Key()]
				if first, same := sameAs(o, known, broughtAlong); !same {
					byKey[o.Key()] = append(known, o)
					out.list = append(out.list, o)
				} else if !broughtAlong {
					out.repeats = append(out.repeats, repeat{found: o.Found, of: first.Found})
				}
			}
		}
	}
	return out
}

// sameAs looks for o among objects of its key. Of two that were asked for
// under different names, an equal id proves nothing, since some providers
// compose ids that several objects share: their states must agree as well.
func sameAs(o read.Object, known []read.Object, broughtAlong bool) (read.Object, bool) {
	for _, other := range known {
		if broughtAlong || o.Identity != cty.NilVal || o.State.RawEquals(other.State) {
			return other, true
		}
	}
	return read.Object{}, false
}
