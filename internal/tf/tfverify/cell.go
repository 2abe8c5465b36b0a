package tfverify

import "sync"

// cell is a value that is worked out once.
type cell[T any] struct {
	once  sync.Once
	value T
}

func (c *cell[T]) get(make func() T) T {
	c.once.Do(func() { c.value = make() })
	return c.value
}

// cells are cells by name, made on first use.
type cells[K comparable, T any] struct {
	mu sync.Mutex
	m  map[K]*cell[T]
}

func (c *cells[K, T]) get(key K, make func() T) T {
	c.mu.Lock()
	if c.m == nil {
		c.m = map[K]*cell[T]{}
	}
	one := c.m[key]
	if one == nil {
		one = &cell[T]{}
		c.m[key] = one
	}
	c.mu.Unlock()
	return one.get(make)
}
