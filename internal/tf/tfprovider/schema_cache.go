package tfprovider

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"

	"github.com/formation-iac/formation/internal/base/wholefile"
)

// cachedSchema is what one binary answered: the raw responses, kept as they
// came so that loading decodes nothing.
type cachedSchema struct {
	protocol   int
	response   []byte // GetProviderSchema
	identities []byte // GetResourceIdentitySchemas; empty where not offered
}

// cacheMagic opens the file: a name and a format number. The layout after it
// is: protocol (1 byte), the two lengths (uvarint), the two responses, and
// the CRC-32 of all that precedes it, big-endian.
const cacheMagic = "formation-schema-1\n"

// write writes the layout. The responses may have tens of megabytes, and are
// not copied.
func (c cachedSchema) write(w io.Writer) error {
	head := append([]byte(cacheMagic), byte(c.protocol))
	head = binary.AppendUvarint(head, uint64(len(c.response)))
	head = binary.AppendUvarint(head, uint64(len(c.identities)))
	sum := crc32.NewIEEE()
	for _, part := range [][]byte{head, c.response, c.identities} {
		_, _ = sum.Write(part) // never fails
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

var errBadCache = errors.New("not a whole schema cache file")

func decodeCachedSchema(data []byte) (cachedSchema, error) {
	if len(data) < len(cacheMagic)+1+4 || string(data[:len(cacheMagic)]) != cacheMagic {
		return cachedSchema{}, errBadCache
	}
	body, sum := data[:len(data)-4], data[len(data)-4:]
	if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(sum) {
		return cachedSchema{}, errBadCache
	}
	c := cachedSchema{protocol: int(body[len(cacheMagic)])}
	rest := body[len(cacheMagic)+1:]
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
