package estateprovider_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/providers/estateprovider"
)

// peer is a configured provider, called as a client calls it but in this
// process. It covers what the Terraform on the PATH may be too old to ask for.
type peer struct {
	tfprotov6.ProviderServerWithListResource
	schemas *tfprotov6.GetProviderSchemaResponse
}

func newPeer(t *testing.T, endpoint string) *peer {
	t.Helper()
	server, ok := estateprovider.Server(nil, true).(tfprotov6.ProviderServerWithListResource) //nolint:staticcheck // until its methods move
	if !ok {
		t.Fatal("the server does not list resources")
	}
	p := &peer{ProviderServerWithListResource: server}
	var err error
	if p.schemas, err = server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{}); err != nil {
		t.Fatal(err)
	}
	noErrors(t, p.schemas.Diagnostics)
	config := dynamic(t, p.schemas.Provider.ValueType(), map[string]tftypes.Value{"endpoint": text(endpoint)})
	resp, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, resp.Diagnostics)
	return p
}

func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// dynamic is an object of a type with some members set and the others null.
func dynamic(t *testing.T, objectType tftypes.Type, members map[string]tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	all := map[string]tftypes.Value{}
	for name, memberType := range objectType.(tftypes.Object).AttributeTypes {
		all[name] = tftypes.NewValue(memberType, nil)
		if value, ok := members[name]; ok {
			all[name] = value
		}
	}
	value, err := tfprotov6.NewDynamicValue(objectType, tftypes.NewValue(objectType, all))
	if err != nil {
		t.Fatal(err)
	}
	return &value
}

func noErrors(t *testing.T, diags []*tfprotov6.Diagnostic) {
	t.Helper()
	for _, d := range diags {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// list collects a type's results.
func (p *peer) list(
	t *testing.T, typeName string, config map[string]tftypes.Value, limit int64,
) ([]tfprotov6.ListResourceResult, []*tfprotov6.Diagnostic) {
	t.Helper()
	listSchema := p.schemas.ListResourceSchemas[typeName]
	if listSchema == nil {
		t.Fatalf("%s has no list schema", typeName)
	}
	stream, err := p.ListResource(t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: typeName, Config: dynamic(t, listSchema.ValueType(), config), IncludeResource: true, Limit: limit,
	})
	if err != nil {
		t.Fatal(err)
	}
	var results []tfprotov6.ListResourceResult
	var diags []*tfprotov6.Diagnostic
	for result := range stream.Results {
		diags = append(diags, result.Diagnostics...)
		if result.Identity != nil {
			results = append(results, result)
		}
	}
	return results, diags
}

func TestWhatCanBeListed(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{}).URL)
	var unlisted []string
	for name := range p.schemas.ResourceSchemas {
		if _, ok := p.schemas.ListResourceSchemas[name]; !ok {
			unlisted = append(unlisted, name)
		}
	}
	slices.Sort(unlisted)
	if diff := cmp.Diff([]string{"estate_db_user", "estate_dns_record"}, unlisted); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if caps := p.schemas.ServerCapabilities; !caps.GenerateResourceConfig {
		t.Error("the provider does not generate configuration")
	}
}

// TestGenerateResourceConfig has the provider turn a state into configuration:
// what only the provider knows must be gone.
func TestGenerateResourceConfig(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}}).URL)
	results, _ := p.list(t, "estate_instance", nil, 1)
	resp, err := p.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{
		TypeName: "estate_instance", State: results[0].Resource,
	})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, resp.Diagnostics)
	value, err := resp.Config.Unmarshal(p.schemas.ResourceSchemas["estate_instance"].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]tftypes.Value
	if err := value.As(&members); err != nil {
		t.Fatal(err)
	}
	for name, null := range map[string]bool{"id": true, "arn": true, "state": true, "name": false, "disks": false} {
		if members[name].IsNull() != null {
			t.Errorf("%s: null is %t", name, members[name].IsNull())
		}
	}
}

// TestListedIsReadable lists a seeded estate, imports every result by its
// identity, reads it, and expects the object that the list had included.
func TestListedIsReadable(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 400, BucketObjects: 3}})
	p := newPeer(t, server.URL)
	for typeName, config := range map[string]map[string]tftypes.Value{
		"estate_network": nil, "estate_subnet": nil, "estate_security_group": nil, "estate_role": nil,
		"estate_bucket": nil, "estate_instance": nil,
		"estate_bucket_object": {"bucket": text("estate-checkout-prod")},
	} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			results, diags := p.list(t, typeName, config, 0)
			noErrors(t, diags)
			kind := strings.TrimPrefix(typeName, "estate_") + "s"
			if want := server.Store.Count(kind); len(results) != want {
				t.Errorf("listed %d of %d", len(results), want)
			}
			resourceType := p.schemas.ResourceSchemas[typeName].ValueType()
			for _, result := range results {
				listed, err := result.Resource.Unmarshal(resourceType)
				if err != nil {
					t.Fatal(err)
				}
				read := p.importAndRead(t, typeName, result.Identity)
				if !listed.Equal(read) {
					diffs, _ := listed.Diff(read)
					t.Fatalf("%s: listed and read differ: %v", result.DisplayName, diffs)
				}
			}
		})
	}
}

