package host

import (
	"context"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// Resource is a resource plugin that runs, for one parameterization.
type Resource struct {
	*Instance
	Client pulumirpc.ResourceProviderClient
	// Accepts is the answer to Handshake; nil where the plugin has none, and
	// says in Configure what it accepts.
	Accepts *pulumirpc.ProviderHandshakeResponse
	// Package is what the last parameterization made; zero without one.
	Package Package
}

// Package is the name and the version of a package.
type Package struct{ Name, Version string }

// Resource starts a resource plugin and parameterizes it: first, where it is
// to be another package, and then for each extension. Zero parameterizations
// are passed over.
func (h *Host) Resource(ctx context.Context, w Wanted, parameterizations ...plugin.Parameterization) (*Resource, diag.List) {
	found, diags := h.opts.Finder.Find(plugin.Resource, w)
	if diags.HasErrors() {
		return nil, diags
	}
	found.mappings = w.EnvVarMappings
	r, more := h.OpenResource(ctx, found, parameterizations...)
	return r, append(diags, more...)
}

// OpenResource is Resource for a plugin that was found.
func (h *Host) OpenResource(ctx context.Context, found Found, parameterizations ...plugin.Parameterization) (*Resource, diag.List) {
	r := &Resource{}
	i, diags := h.start(ctx, found, h.resourceContract(found, r))
	if i == nil {
		return nil, diags
	}
	r.Instance, r.Client = i, pulumirpc.NewResourceProviderClient(i.conn)
	for _, p := range parameterizations {
		if diags = append(diags, r.parameterize(ctx, p)...); diags.HasErrors() {
			_ = r.Close()
			return nil, diags
		}
	}
	return r, diags
}

func none() *emptypb.Empty { return &emptypb.Empty{} }

func (h *Host) resourceContract(f Found, r *Resource) contract {
	return contract{
		args: []string{h.engine.address},
		env:  h.opts.Project.forResource(f.Name),
		dir:  h.opts.projectDir(),
		greet: func(ctx context.Context, conn *grpc.ClientConn) (err error) {
			r.Accepts, err = pulumirpc.NewResourceProviderClient(conn).Handshake(ctx, h.handshake(f), grpc.WaitForReady(true))
			if status.Code(err) == codes.Unimplemented {
				return nil
			}
			return err
		},
		attach: func(ctx context.Context, conn *grpc.ClientConn) error {
			_, err := pulumirpc.NewResourceProviderClient(conn).Attach(ctx, &pulumirpc.PluginAttach{Address: h.engine.address})
			return err
		},
		farewell: func(ctx context.Context, conn *grpc.ClientConn) error {
			_, err := pulumirpc.NewResourceProviderClient(conn).Cancel(ctx, none())
			return err
		},
	}
}

// handshake says who we are. The directories of a plugin that was attached to
// are not known.
func (h *Host) handshake(f Found) *pulumirpc.ProviderHandshakeRequest {
	req := &pulumirpc.ProviderHandshakeRequest{EngineAddress: h.engine.address, ConfigureWithUrn: true, InvokeWithPreview: true}
	if f.Origin != Attached {
		dir := f.Dir()
		req.RootDirectory, req.ProgramDirectory = &dir, &dir
	}
	if broker := h.opts.Broker; broker != "" {
		req.LoaderTarget, req.MapperTarget, req.ResolverTarget = &broker, &broker, &broker
	}
	return req
}

// parameterize makes one parameterization and holds the answer to it.
func (r *Resource) parameterize(ctx context.Context, p plugin.Parameterization) diag.List {
	if p.IsZero() {
		return nil
	}
	const method = "Parameterize"
	response, err := r.Client.Parameterize(ctx, parameterizeRequest(p))
	if err != nil {
		return r.failed(ctx, method, err)
	}
	made := Package{response.GetName(), response.GetVersion()}
	if made.Name == "" {
		return diag.List{malformed(r.Instance, method, "it names no package")}
	}
	if _, err := plugin.ParseVersion(made.Version); err != nil {
		return diag.List{malformed(r.Instance, method, "the version of package "+made.Name+": "+err.Error())}
	}
	if p.Value != nil && p.Value.Name != made.Name {
		return diag.List{otherPackage(r.Instance, p.Value.Name, made.Name)}
	}
	r.Package = made
	return nil
}

func parameterizeRequest(p plugin.Parameterization) *pulumirpc.ParameterizeRequest {
	if p.Value == nil {
		return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Args{
			Args: &pulumirpc.ParameterizeRequest_ParametersArgs{Args: p.Args},
		}}
	}
	return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Value{
		Value: &pulumirpc.ParameterizeRequest_ParametersValue{Name: p.Value.Name, Version: p.Value.Version.String(), Value: p.Value.Value},
	}}
}

