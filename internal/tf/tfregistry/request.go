package tfregistry

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// Request asks for one provider.
type Request struct {
	// Provider is the address, with every part filled in.
	Provider tfaddr.Provider
	// Constraint is a version constraint in Terraform's syntax; "" asks for
	// the newest release that there is.
	Constraint string
	// LocalPath is a provider binary to be used as it is, or ""; with it the
	// constraint is not looked at.
	LocalPath string
	// Hashes are those of a lock file, "h1:…" or "zh:…". Where there are any,
	// the package must match one of them.
	Hashes []string
}

// Installed is a provider package on this machine.
type Installed struct {
	Provider tfaddr.Provider
	// Version is "" where it cannot be known (local paths, overrides).
	Version string
	// Path is that of the executable, absolute.
	Path string
	// Hashes are what a lock file should hold: of this package, and of the
	// other platforms' where a signature vouches for them. Sorted.
	Hashes []string
	// BinaryHash is the SHA-256 of the executable's content in hexadecimal; ""
	// of a binary that the user points at: see [Installed.Hash].
	BinaryHash string
	// Origin names what supplied the package, for people.
	Origin string

	// checked are the hashes of this very package.
	checked []string
	// print is of a binary that the user points at; nil for a package.
	print *fingerprint
}

const binaryPrefix = "terraform-provider-"

// ParseSource reads the PROVIDER argument of the command line: an address
// `[host/][namespace/]type`, or the path of a terraform-provider-* binary (or
// of a directory that holds one). It is a path where its last element starts
// with "terraform-provider-", or where it starts as paths do (/ ./ ../ ~/).
//
// The address of a local binary is that of the directories
// host/namespace/type/version/os_arch above it where it stands in such, and
// else registry.opentofu.org/hashicorp/NAME; change Request.Provider to say
// otherwise. Errors are diagnostics.
func ParseSource(arg string) (Request, error) {
	if !looksLikePath(arg) {
		p, err := tfaddr.ParseProvider(arg)
		if err != nil {
			return Request{}, invalidSource(arg, err)
		}
		return Request{Provider: p}, nil
	}
	path, err := absolute(arg)
	if err != nil {
		return Request{}, invalidSource(arg, err)
	}
	binary, err := localBinary(path)
	if err != nil {
		return Request{}, err
	}
	p, _, err := identifyBinary(binary)
	if err != nil {
		return Request{}, err
	}
	return Request{Provider: p, LocalPath: binary}, nil
}

func looksLikePath(arg string) bool {
	if filepath.IsAbs(arg) || filepath.VolumeName(arg) != "" || strings.Contains(arg, `\`) {
		return true
	}
	for _, prefix := range []string{"./", "../", "~/"} {
		if strings.HasPrefix(arg, prefix) {
			return true
		}
	}
	return arg == "." || arg == ".." || strings.HasPrefix(filepath.Base(arg), binaryPrefix)
}

func absolute(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		return filepath.Join(home, rest), nil
	}
	return filepath.Abs(path)
}

// binaryName takes apart `terraform-provider-NAME[_vVERSION[_xPROTOCOL]][.exe]`.
var binaryName = regexp.MustCompile(`^terraform-provider-([0-9A-Za-z](?:[0-9A-Za-z-]*[0-9A-Za-z])?)(?:_v?([0-9][0-9A-Za-z.+-]*))?(?:_[^/]*)?(?:\.exe)?$`)

// identifyBinary tells the address and, where the name or the directories
// above say it, the version of a provider binary.
func identifyBinary(path string) (tfaddr.Provider, string, error) {
	match := binaryName.FindStringSubmatch(filepath.Base(path))
	if match == nil {
		return tfaddr.Provider{}, "", notAProviderBinary(path)
	}
	if p, version, ok := fromLayout(path); ok && p.Type == strings.ToLower(match[1]) {
		return p, version, nil
	}
	p, err := tfaddr.ParseProvider(match[1])
	if err != nil {
		return tfaddr.Provider{}, "", notAProviderBinary(path)
	}
	version := ""
	if v, err := versions.ParseVersion(strings.TrimSuffix(match[2], ".exe")); err == nil {
		version = v.String()
	}
	return p, version, nil
}

// fromLayout reads host/namespace/type/version/os_arch above a binary.
func fromLayout(path string) (p tfaddr.Provider, version string, ok bool) {
	parts := strings.Split(filepath.ToSlash(filepath.Dir(path)), "/")
	if len(parts) < 5 {
		return p, "", false
	}
	parts = parts[len(parts)-5:]
	v, err := versions.ParseVersion(parts[3])
	if _, isPlatform := parsePlatform(parts[4]); !isPlatform || err != nil || !strings.ContainsAny(parts[0], ".:") {
		return p, "", false
	}
	p, err = tfaddr.ParseProvider(strings.Join(parts[:3], "/"))
	return p, v.String(), err == nil
}