func (p *peer) importAndRead(t *testing.T, typeName string, identity *tfprotov6.ResourceIdentityData) tftypes.Value {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	imported, err := p.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: typeName, Identity: identity})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, imported.Diagnostics)
	one := imported.ImportedResources[0]
	read, err := p.ReadResource(ctx, &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: one.State, Private: one.Private, CurrentIdentity: one.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, read.Diagnostics)
	value, err := read.NewState.Unmarshal(p.schemas.ResourceSchemas[typeName].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestListLimitsAndFilters(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 700}})
	p := newPeer(t, server.URL)
	for _, limit := range []int64{1, 50, 51} {
		if results, _ := p.list(t, "estate_instance", nil, limit); int64(len(results)) != limit {
			t.Errorf("limit %d gave %d results", limit, len(results))
		}
	}
	networks, _, err := server.Store.Page("networks", nil, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	id := networks[0]["id"].(string)
	all, _ := p.list(t, "estate_subnet", nil, 0)
	some, _ := p.list(t, "estate_subnet", map[string]tftypes.Value{"network_id": text(id)}, 0)
	if len(some) == 0 || len(some) >= len(all) {
		t.Errorf("the filter leaves %d of %d subnets", len(some), len(all))
	}
}

// TestListReportsFailures checks that a refused page is an error and not an
// end of the list.
func TestListReportsFailures(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{
		Seed:   estate.SeedOptions{Objects: 5},
		Faults: estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpList, Kind: "roles"}}}},
	})
	results, diags := newPeer(t, server.URL).list(t, "estate_role", nil, 0)
	if len(results) != 0 || len(diags) != 1 || !strings.Contains(diags[0].Detail, "403") {
		t.Errorf("got %d results and %v", len(results), diags)
	}
}

func TestLedgersCannotBeRead(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Ledgers: 1}})
	p := newPeer(t, server.URL)
	results, diags := p.list(t, "estate_ledger", nil, 0)
	noErrors(t, diags)
	imported, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{
		TypeName: "estate_ledger", Identity: results[0].Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	read, err := p.ReadResource(t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: "estate_ledger", CurrentState: imported.ImportedResources[0].State,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Diagnostics) != 1 || !strings.Contains(read.Diagnostics[0].Detail, "is sealed and cannot be read") {
		t.Errorf("got %v", read.Diagnostics)
	}
}

func TestBadImportID(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{}).URL)
	for _, id := range []string{"estate.test", "estate.test/www", "//", "estate.test//A"} {
		resp, err := p.ImportResourceState(t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: "estate_dns_record", ID: id})
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Diagnostics) != 1 || !strings.Contains(resp.Diagnostics[0].Detail, "zone/name/type") {
			t.Errorf("%q: %v", id, resp.Diagnostics)
		}
	}
}

// TestExclusiveAttributes checks that the provider itself says what excludes
// what, for an importer that asks.
func TestExclusiveAttributes(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{}).URL)
	tests := map[string]struct {
		typeName string
		config   map[string]tftypes.Value
		want     string
	}{
		"none of two": {"estate_dns_record", map[string]tftypes.Value{
			"zone": text("z"), "name": text("n"), "type": text("A"),
		}, "Exactly one of these attributes must be configured: [values,alias]"},
		"both of two": {"estate_db_user", map[string]tftypes.Value{
			"name": text("n"), "password": text("12345678"), "password_wo": text("12345678"),
			"password_wo_version": tftypes.NewValue(tftypes.Number, 1),
		}, "Exactly one of these attributes must be configured: [password,password_wo]"},
		"a password too short": {"estate_db_user", map[string]tftypes.Value{
			"name": text("n"), "password_wo": text("1"), "password_wo_version": tftypes.NewValue(tftypes.Number, 1),
		}, "string length must be at least 8"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, err := p.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
				TypeName:           test.typeName,
				Config:             dynamic(t, p.schemas.ResourceSchemas[test.typeName].ValueType(), test.config),
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range resp.Diagnostics {
				if strings.Contains(d.Detail, test.want) {
					return
				}
			}
			for _, d := range resp.Diagnostics {
				t.Errorf("no diagnostic says %q: %s", test.want, d.Detail)
			}
		})
	}
}
