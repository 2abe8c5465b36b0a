package sdkgen

import (
	"bytes"
	"sync"
)

// Buffers are what files are written in. Large files would otherwise make much
// garbage while they grow. The zero value is ready; it is safe for concurrent
// use.
type Buffers struct{ pool sync.Pool }

// Take gives an empty buffer.
func (b *Buffers) Take() *bytes.Buffer {
	if used, ok := b.pool.Get().(*bytes.Buffer); ok {
		return used
	}
	return new(bytes.Buffer)
}

// File ends a file that has head before its body. The buffer of the body is
// for others from then on.
func (b *Buffers) File(path, head string, body *bytes.Buffer) File {
	data := make([]byte, 0, len(head)+body.Len())
	data = append(append(data, head...), body.Bytes()...)
	body.Reset()
	b.pool.Put(body)
	return File{Path: path, Data: data}
}
