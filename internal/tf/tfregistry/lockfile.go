package tfregistry

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/apparentlymart/go-versions/versions"
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// LockFileName is the name of a dependency lock file in a root module.
const LockFileName = ".terraform.lock.hcl"

// LockFile is a dependency lock file.
type LockFile struct {
	// Header holds the comment lines that open the file, without their line
	// ends; none means the usual two.
	Header []string
	// Providers are the locks by address.
	Providers map[tfaddr.Provider]Lock
}

// Lock pins one provider.
type Lock struct {
	Version string
	// Constraints are those of the configuration when the lock was made, or
	// "".
	Constraints string
	// Hashes are "h1:" and "zh:" hashes, sorted, of any platform's package.
	Hashes []string
}

// LoadLockFile reads a lock file. A file that does not exist is an empty one.
func LoadLockFile(path string) (LockFile, diag.List) {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return LockFile{Providers: map[tfaddr.Provider]Lock{}}, nil
	}
	if err != nil {
		return LockFile{}, asDiagnostics(unreadableLock(path, err))
	}
	return ParseLockFile(src, path)
}

// maxLockFile bounds a lock file in bytes, and the parser's recursion by it.
const maxLockFile = 1 << 20

// ParseLockFile reads the text of a lock file. On errors the result holds
// the locks that are right.
func ParseLockFile(src []byte, filename string) (LockFile, diag.List) {
	out := LockFile{Providers: map[tfaddr.Provider]Lock{}}
	if len(src) > maxLockFile {
		return out, asDiagnostics(invalidLock(hcl.Range{Filename: filename}, fmt.Sprintf("It has more than %d bytes", maxLockFile)))
	}
	file, parsed := hcltext.ParseConfig(src, filename)
	diags := lockSyntax(parsed)
	if file == nil || parsed.HasErrors() {
		return out, diags
	}
	out.Header = headerOf(src)
	content, parsed := file.Body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "provider", LabelNames: []string{"source_addr"}},
		// Reserved by the format; nothing writes it yet.
		{Type: "module", LabelNames: []string{"path"}},
	}})
	diags = append(diags, lockSyntax(parsed)...)
	for _, block := range content.Blocks {
		if block.Type != "provider" {
			continue
		}
		p, lock, more := decodeLock(block)
		diags = append(diags, more...)
		if more.HasErrors() {
			continue
		}
		if _, twice := out.Providers[p]; twice {
			diags = append(diags, invalidLock(block.DefRange, "It locks "+p.String()+" twice"))
			continue
		}
		out.Providers[p] = lock
	}
	return out, diags
}

func headerOf(src []byte) []string {
	var header []string
	for line := range strings.Lines(string(src)) {
		line = strings.TrimRight(line, "\r\n")
		if !strings.HasPrefix(line, "#") {
			break
		}
		header = append(header, line)
	}
	return header
}

func decodeLock(block *hcl.Block) (tfaddr.Provider, Lock, diag.List) {
	p, err := tfaddr.ParseProvider(block.Labels[0])
	if err != nil || p.String() != block.Labels[0] {
		return p, Lock{}, diag.List{invalidLock(block.LabelRanges[0], fmt.Sprintf("%q is not a provider's whole address, host/namespace/type", block.Labels[0]))}
	}
	content, parsed := block.Body.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "version", Required: true}, {Name: "constraints"}, {Name: "hashes"},
	}})
	if parsed.HasErrors() {
		return p, Lock{}, lockSyntax(parsed)
	}
	var lock Lock
	for _, read := range []func(*hcl.BodyContent) error{lock.readVersion, lock.readConstraints, lock.readHashes} {
		if err := read(content); err != nil {
			return p, Lock{}, asDiagnostics(err)
		}
	}
	return p, lock, nil
}

func (l *Lock) readVersion(content *hcl.BodyContent) error {
	attr := content.Attributes["version"]
	text, err := stringOf(attr)
	if err != nil {
		return err
	}
	v, err := versions.ParseVersion(text)
	if err != nil || v.String() != text {
		return invalidLock(attr.Expr.Range(), fmt.Sprintf("%q is not a version number in full", text))
	}
	l.Version = text
	return nil
}

func (l *Lock) readConstraints(content *hcl.BodyContent) error {
	attr, ok := content.Attributes["constraints"]
	if !ok {
		return nil
	}
	text, err := stringOf(attr)
	if err != nil {
		return err
	}
	if _, err := parseConstraint(text); err != nil {
		return invalidLock(attr.Expr.Range(), fmt.Sprintf("%q is not a version constraint", text))
	}
	l.Constraints = text
	return nil
}

func (l *Lock) readHashes(content *hcl.BodyContent) error {
	attr, ok := content.Attributes["hashes"]
	if !ok {
		return nil
	}
	members, parsed := hcl.ExprList(attr.Expr)
	if parsed.HasErrors() {
		return invalidLock(attr.Expr.Range(), "hashes must be a list of strings")
	}
	for _, member := range members {
		v, parsed := member.Value(nil)
		if parsed.HasErrors() || v.IsNull() || v.Type() != cty.String {
			return invalidLock(member.Range(), "hashes must be a list of strings")
		}
		scheme, rest, ok := strings.Cut(v.AsString(), ":")
		if !ok || scheme == "" || rest == "" {
			return invalidLock(member.Range(), fmt.Sprintf("%q is not a hash of the form scheme:value", v.AsString()))
		}
		l.Hashes = append(l.Hashes, v.AsString())
	}
	slices.Sort(l.Hashes)
	l.Hashes = slices.Compact(l.Hashes)
	return nil
}

func stringOf(attr *hcl.Attribute) (string, error) {
	v, parsed := attr.Expr.Value(nil)
	if parsed.HasErrors() || v.IsNull() || v.Type() != cty.String {
		return "", invalidLock(attr.Expr.Range(), attr.Name+" must be a string")
	}
	return v.AsString(), nil
}
