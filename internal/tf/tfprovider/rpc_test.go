package tfprovider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// both runs a test over protocols 6 and 5, on types that the two providers
// have under their own prefix.
func both(t *testing.T, objects int, test func(t *testing.T, p peer, prefix string)) {
	t.Parallel()
	for prefix, newPeer := range map[string]func(*testing.T, estate.Options) peer{"estate_": estatePeer, "classic_": classicPeer} {
		t.Run(strings.TrimSuffix(prefix, "_"), func(t *testing.T) {
			t.Parallel()
			test(t, newPeer(t, estate.Options{Seed: estate.SeedOptions{Objects: objects}}), prefix)
		})
	}
}

func TestSchema(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, prefix string) {
		schema, err := p.catalog.Resource(prefix + "network")
		if err != nil {
			t.Fatal(err)
		}
		name := schema.Block.Attribute("name")
		if name == nil || !name.Required || name.Type != cty.String {
			t.Errorf("name is %+v", name)
		}
		if got := schema.Block.Attribute("arn"); got == nil || got.Configurable() || !got.Computed {
			t.Errorf("arn is %+v", got)
		}
		identity, err := p.catalog.Identity(prefix + "bucket")
		if err != nil || identity == nil {
			t.Fatalf("identity %v, %v", identity, err)
		}
		if diff := cmp.Diff("name", identity.Attributes[0].Name); diff != "" || !identity.Attributes[0].RequiredForImport {
			t.Errorf("identity is %+v", identity.Attributes[0])
		}
		if !p.catalog.Has(tfschema.KindDataSource, prefix+"network") || p.catalog.Has(tfschema.KindDataSource, prefix+"nothing") {
			t.Error("data sources are not known by name")
		}
		_, diags := p.ReadResource(t.Context(), tfprovider.ReadRequest{TypeName: prefix + "nothing"})
		wantDiag(t, diags, "TP0009", `the provider has no resource type "`+prefix+`nothing"`)
	})
}

func TestValidate(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, prefix string) {
		ctx := t.Context()
		noDiags(t, p.ValidateProviderConfig(ctx, p.object(t, tfschema.KindProvider, "", nil)))
		network := map[string]cty.Value{"name": text("n"), "cidr": text("10.0.0.0/8")}
		noDiags(t, p.ValidateResourceConfig(ctx, prefix+"network", p.object(t, tfschema.KindResource, prefix+"network", network)))
		noDiags(t, p.ValidateDataSourceConfig(ctx, prefix+"network",
			p.object(t, tfschema.KindDataSource, prefix+"network", map[string]cty.Value{"name": text("n")})))

		record := p.object(t, tfschema.KindResource, prefix+"dns_record",
			map[string]cty.Value{"zone": text("z"), "name": text("n"), "type": text("A")})
		diags := p.ValidateResourceConfig(ctx, prefix+"dns_record", record)
		if !diags.HasErrors() || diags[0].Code != tfprovider.CodeProvider {
			t.Errorf("a record without values: %v", diags)
		}
		wantDiag(t, p.ValidateResourceConfig(ctx, prefix+"network", cty.ObjectVal(map[string]cty.Value{"name": cty.True})),
			"TP0008", "A value does not fit the schema", "resource type "+prefix+"network")
		wantDiag(t, p.ValidateDataSourceConfig(ctx, prefix+"nothing", cty.EmptyObjectVal), "TP0009", "data source")
	})
}

// TestValidateOthers covers what only protocol 6's provider has.
func TestValidateOthers(t *testing.T) {
	t.Parallel()
	p, ctx := estatePeer(t, estate.Options{}), t.Context()
	noDiags(t, p.ValidateListConfig(ctx, "estate_subnet", p.object(t, tfschema.KindList, "estate_subnet", nil)))
	noDiags(t, p.ValidateEphemeralConfig(ctx, "estate_token",
		p.object(t, tfschema.KindEphemeral, "estate_token", map[string]cty.Value{"audience": text("a")})))
	diags := p.ValidateListConfig(ctx, "estate_bucket_object", p.object(t, tfschema.KindList, "estate_bucket_object", nil))
	if !diags.HasErrors() {
		t.Error("a list without its required attribute is valid")
	}
	old := classicPeer(t, estate.Options{})
	wantDiag(t, old.ValidateListConfig(ctx, "classic_network", cty.EmptyObjectVal), "TP0009", "list resource type")
	wantDiag(t, old.ValidateEphemeralConfig(ctx, "classic_token", cty.EmptyObjectVal), "TP0009", "ephemeral resource type")
}

