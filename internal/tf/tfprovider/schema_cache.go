package tfprovider

import (
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/formation-iac/formation/internal/base/sealed"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// cachedSchema is what one binary answered: the raw responses, kept as they
// came so that loading decodes nothing.
type cachedSchema struct {
	protocol   int
	response   []byte // GetProviderSchema
	identities []byte // GetResourceIdentitySchemas; empty where not offered
}

// cacheHead begins the file: a name and a format number. The layout after it
// is: protocol (1 byte), the two lengths (uvarint), the two responses.
const cacheHead = "formation-schema-1\n"

// write writes the file. The responses may have tens of megabytes, and are
// not copied.
func (c cachedSchema) write(w io.Writer) error {
	return sealed.Write(w, cacheHead, func(w io.Writer) error {
		lengths := []byte{byte(c.protocol)}
		lengths = binary.AppendUvarint(lengths, uint64(len(c.response)))
		lengths = binary.AppendUvarint(lengths, uint64(len(c.identities)))
		for _, part := range [][]byte{lengths, c.response, c.identities} {
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
	if !ok || len(body) == 0 {
		return cachedSchema{}, errBadCache
	}
	c, rest := cachedSchema{protocol: int(body[0])}, body[1:]
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
