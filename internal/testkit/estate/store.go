package estate

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Store holds the estate. Its methods may be called concurrently; objects that
// go in or come out are copies.
type Store struct {
	mu      sync.RWMutex
	seed    uint64
	kinds   map[string]*Kind
	shelves map[string]*shelf
	// uses counts, for "kind.field=value", the objects that refer to it.
	uses     map[string]int
	issued   map[string]bool
	counters map[string]uint64
	clock    uint64
	leases   map[string]uint64
}

// shelf holds the objects of one kind, in order of creation.
type shelf struct {
	order   []string
	objects map[string]Object
	secrets map[string]Object
	// byField finds ids by the fields that references use.
	byField map[string]map[string]string
}

// NewStore makes an empty estate. Two stores with the same seed give the same
// ids to the same calls.
func NewStore(seed uint64) *Store {
	s := &Store{seed: seed, kinds: map[string]*Kind{}}
	for _, k := range Kinds() {
		s.kinds[k.Name] = k
	}
	s.clear()
	return s
}

// Reset empties the store and starts its counters again.
func (s *Store) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
}

func (s *Store) clear() {
	s.shelves = map[string]*shelf{}
	for name := range s.kinds {
		s.shelves[name] = &shelf{
			objects: map[string]Object{}, secrets: map[string]Object{},
			byField: map[string]map[string]string{},
		}
	}
	s.uses, s.issued = map[string]int{}, map[string]bool{}
	s.counters, s.leases = map[string]uint64{}, map[string]uint64{}
	s.clock = 0
}

// Kind finds a kind by its plural name.
func (s *Store) Kind(name string) (*Kind, bool) {
	k, ok := s.kinds[name]
	return k, ok
}

// Create adds an object and answers it as stored, with its id.
func (s *Store) Create(kind string, in Object) (Object, error) {
	k, ok := s.kinds[kind]
	if !ok {
		return nil, unknownKind(kind)
	}
	obj, secrets, err := k.accept(in, nil)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkRefs(k, obj); err != nil {
		return nil, err
	}
	if err := s.checkUnique(k, obj); err != nil {
		return nil, err
	}
	obj["id"] = s.idFor(k, obj)
	obj["created_at"] = s.now()
	k.complete(s, obj)
	s.put(k, obj, secrets)
	return clone(obj), nil
}

// Get answers one object.
func (s *Store) Get(kind, id string) (Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sh, ok := s.shelves[kind]
	if !ok {
		return nil, unknownKind(kind)
	}
	obj, ok := sh.objects[id]
	if !ok {
		return nil, notFound(kind, id)
	}
	return clone(obj), nil
}

// Update replaces what a client may set. Absent fields return to their
// defaults; absent secrets stay.
func (s *Store) Update(kind, id string, in Object) (Object, error) {
	k, ok := s.kinds[kind]
	if !ok {
		return nil, unknownKind(kind)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shelves[kind]
	prior, ok := sh.objects[id]
	if !ok {
		return nil, notFound(kind, id)
	}
	obj, secrets, err := k.accept(in, prior)
	if err != nil {
		return nil, err
	}
	if err := s.checkRefs(k, obj); err != nil {
		return nil, err
	}
	for name, value := range sh.secrets[id] {
		if _, sent := secrets[name]; !sent {
			secrets[name] = value
		}
	}
	s.countRefs(k, prior, -1)
	s.put(k, obj, secrets)
	return clone(obj), nil
}

// Delete removes an object that nothing refers to.
func (s *Store) Delete(kind, id string) error {
	k, ok := s.kinds[kind]
	if !ok {
		return unknownKind(kind)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sh := s.shelves[kind]
	obj, ok := sh.objects[id]
	if !ok {
		return notFound(kind, id)
	}
	s.countRefs(k, obj, -1)
	if n := s.usedBy(k, obj); n > 0 {
		s.countRefs(k, obj, +1)
		return conflict("%s %q is in use by %d other objects", kind, id, n)
	}
	delete(sh.objects, id)
	delete(sh.secrets, id)
	sh.order = slices.DeleteFunc(sh.order, func(other string) bool { return other == id })
	for _, field := range refFields {
		delete(sh.byField[field], str(obj[field]))
	}
	return nil
}

// put stores obj under the lock and indexes it.
func (s *Store) put(k *Kind, obj, secrets Object) {
	sh, id := s.shelves[k.Name], str(obj["id"])
	if _, exists := sh.objects[id]; !exists {
		sh.order = append(sh.order, id)
	}
	sh.objects[id], sh.secrets[id] = obj, secrets
	for _, field := range refFields {
		if value := str(obj[field]); value != "" {
			if sh.byField[field] == nil {
				sh.byField[field] = map[string]string{}
			}
			sh.byField[field][value] = id
		}
	}
	s.countRefs(k, obj, +1)
}

func (s *Store) checkUnique(k *Kind, obj Object) error {
	if k.Repeatable {
		return nil
	}
	want := k.key(obj)
	sh := s.shelves[k.Name]
	if len(k.Key) == 1 {
		if _, taken := sh.byField[k.Key[0]][want]; taken {
			return conflict("%s %q exists already", k.Name, want)
		}
		return nil
	}
	if _, taken := sh.objects[want]; taken {
		return conflict("%s %q exists already", k.Name, want)
	}
	return nil
}

// Count says how many objects of a kind there are.
func (s *Store) Count(kind string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if sh, ok := s.shelves[kind]; ok {
		return len(sh.order)
	}
	return 0
}

// Total says how many objects there are.
func (s *Store) Total() int {
	total := 0
	for _, name := range slices.Sorted(maps.Keys(s.kinds)) {
		total += s.Count(name)
	}
	return total
}

// Page answers up to size objects of a kind from offset on, in order of
// creation, those whose top-level fields equal every filter, and the next
// offset; 0 means that there are no more.
func (s *Store) Page(kind string, filter map[string]string, offset, size int) ([]Object, int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	k, ok := s.kinds[kind]
	if !ok {
		return nil, 0, unknownKind(kind)
	}
	for name := range filter {
		if _, ok := k.field(name); !ok {
			return nil, 0, invalid("unknown filter %q for %s", name, kind)
		}
	}
	var page []Object
	order := s.shelves[kind].order
	for at := offset; at < len(order); at++ {
		obj := s.shelves[kind].objects[order[at]]
		if !matches(obj, filter) {
			continue
		}
		if len(page) == size {
			return page, at, nil
		}
		page = append(page, clone(obj))
	}
	return page, 0, nil
}

func matches(obj Object, filter map[string]string) bool {
	for name, want := range filter {
		if fmt.Sprint(obj[name]) != want {
			return false
		}
	}
	return true
}
