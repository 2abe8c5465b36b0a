//go:build !race

package lifecycle_test

// calls is how often TestNoGrowth calls Check and Diff.
const calls = 10_000
