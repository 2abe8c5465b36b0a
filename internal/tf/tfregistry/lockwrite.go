package tfregistry

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/wholefile"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// defaultHeader opens lock files that tofu and terraform take for their own.
var defaultHeader = [...]string{
	`# This file is maintained automatically by "tofu init".`,
	`# Manual edits may be lost in future updates.`,
}

// Bytes renders the file as tofu and terraform do: sorted by address, hashes
// one to a line. Comments other than the header are not kept; they do not
// keep them either.
func (f LockFile) Bytes() []byte {
	file := hclwrite.NewEmptyFile()
	body := file.Body()
	header := f.Header
	if len(header) == 0 {
		header = defaultHeader[:]
	}
	for _, line := range header {
		body.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte(line + "\n")}})
	}
	byName := func(a, b tfaddr.Provider) int { return strings.Compare(a.String(), b.String()) }
	for _, p := range slices.SortedFunc(maps.Keys(f.Providers), byName) {
		lock := f.Providers[p]
		body.AppendNewline()
		block := body.AppendNewBlock("provider", []string{p.String()}).Body()
		block.SetAttributeValue("version", cty.StringVal(lock.Version))
		if lock.Constraints != "" {
			block.SetAttributeValue("constraints", cty.StringVal(lock.Constraints))
		}
		if len(lock.Hashes) > 0 {
			block.SetAttributeRaw("hashes", hashTokens(lock.Hashes))
		}
	}
	return file.Bytes()
}

func hashTokens(hashes []string) hclwrite.Tokens {
	newline := &hclwrite.Token{Type: hclsyntax.TokenNewline, Bytes: []byte("\n")}
	out := hclwrite.Tokens{{Type: hclsyntax.TokenOBrack, Bytes: []byte("[")}, newline}
	for _, hash := range slices.Compact(slices.Sorted(slices.Values(hashes))) {
		out = append(out, hclwrite.TokensForValue(cty.StringVal(hash))...)
		out = append(out, &hclwrite.Token{Type: hclsyntax.TokenComma, Bytes: []byte(",")}, newline)
	}
	return append(out, &hclwrite.Token{Type: hclsyntax.TokenCBrack, Bytes: []byte("]")})
}

// Save replaces the file at path, whole or not at all.
func (f LockFile) Save(path string) diag.List {
	mode := os.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := wholefile.Replace(path, f.Bytes(), mode); err != nil {
		return diag.List{unwritableLock(path, err)}
	}
	return nil
}

// Record locks an installed provider under the constraints it was chosen by.
// Hashes of an earlier lock of the same version stay; a provider without a
// version or hashes, such as a local binary, cannot be locked and changes
// nothing.
func (f *LockFile) Record(got Installed, constraints string) {
	if got.Version == "" || len(got.Hashes) == 0 {
		return
	}
	if f.Providers == nil {
		f.Providers = map[tfaddr.Provider]Lock{}
	}
	hashes := slices.Clone(got.Hashes)
	if old, ok := f.Providers[got.Provider]; ok && old.Version == got.Version {
		hashes = append(hashes, old.Hashes...)
	}
	slices.Sort(hashes)
	f.Providers[got.Provider] = Lock{Version: got.Version, Constraints: strings.TrimSpace(constraints), Hashes: slices.Compact(hashes)}
}

// Request asks for p as it is locked. ok is false where it is not.
func (f LockFile) Request(p tfaddr.Provider) (req Request, ok bool) {
	lock, ok := f.Providers[p]
	return Request{Provider: p, Constraint: lock.Version, Hashes: lock.Hashes}, ok
}

// Allows reports a constraint that is none, or that the locked version does not
// meet: init has to be run again then.
func (f LockFile) Allows(p tfaddr.Provider, constraint string) error {
	c, err := parseConstraint(constraint)
	if err != nil {
		return fmt.Errorf("%q is not a version constraint", constraint)
	}
	lock, ok := f.Providers[p]
	if !ok {
		return nil
	}
	if v, err := versions.ParseVersion(lock.Version); err != nil || !c.set.Has(v) {
		return fmt.Errorf("%s locks version %s of %s, which does not meet %q", LockFileName, lock.Version, p, constraint)
	}
	return nil
}

// Verify holds an installed provider to its lock: the version must be the
// locked one, and one of the locked hashes that of the package. What is not
// locked, and what stands outside of versions (local binaries, overrides),
// passes.
func (f LockFile) Verify(got Installed) diag.List {
	lock, ok := f.Providers[got.Provider]
	if !ok || got.Version == "" || len(got.checked) == 0 {
		return nil
	}
	if lock.Version != got.Version {
		return diag.List{lockedOtherVersion(got.Provider, lock.Version, got.Version)}
	}
	if !meets(lock.Hashes, got.checked) {
		return diag.List{lockMismatch(got, lock.Hashes)}
	}
	return nil
}
