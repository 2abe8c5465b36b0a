package tfprovider

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/sealed"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// cachedSchema is what one binary answered: the raw responses, kept as they
// came so that loading decodes nothing.
type cachedSchema struct {
	protocol    int
	environment environmentDigest // that the answer was given in
	response    []byte            // GetProviderSchema
	identities  []byte            // GetResourceIdentitySchemas; empty where not offered
}

// environmentDigest stands for the environment of a process.
type environmentDigest [sha256.Size]byte

// digestEnvironment tells environments apart in what may change a schema. What
// a shell sets anew with each command or window does not.
func digestEnvironment(env []string) (digest environmentDigest) {
	kept := slices.DeleteFunc(slices.Sorted(slices.Values(env)), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains([]string{"_", "PWD", "OLDPWD", "SHLVL", "LINES", "COLUMNS"}, name)
	})
	return sha256.Sum256([]byte(strings.Join(kept, "\x00")))
}

// cacheHead begins the file: a name and a format number. The layout after it
// is: protocol (1 byte), the environment's digest, the two lengths (uvarint),
// the two responses.
const cacheHead = "formation-schema-2\n"

// write writes the file. The responses may have tens of megabytes, and are
// not copied.
func (c cachedSchema) write(w io.Writer) error {
	return sealed.Write(w, cacheHead, func(w io.Writer) error {
		lead := append([]byte{byte(c.protocol)}, c.environment[:]...)
		lead = binary.AppendUvarint(lead, uint64(len(c.response)))
		lead = binary.AppendUvarint(lead, uint64(len(c.identities)))
		for _, part := range [][]byte{lead, c.response, c.identities} {
			if _, err := w.Write(part); err != nil {
				return err
			}
		}
		return nil
	})
}

var errBadCache = errors.New("not a whole schema cache file")

func decodeCachedSchema(data []byte) (cachedSchema, error) {
	body, ok := sealed.Text(data, cacheHead)
	if !ok || len(body) < 1+sha256.Size {
		return cachedSchema{}, errBadCache
	}
	c, rest := cachedSchema{protocol: int(body[0])}, body[1:]
	rest = rest[copy(c.environment[:], rest):]
	response, n := binary.Uvarint(rest)
	if n <= 0 {
		return cachedSchema{}, errBadCache
	}
	rest = rest[n:]
	identities, n := binary.Uvarint(rest)
	if n <= 0 || response > uint64(len(rest)) || identities > uint64(len(rest)) || response+identities != uint64(len(rest)-n) {
		return cachedSchema{}, errBadCache
	}
	rest = rest[n:]
	c.response, c.identities = rest[:response], rest[response:]
	return c, nil
}

// loadCachedSchema reads file. A missing or broken one is an error, after
// which the provider is asked.
func loadCachedSchema(file string) (cachedSchema, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return cachedSchema{}, err
	}
	return decodeCachedSchema(data)
}

// save replaces file in one step, so that a concurrent reader sees the old
// content or the new.
func (c cachedSchema) save(file string) error {
	return wholefile.Stream(file, 0o600, c.write)
}