func TestBadConfigure(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, _ string) {
		config := p.object(t, tfschema.KindProvider, "", map[string]cty.Value{"endpoint": text("no URL")})
		diags := p.Configure(t.Context(), config)
		wantDiag(t, diags, tfprovider.CodeProvider, "No estate endpoint")
		if got := ctyx.PathString(diags[0].Path); got != "endpoint" {
			t.Errorf("the diagnostic is on %q", got)
		}
	})
}

// TestLife creates, reads, updates, imports and destroys one resource.
func TestLife(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, prefix string) {
		typeName := prefix + "bucket"
		config := p.object(t, tfschema.KindResource, typeName, map[string]cty.Value{"name": text("b-1")})
		created := p.change(t, typeName, tfprovider.ReadResponse{}, config)
		if got := attr(t, created.State, "arn"); got.IsNull() || !got.IsKnown() {
			t.Errorf("the arn is %#v", got)
		}
		if got := attr(t, created.Identity, "name").AsString(); got != "b-1" {
			t.Errorf("the identity says %q", got)
		}
		read, diags := p.ReadResource(t.Context(), tfprovider.ReadRequest{
			TypeName: typeName, State: created.State, Private: created.Private, Identity: created.Identity,
		})
		noDiags(t, diags)
		for _, name := range []string{"id", "arn", "created_at"} {
			if got, want := attr(t, read.State, name), attr(t, created.State, name); !got.RawEquals(want) {
				t.Errorf("read %s = %#v after creating %#v", name, got, want)
			}
		}
		byIdentity, diags := p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: typeName, Identity: created.Identity})
		noDiags(t, diags)
		if again, diags := p.ReadResource(t.Context(), readRequest(byIdentity[0])); diags.HasErrors() || attr(t, again.State, "id").AsString() != "b-1" {
			t.Errorf("imported by identity: %#v, %v", again.State, diags)
		}
		tagged := p.object(t, tfschema.KindResource, typeName, map[string]cty.Value{
			"name": text("b-1"), "tags": cty.MapVal(map[string]cty.Value{"a": text("b")}),
		})
		updated := p.change(t, typeName, read, tagged)
		if got := attr(t, updated.State, "tags"); got.LengthInt() != 1 {
			t.Errorf("the tags are %#v", got)
		}
		gone := p.change(t, typeName, updated, cty.NullVal(config.Type()))
		if !gone.State.IsNull() || p.estate.Store.Count("buckets") != 0 {
			t.Errorf("destroyed, and there is %#v", gone.State)
		}
	})
}

// change plans and applies one step.
func (p peer) change(t *testing.T, typeName string, prior tfprovider.ReadResponse, config cty.Value) tfprovider.ReadResponse {
	t.Helper()
	plan, diags := p.PlanResourceChange(t.Context(), tfprovider.PlanRequest{
		TypeName: typeName, Prior: prior.State, PriorPrivate: prior.Private, PriorIdentity: prior.Identity,
		Config: config, ProposedNew: proposed(prior.State, config),
	})
	noDiags(t, diags)
	if len(plan.RequiresReplace) != 0 && prior.State != cty.NilVal {
		t.Errorf("it would be replaced for %v", plan.RequiresReplace)
	}
	applied, diags := p.ApplyResourceChange(t.Context(), tfprovider.ApplyRequest{
		TypeName: typeName, Prior: prior.State, Config: config,
		Planned: plan.Planned, PlannedPrivate: plan.Private, PlannedIdentity: plan.Identity,
	})
	noDiags(t, diags)
	return tfprovider.ReadResponse{State: applied.State, Private: applied.Private, Identity: applied.Identity}
}

// proposed is the configuration with prior values where it says nothing. That
// is enough for the flat resources here; tfplan has the whole rule.
func proposed(prior, config cty.Value) cty.Value {
	if prior == cty.NilVal || prior.IsNull() || config.IsNull() {
		return config
	}
	out := config.AsValueMap()
	for name, v := range prior.AsValueMap() {
		if out[name].IsNull() {
			out[name] = v
		}
	}
	return cty.ObjectVal(out)
}

