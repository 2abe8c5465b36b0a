// Package archtest holds the repository to the shape that ARCHITECTURE.md
// draws: which package may import which, and a few calls that appear nowhere.
// It reads source files as syntax, whatever their build tags, and needs no
// build. It judges no behaviour and no style; go vet and the linter do.
package archtest
