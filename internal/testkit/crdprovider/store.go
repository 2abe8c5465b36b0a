package crdprovider

import (
	"sync"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// store holds objects by their type's token and their ID.
type store struct {
	mu      sync.Mutex
	objects map[storeKey]property.Map
}

type storeKey struct{ token, id string }

// create adds an object, unless there is one.
func (s *store) create(token, id string, inputs property.Map) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.objects[storeKey{token, id}]; ok {
		return false
	}
	s.objects[storeKey{token, id}] = inputs
	return true
}

func (s *store) read(token, id string) (property.Map, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inputs, ok := s.objects[storeKey{token, id}]
	return inputs, ok
}

// update replaces an object, or adds it: it may be from before the process.
func (s *store) update(token, id string, inputs property.Map) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[storeKey{token, id}] = inputs
}

func (s *store) remove(token, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, storeKey{token, id})
}
