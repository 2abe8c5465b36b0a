//go:build !linux

package workload

// Batch does nothing where the system has no such policy.
func Batch() {}
