// Package e2e holds the tests that run the whole program as its users do: as a
// process, over real provider processes and a synthetic estate, with tofu and
// terraform as judges of what it writes. It has no code of its own.
package e2e
