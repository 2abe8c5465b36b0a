package tfprovider

import (
	"slices"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// Kept says which attributes and blocks of an object a provider answered as
// they were sent, byte for byte, so that nobody needs to compare them. The
// zero value says nothing.
type Kept struct {
	known  bool
	others []string
}

// Has reports whether the attribute or block of that name is known to be the
// same. Others may be so as well.
func (k Kept) Has(name string) bool { return k.known && !slices.Contains(k.others, name) }

// Others returns the names of which Has is false, where anything is known.
func (k Kept) Others() []string { return k.others }

// Known reports whether the zero value is not all there is.
func (k Kept) Known() bool { return k.known }

// Whole reports whether the object is the same as a whole.
func (k Kept) Whole() bool { return k.known && len(k.others) == 0 }

// KeptIn compares two objects of one type, in msgpack. Where either is in no
// such form, nothing is known.
func KeptIn(answer, sent []byte) Kept {
	others, ok := ctyx.OtherMembers(answer, sent)
	return Kept{known: ok, others: others}
}
