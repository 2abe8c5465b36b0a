//go:build !race

package lifecycle_test

// calls is how many calls of Check and Diff TestNoGrowth makes.
const calls = 100_000
