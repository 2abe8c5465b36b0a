package bridge

import (
	"context"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
)

// work has lifecycle do what a request asks for, and writes the answer. A
// request that could not be read is not worked on.
func work[Request, Response, Message any](
	ctx context.Context, b *bridge, unreadable error, request Request,
	do func(*lifecycle.Provider, context.Context, Request) (Response, error),
	write func(Response) (*Message, error),
) (*Message, error) {
	if unreadable != nil {
		return nil, unreadable
	}
	provider, err := b.made.Load().working(ctx)
	if err != nil {
		return nil, refused(err)
	}
	response, err := do(provider, ctx, request)
	if err != nil {
		return nil, b.failed(err)
	}
	message, err := write(response)
	if err != nil {
		return nil, err
	}
	return message, nil
}

// silent makes work's do of a method that has no answer.
func silent[Request any](do func(*lifecycle.Provider, context.Context, Request) error) func(*lifecycle.Provider, context.Context, Request) (struct{}, error) {
	return func(p *lifecycle.Provider, ctx context.Context, request Request) (struct{}, error) {
		return struct{}{}, do(p, ctx, request)
	}
}
