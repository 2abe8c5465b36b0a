package tfregistry

import (
	"slices"
	"strings"
)

// The schemes of package hashes in lock files and mirrors: "h1:" is Go's
// directory hash of the unpacked package, "zh:" the SHA-256 of the archive.
const (
	schemeH1  = "h1:"
	schemeZip = "zh:"
)

// known returns the hashes of the schemes that can be checked here.
func known(hashes []string) []string {
	var out []string
	for _, h := range hashes {
		if strings.HasPrefix(h, schemeH1) || strings.HasPrefix(h, schemeZip) {
			out = append(out, h)
		}
	}
	return out
}

func hasScheme(hashes []string, scheme string) bool {
	return slices.ContainsFunc(hashes, func(h string) bool { return strings.HasPrefix(h, scheme) })
}

// meets reports whether one of the package's hashes is among those wanted;
// where none is wanted, every package will do.
func meets(want, have []string) bool {
	return len(want) == 0 || slices.ContainsFunc(have, func(h string) bool { return slices.Contains(want, h) })
}
