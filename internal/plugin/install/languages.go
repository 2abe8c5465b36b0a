package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/lastwords"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/pulumi/project"
)

// LanguagePlugins is the [Language] that language plugins are. One is started
// for every call.
type LanguagePlugins struct {
	// Start starts the plugin of a runtime such as "nodejs"; end ends it.
	Start func(ctx context.Context, runtime string) (client pulumirpc.LanguageRuntimeClient, end func() error, diags diag.List)
	// Output takes the lines that languages print while they install; or nil.
	Output func(line string)
	// VersionTools has languages use tools like nvm and pyenv.
	VersionTools bool
}

// StartBy starts language plugins by a host.
func StartBy(h *host.Host) func(ctx context.Context, runtime string) (pulumirpc.LanguageRuntimeClient, func() error, diag.List) {
	return func(ctx context.Context, runtime string) (pulumirpc.LanguageRuntimeClient, func() error, diag.List) {
		started, diags := h.Language(ctx, runtime)
		if started == nil {
			return nil, nil, diags
		}
		return started.Client, started.Close, diags
	}
}

// programInfo is what the protocol wants to know of a program.
func programInfo(m *project.Manifest) (*pulumirpc.ProgramInfo, error) {
	options, err := structpb.NewStruct(m.Runtime.Options)
	if err != nil {
		return nil, err
	}
	entry := "."
	if path := m.Abs(m.Main); m.Main != "" && filepath.Clean(path) != filepath.Clean(m.ProgramDir()) {
		entry = filepath.Base(path)
	}
	return &pulumirpc.ProgramInfo{RootDirectory: m.Dir(), ProgramDirectory: m.ProgramDir(), EntryPoint: entry, Options: options}, nil
}

// with starts a manifest's language plugin and has work done with it.
func (l LanguagePlugins) with(ctx context.Context, m *project.Manifest, work func(pulumirpc.LanguageRuntimeClient, *pulumirpc.ProgramInfo) error) diag.List {
	info, err := programInfo(m)
	if err != nil {
		return diag.List{languageFailed(m, "was not asked", err)}
	}
	client, end, diags := l.Start(ctx, m.Runtime.Name)
	if client == nil {
		return diags
	}
	defer func() { _ = end() }() // it did its work, or a call failed
	err = work(client, info)
	var said *diag.Diagnostic
	switch {
	case ctx.Err() != nil:
		return stopped(diags)
	case err == nil || errors.As(err, &said):
		return append(diags, diag.FromError(codeInternal, "", err)...)
	}
	return append(diags, languageFailed(m, "failed", err))
}

// RequiredPackages implements [Language].
func (l LanguagePlugins) RequiredPackages(ctx context.Context, m *project.Manifest) (plugin.Requirements, diag.List) {
	var out plugin.Requirements
	var more diag.List
	diags := l.with(ctx, m, func(client pulumirpc.LanguageRuntimeClient, info *pulumirpc.ProgramInfo) error {
		answer, err := client.GetRequiredPackages(ctx, &pulumirpc.GetRequiredPackagesRequest{Info: info})
		if err != nil {
			return err
		}
		for _, dependency := range answer.GetPackages() {
			d, diags := DescribeDependency(dependency)
			out.Plugins, more = append(out.Plugins, d), append(more, diags...)
		}
		for _, spec := range answer.GetSpecs() {
			d, diags := DescribeSpec(spec)
			out.Packages, more = append(out.Packages, d), append(more, diags...)
		}
		return nil
	})
	return out, append(diags, more...)
}

// InstallDependencies implements [Language].
func (l LanguagePlugins) InstallDependencies(ctx context.Context, m *project.Manifest) diag.List {
	return l.with(ctx, m, func(client pulumirpc.LanguageRuntimeClient, info *pulumirpc.ProgramInfo) error {
		output, err := client.InstallDependencies(ctx, &pulumirpc.InstallDependenciesRequest{
			Directory: info.GetProgramDirectory(), //nolint:staticcheck // older language plugins know nothing else
			Info:      info, IsPlugin: m.Kind != project.Program, UseLanguageVersionTools: l.VersionTools,
		})
		if err != nil {
			return err
		}
		lines := &lastwords.Lines{Take: l.Output}
		defer lines.Flush()
		words := lastwords.Tail{Also: lines}
		for {
			printed, err := output.Recv()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return explained(err, words.String())
			}
			for _, text := range [][]byte{printed.GetStdout(), printed.GetStderr()} {
				_, _ = words.Write(text) // never fails
			}
		}
	})
}

// explained adds the last words of a language to what it says went wrong. A
// diagnostic is left as it is.
func explained(err error, words string) error {
	var said *diag.Diagnostic
	if words == "" || errors.As(err, &said) {
		return err
	}
	return fmt.Errorf("%s\nIt printed last:\n%s", status.Convert(err).Message(), words)
}
