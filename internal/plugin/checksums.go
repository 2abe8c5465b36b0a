package plugin

import (
	"encoding/hex"
	"fmt"
	"runtime"
)

// Checksums maps platforms, such as "linux-amd64", to the SHA-256 of the
// archive for it (PackageSpec.checksums of the protocol).
type Checksums map[string][]byte

// Platform is what an archive was built for, in Go's names.
type Platform struct{ OS, Arch string }

// CurrentPlatform is that of this program.
func CurrentPlatform() Platform { return Platform{runtime.GOOS, runtime.GOARCH} }

// String returns "os-arch", the key of [Checksums].
func (p Platform) String() string { return p.OS + "-" + p.Arch }

// ParseChecksum reads a SHA-256 in hexadecimal.
func ParseChecksum(text string) ([]byte, error) {
	sum, err := hex.DecodeString(text)
	if err != nil || len(sum) != 32 {
		return nil, fmt.Errorf("%q is not a SHA-256 in hexadecimal, which has 64 digits", text)
	}
	return sum, nil
}
