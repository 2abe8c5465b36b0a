package host

import (
	"context"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
)

// Language is a language plugin that runs.
type Language struct {
	*Instance
	Client pulumirpc.LanguageRuntimeClient
}

// Language starts the plugin of a language, such as "nodejs".
func (h *Host) Language(ctx context.Context, runtime string) (*Language, diag.List) {
	found, diags := h.opts.Finder.Find(plugin.Language, wantedLanguage(runtime))
	if diags.HasErrors() {
		return nil, diags
	}
	c := contract{
		args: []string{h.engine.address}, dir: h.opts.projectDir(), greet: alive,
		farewell: func(ctx context.Context, conn *grpc.ClientConn) error {
			_, err := pulumirpc.NewLanguageRuntimeClient(conn).Cancel(ctx, none())
			return err
		},
	}
	if found.Origin == Attached {
		c.greet = h.greetAttachedLanguage
	}
	i, more := h.start(ctx, found, c)
	if diags = append(diags, more...); i == nil {
		return nil, diags
	}
	return &Language{i, pulumirpc.NewLanguageRuntimeClient(i.conn)}, diags
}

// wantedLanguage is the plugin of a runtime.
func wantedLanguage(runtime string) Wanted {
	return Wanted{Name: strings.ReplaceAll(runtime, "/", "_")}
}

// greetAttachedLanguage tells a plugin that we did not start who we are. It
// has no other way to know.
func (h *Host) greetAttachedLanguage(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := pulumirpc.NewLanguageRuntimeClient(conn).Handshake(ctx,
		&pulumirpc.LanguageHandshakeRequest{EngineAddress: h.engine.address}, grpc.WaitForReady(true))
	return err
}
