package wideprovider

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Worked is how much a provider has done for resources.
type Worked struct {
	// Calls counts the calls that are part of a resource's life, and Took is the
	// time inside of them.
	Calls int64
	Took  time.Duration
}

// workedSize is that of a Worked in its file: two numbers, the small end first.
const workedSize = 16

// ReadWorked reads the file that a [Counted] provider keeps. A provider that
// has kept none so far has done nothing.
func ReadWorked(path string) (Worked, error) {
	data, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err), err == nil && len(data) == 0:
		return Worked{}, nil
	case err != nil:
		return Worked{}, err
	case len(data) != workedSize:
		return Worked{}, fmt.Errorf("%s has %d bytes, and should have %d", path, len(data), workedSize)
	}
	return Worked{
		Calls: int64(binary.LittleEndian.Uint64(data)),
		Took:  time.Duration(binary.LittleEndian.Uint64(data[8:])),
	}, nil
}

// Since is what was done after an earlier reading.
func (w Worked) Since(before Worked) Worked {
	return Worked{Calls: w.Calls - before.Calls, Took: w.Took - before.Took}
}

// Counted is a provider that writes down what it has done before it answers, so
// that who measures a call can tell the provider's part of it from the rest. A
// provider's own time differs from call to call by more than what is measured.
//
// done is what processes before this one have done, whose place it takes.
func Counted(server tfprotov6.ProviderServer, file io.WriterAt, done Worked) tfprotov6.ProviderServer {
	return &counted{ProviderServer: server, file: file, done: done}
}

type counted struct {
	tfprotov6.ProviderServer
	file io.WriterAt

	mu   sync.Mutex
	done Worked
}

// during makes one call and writes down what it took.
func during[Request, Response any](ctx context.Context, c *counted, call func(context.Context, *Request) (*Response, error), req *Request) (*Response, error) {
	began := time.Now()
	resp, err := call(ctx, req)
	took := time.Since(began)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done.Calls++
	c.done.Took += took
	var data [workedSize]byte
	binary.LittleEndian.PutUint64(data[:], uint64(c.done.Calls))
	binary.LittleEndian.PutUint64(data[8:], uint64(c.done.Took))
	if _, err := c.file.WriteAt(data[:], 0); err != nil {
		return nil, err
	}
	return resp, err
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (c *counted) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return during(ctx, c, c.ProviderServer.ValidateResourceConfig, req)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (c *counted) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return during(ctx, c, c.ProviderServer.UpgradeResourceState, req)
}

// ReadResource implements tfprotov6.ResourceServer.
func (c *counted) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return during(ctx, c, c.ProviderServer.ReadResource, req)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (c *counted) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return during(ctx, c, c.ProviderServer.PlanResourceChange, req)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (c *counted) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return during(ctx, c, c.ProviderServer.ApplyResourceChange, req)
}
