//go:build race

package lifecycle_test

const calls = 1000
