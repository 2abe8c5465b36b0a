package classicprovider_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov5"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/testkit/providers/classicprovider"
)

type peer struct {
	tfprotov5.ProviderServer
	schemas *tfprotov5.GetProviderSchemaResponse
}

func newPeer(t *testing.T, endpoint string) *peer {
	t.Helper()
	p := &peer{ProviderServer: schema.NewGRPCProviderServer(classicprovider.New(nil))}
	var err error
	if p.schemas, err = p.GetProviderSchema(t.Context(), &tfprotov5.GetProviderSchemaRequest{}); err != nil {
		t.Fatal(err)
	}
	noErrors(t, p.schemas.Diagnostics)
	objectType := p.schemas.Provider.ValueType()
	config, err := tfprotov5.NewDynamicValue(objectType, tftypes.NewValue(objectType, map[string]tftypes.Value{
		"endpoint": tftypes.NewValue(tftypes.String, endpoint), "token": tftypes.NewValue(tftypes.String, nil),
		"max_retries": tftypes.NewValue(tftypes.Number, 0),
	}))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := p.ConfigureProvider(t.Context(), &tfprotov5.ConfigureProviderRequest{Config: &config})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, resp.Diagnostics)
	return p
}

func noErrors(t *testing.T, diags []*tfprotov5.Diagnostic) {
	t.Helper()
	for _, d := range diags {
		if d.Severity == tfprotov5.DiagnosticSeverityError {
			t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// read imports one resource by id and reads it.
func (p *peer) read(t *testing.T, typeName, id string) (tftypes.Value, []*tfprotov5.Diagnostic) {
	t.Helper()
	imported, err := p.ImportResourceState(t.Context(), &tfprotov5.ImportResourceStateRequest{TypeName: typeName, ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if len(imported.Diagnostics) > 0 {
		return tftypes.Value{}, imported.Diagnostics
	}
	one := imported.ImportedResources[0]
	read, err := p.ReadResource(t.Context(), &tfprotov5.ReadResourceRequest{
		TypeName: typeName, CurrentState: one.State, Private: one.Private, CurrentIdentity: one.Identity,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Diagnostics) > 0 {
		return tftypes.Value{}, read.Diagnostics
	}
	value, err := read.NewState.Unmarshal(p.schemas.ResourceSchemas[typeName].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	return value, nil
}

// TestSeededIsReadable reads every object of a seeded estate through its id.
func TestSeededIsReadable(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 120, BucketObjects: 2, Ledgers: 1, Listeners: 2}})
	p := newPeer(t, server.URL)
	for _, kind := range estate.Kinds() {
		objects, _, err := server.Store.Page(kind.Name, nil, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		typeName := "classic_" + strings.TrimSuffix(kind.Name, "s")
		for _, obj := range objects {
			value, diags := p.read(t, typeName, obj["id"].(string))
			if kind.Name == "ledgers" {
				if len(diags) != 1 || !strings.Contains(diags[0].Summary, "is sealed and cannot be read") {
					t.Errorf("a ledger: %v", diags)
				}
				continue
			}
			noErrors(t, diags)
			var members map[string]tftypes.Value
			if err := value.As(&members); err != nil || !members["id"].Equal(tftypes.NewValue(tftypes.String, obj["id"])) {
				t.Errorf("%s %s: read %v", typeName, obj["id"], value)
			}
		}
	}
}

// TestUpgrade takes a network's state from version 0 to 1.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{}).URL)
	resp, err := p.UpgradeResourceState(t.Context(), &tfprotov5.UpgradeResourceStateRequest{
		TypeName: "classic_network", Version: 0,
		RawState: &tfprotov5.RawState{JSON: []byte(`{"id":"net-1","name":"n","cidr":"10.0.0.0/8","dns_servers":"10.0.0.2, 10.0.0.3"}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, resp.Diagnostics)
	value, err := resp.UpgradedState.Unmarshal(p.schemas.ResourceSchemas["classic_network"].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	path := tftypes.NewAttributePath().WithAttributeName("dns").WithElementKeyInt(0).WithAttributeName("servers")
	found, _, err := tftypes.WalkAttributePath(value, path)
	if err != nil {
		t.Fatal(err)
	}
	var servers []tftypes.Value
	if err := found.(tftypes.Value).As(&servers); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, server := range servers {
		var text string
		if err := server.As(&text); err != nil {
			t.Fatal(err)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"10.0.0.2", "10.0.0.3"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBadImportID(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{}).URL)
	for _, id := range []string{"estate.test", "a/b", "a//A", "a/b/A/d"} {
		_, diags := p.read(t, "classic_dns_record", id)
		if len(diags) != 1 || !strings.Contains(diags[0].Summary, "zone/name/type") {
			t.Errorf("%q: %v", id, diags)
		}
	}
}

// TestOneImportManyResources imports a bucket together with its objects.
func TestOneImportManyResources(t *testing.T) {
	t.Parallel()
	p := newPeer(t, estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60, BucketObjects: 2}}).URL)
	resp, err := p.ImportResourceState(t.Context(), &tfprotov5.ImportResourceStateRequest{
		TypeName: "classic_bucket", ID: "estate-checkout-prod/*",
	})
	if err != nil {
		t.Fatal(err)
	}
	noErrors(t, resp.Diagnostics)
	var got []string
	for _, one := range resp.ImportedResources {
		got = append(got, one.TypeName)
	}
	if diff := cmp.Diff([]string{"classic_bucket", "classic_bucket_object", "classic_bucket_object"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
