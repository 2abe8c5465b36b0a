package mapping

import (
	"cmp"
	"sync"

	"github.com/formation-iac/formation/internal/base/suggest"
)

// table has the members of one sort. Each is built on first use and kept.
type table[T any] struct {
	what    string
	members []Member
	// entries has each member twice: by its token alone, and by the rest.
	entries map[Member]func() (T, error)
}

func newTable[T any](what string, members []Member, build func(Member) (T, error)) *table[T] {
	t := &table[T]{what: what, members: members, entries: make(map[Member]func() (T, error), 2*len(members))}
	for _, m := range members {
		get := sync.OnceValues(func() (T, error) { return build(m) })
		t.entries[Member{Token: m.Token}] = get
		t.entries[Member{Terraform: m.Terraform, Kind: m.Kind}] = get
	}
	return t
}

func (t *table[T]) get(pkg string, key Member) (T, error) {
	get, ok := t.entries[key]
	if !ok {
		var none T
		return none, t.unknown(pkg, key)
	}
	return get()
}

func (t *table[T]) unknown(pkg string, key Member) error {
	known := make([]string, len(t.members))
	for i, m := range t.members {
		known[i] = m.Token
		if key.Token == "" {
			known[i] = m.Terraform
		}
	}
	wanted := cmp.Or(key.Token, key.Terraform)
	return &UnknownTokenError{Package: pkg, What: t.what, Token: wanted, Near: suggest.Nearest(wanted, known)}
}