func TestRequiresReplace(t *testing.T) {
	both(t, 60, func(t *testing.T, p peer, prefix string) {
		typeName := prefix + "network"
		prior := p.read(t, typeName, p.ids(t, "networks")[0])
		values := prior.State.AsValueMap()
		values["cidr"] = text("192.168.0.0/16")
		plan, diags := p.PlanResourceChange(t.Context(), tfprovider.PlanRequest{
			TypeName: typeName, Prior: prior.State, PriorPrivate: prior.Private,
			Config:      p.object(t, tfschema.KindResource, typeName, map[string]cty.Value{"name": values["name"], "cidr": values["cidr"]}),
			ProposedNew: cty.ObjectVal(values),
		})
		noDiags(t, diags)
		var got []string
		for _, path := range plan.RequiresReplace {
			got = append(got, ctyx.PathString(path))
		}
		if !strings.Contains(strings.Join(got, " "), "cidr") {
			t.Errorf("replaced for %v", got)
		}
		if plan.LegacyTypeSystem != (prefix == "classic_") {
			t.Errorf("legacy type system: %t", plan.LegacyTypeSystem)
		}
	})
}

// TestFailedApply keeps what a failed apply left behind.
func TestFailedApply(t *testing.T) {
	both(t, 60, func(t *testing.T, p peer, prefix string) {
		typeName := prefix + "network"
		id := p.ids(t, "networks")[0]
		prior := p.read(t, typeName, id)
		values := prior.State.AsValueMap()
		values["description"] = text("new")
		planned := cty.ObjectVal(values)
		p.estate.SetFaults(estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpUpdate}}}})
		resp, diags := p.ApplyResourceChange(t.Context(), tfprovider.ApplyRequest{
			TypeName: typeName, Prior: prior.State, Planned: planned, Config: planned, PlannedPrivate: prior.Private,
		})
		if !diags.HasErrors() || diags[0].Code != tfprovider.CodeProvider {
			t.Fatalf("got %v", diags)
		}
		if got := attr(t, resp.State, "id").AsString(); got != id {
			t.Errorf("the state left behind is of %q", got)
		}
	})
}

func TestUpgradeState(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, prefix string) {
		req := tfprovider.UpgradeStateRequest{TypeName: prefix + "network", Raw: tfprovider.RawState{
			JSON: []byte(`{"id":"net-1","name":"n","cidr":"10.0.0.0/8"}`),
		}}
		if prefix == "classic_" {
			req.Version = 1
		}
		state, diags := p.UpgradeResourceState(t.Context(), req)
		noDiags(t, diags)
		if got := attr(t, state, "cidr").AsString(); got != "10.0.0.0/8" {
			t.Errorf("cidr is %q", got)
		}
		req.Raw.JSON = []byte(`{"id":`)
		if _, diags := p.UpgradeResourceState(t.Context(), req); !diags.HasErrors() {
			t.Error("half a state was upgraded")
		}
	})
}

// TestUpgradeOldState takes state of an older version, as JSON and as the
// flatmap of old Terraform.
func TestUpgradeOldState(t *testing.T) {
	t.Parallel()
	p := classicPeer(t, estate.Options{})
	for name, raw := range map[string]tfprovider.RawState{
		"json":    {JSON: []byte(`{"id":"net-1","name":"n","cidr":"10.0.0.0/8","dns_servers":"10.0.0.2, 10.0.0.3"}`)},
		"flatmap": {Flatmap: map[string]string{"id": "net-1", "name": "n", "cidr": "10.0.0.0/8", "dns_servers": "10.0.0.2, 10.0.0.3"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, diags := p.UpgradeResourceState(t.Context(), tfprovider.UpgradeStateRequest{TypeName: "classic_network", Raw: raw})
			noDiags(t, diags)
			dns := attr(t, state, "dns").AsValueSlice()
			if len(dns) != 1 || attr(t, dns[0], "servers").LengthInt() != 2 {
				t.Errorf("dns is %#v", dns)
			}
		})
	}
}

func TestUpgradeIdentity(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, prefix string) {
		identity, diags := p.UpgradeResourceIdentity(t.Context(), tfprovider.UpgradeIdentityRequest{
			TypeName: prefix + "bucket", JSON: []byte(`{"name":"b"}`),
		})
		if prefix == "estate_" { // the framework takes older versions only, and this type has none
			wantDiag(t, diags, tfprovider.CodeProvider, "Unexpected Identity Upgrade Request")
			return
		}
		noDiags(t, diags)
		if got := attr(t, identity, "name").AsString(); got != "b" {
			t.Errorf("got %q", got)
		}
	})
}