// Schema returns the schema of the plugin's package, or of the one that it was
// parameterized as: a JSON document.
func (r *Resource) Schema(ctx context.Context) (string, diag.List) {
	schema, diags := r.SchemaUnless(ctx, "")
	return schema.Text, diags
}

// Schema is what a plugin answers to GetSchema.
type Schema struct {
	// Text is JSON; "" where it is Held.
	Text string
	// Tag names the edition; "" where the plugin names none.
	Tag string
	// Held says that it is the edition that the caller holds.
	Held bool
}

// SchemaUnless is Schema, but for an edition that the caller holds already: a
// plugin that knows its editions does not send that one again.
func (r *Resource) SchemaUnless(ctx context.Context, held string) (Schema, diag.List) {
	const method = "GetSchema"
	if held != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, pserve.SchemaHeld, held)
	}
	var header metadata.MD
	response, err := r.Client.GetSchema(ctx, &pulumirpc.GetSchemaRequest{
		SubpackageName: r.Package.Name, SubpackageVersion: r.Package.Version,
	}, grpc.Header(&header))
	if err != nil {
		return Schema{}, r.failed(ctx, method, err)
	}
	tag := strings.Join(header.Get(pserve.SchemaTag), "")
	switch {
	case response.GetSchema() != "":
		return Schema{Text: response.GetSchema(), Tag: tag}, nil
	case held != "" && tag == held:
		return Schema{Tag: tag, Held: true}, nil
	}
	return Schema{}, diag.List{malformed(r.Instance, method, "the schema is empty")}
}

// Mapping is how a package relates to a provider of another ecosystem.
type Mapping struct {
	// Provider is the name that the provider has there.
	Provider string
	// Data is what the ecosystem's converter understands; empty stands for no
	// mapping.
	Data []byte
}

// MappedProviders lists the providers of an ecosystem for which the plugin has
// mappings. A plugin that cannot tell has none.
func (r *Resource) MappedProviders(ctx context.Context, ecosystem string) ([]string, diag.List) {
	response, err := r.Client.GetMappings(ctx, &pulumirpc.GetMappingsRequest{Key: ecosystem})
	if status.Code(err) == codes.Unimplemented {
		return nil, nil
	}
	if err != nil {
		return nil, r.failed(ctx, "GetMappings", err)
	}
	return response.GetProviders(), nil
}

// Mapping asks for the mapping of one provider, or for the plugin's only one
// where provider is "". A plugin that has none answers with an empty one.
func (r *Resource) Mapping(ctx context.Context, ecosystem, provider string) (Mapping, diag.List) {
	response, err := r.Client.GetMapping(ctx, &pulumirpc.GetMappingRequest{Key: ecosystem, Provider: provider})
	if status.Code(err) == codes.Unimplemented {
		return Mapping{}, nil
	}
	if err != nil {
		return Mapping{}, r.failed(ctx, "GetMapping", err)
	}
	return Mapping{response.GetProvider(), response.GetData()}, nil
}