func TestImport(t *testing.T) {
	both(t, 60, func(t *testing.T, p peer, prefix string) {
		network := p.read(t, prefix+"network", p.ids(t, "networks")[0])
		if network.State.IsNull() {
			t.Error("the network is gone")
		}
		if resp := p.read(t, prefix+"network", "net-nowhere"); !resp.State.IsNull() {
			t.Errorf("found %#v", resp.State)
		}
		_, diags := p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: prefix + "network"})
		if !diags.HasErrors() {
			t.Error("imported by nothing")
		}
	})
}

// TestImportMany imports a bucket together with its objects.
func TestImportMany(t *testing.T) {
	t.Parallel()
	p := classicPeer(t, estate.Options{Seed: estate.SeedOptions{Objects: 60, BucketObjects: 2}})
	all, diags := p.ImportResourceState(t.Context(), tfprovider.ImportRequest{TypeName: "classic_bucket", ID: "estate-checkout-prod/*"})
	noDiags(t, diags)
	var got []string
	for _, one := range all {
		got = append(got, one.TypeName)
		if !one.State.Type().HasAttribute("arn") {
			t.Errorf("%s is %#v", one.TypeName, one.State.Type())
		}
	}
	if diff := cmp.Diff([]string{"classic_bucket", "classic_bucket_object", "classic_bucket_object"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, diags = p.ImportResourceState(t.Context(), tfprovider.ImportRequest{
		TypeName: "classic_network", Identity: cty.ObjectVal(map[string]cty.Value{"id": text("net-1")}),
	})
	wantDiag(t, diags, tfprovider.CodeUnsupported, "classic_network of provider test has no identity")
}

// TestMoveNothing asks for types that nothing is moved to.
func TestMoveNothing(t *testing.T) {
	both(t, 0, func(t *testing.T, p peer, prefix string) {
		_, diags := p.MoveResourceState(t.Context(), tfprovider.MoveRequest{
			SourceProvider: "registry.opentofu.org/formation-iac/other", SourceTypeName: "other_network",
			SourceState: tfprovider.RawState{JSON: []byte(`{}`)}, TargetTypeName: prefix + "network",
		})
		if !diags.HasErrors() || diags[0].Code != tfprovider.CodeProvider {
			t.Errorf("got %v", diags)
		}
	})
}

func TestGenerateConfig(t *testing.T) {
	both(t, 60, func(t *testing.T, p peer, prefix string) {
		typeName := prefix + "instance"
		state := p.read(t, typeName, p.ids(t, "instances")[0]).State
		config, diags := p.GenerateResourceConfig(t.Context(), typeName, state)
		noDiags(t, diags)
		if !p.catalog.Capabilities().GenerateResourceConfig {
			t.Error("the capability is not announced")
		}
		if got := attr(t, config, "arn"); !got.IsNull() {
			t.Errorf("arn is %#v", got)
		}
		if got := attr(t, config, "name"); !got.RawEquals(attr(t, state, "name")) {
			t.Errorf("name is %#v", got)
		}
	})
}

func TestDataSource(t *testing.T) {
	both(t, 60, func(t *testing.T, p peer, prefix string) {
		network := p.read(t, prefix+"network", p.ids(t, "networks")[0]).State
		config := p.object(t, tfschema.KindDataSource, prefix+"network", map[string]cty.Value{"name": attr(t, network, "name")})
		resp, diags := p.ReadDataSource(t.Context(), tfprovider.ReadDataRequest{TypeName: prefix + "network", Config: config})
		noDiags(t, diags)
		if got := attr(t, resp.State, "cidr"); !got.RawEquals(attr(t, network, "cidr")) {
			t.Errorf("cidr is %#v", got)
		}
		config = p.object(t, tfschema.KindDataSource, prefix+"network", map[string]cty.Value{"name": text("nowhere")})
		_, diags = p.ReadDataSource(t.Context(), tfprovider.ReadDataRequest{TypeName: prefix + "network", Config: config})
		wantDiag(t, diags, tfprovider.CodeProvider, `There is no network named "nowhere".`)
	})
}
