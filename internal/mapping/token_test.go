package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/testkit/memschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func TestCommonPrefix(t *testing.T) {
	t.Parallel()
	for want, names := range map[string][]string{
		"":    {},
		"aws": {"aws_vpc", "aws_s3_bucket"},
		"a":   {"a_b", "whole"},
		"b":   {"b_", "b_c"},
	} {
		if got := commonPrefix(names); got != want {
			t.Errorf("%v: got %q, want %q", names, got, want)
		}
	}
	if got := commonPrefix([]string{"aws_vpc", "awscc_vpc"}); got != "" {
		t.Errorf("of two prefixes got %q", got)
	}
}

// TestResourceTokens has, for the types of a provider called x, their tokens.
func TestResourceTokens(t *testing.T) {
	t.Parallel()
	tests := map[string]map[string]string{
		"plain":        {"x_foo_bar": "x:index/fooBar:FooBar", "x_vpc": "x:index/vpc:Vpc"},
		"prefix alone": {"x": "x:index/x:X", "x_y": "x:index/y:Y"},
		"no prefix":    {"x_y": "x:index/y:Y", "z": "x:index/z:Z"},
		"many prefixes": {
			"a_b": "x:index/aB:AB", "c_d": "x:index/cD:CD", "x_e": "x:index/e:E",
		},
		"digits and dashes": {"x_1st": "x:index/oneSt:OneSt", "x_2-tier_app": "x:index/twoTierApp:TwoTierApp", "x_9": "x:index/nine:Nine"},
		"underscores":       {"x__a__b_": "x:index/aB:AB", "x_": "x:index/x:X"},
		"case":              {"x_aB": "x:index/aB:AB", "x_a_b": "x:index/aBV2:ABV2", "x_ab": "x:index/abV3:AbV3"},
		"numbered already":  {"x_a_b": "x:index/aB:AB", "x_ab": "x:index/abV2:AbV2", "x_ab_v2": "x:index/abV2V2:AbV2V2"},
		"provider":          {"x_provider": "x:index/xProvider:XProvider"},
		"provider, once more": {
			"x_provider": "x:index/providerResource:ProviderResource", "x_x_provider": "x:index/xProvider:XProvider",
		},
		"provider, all taken": {
			"x_provider": "x:index/xProviderV2:XProviderV2", "x_x_provider": "x:index/xProvider:XProvider",
			"x_provider_resource": "x:index/providerResource:ProviderResource", "x_x_provider_resource": "x:index/xProviderResource:XProviderResource",
		},
		"pulumi": {"x_pulumi": "x:index/pulumi:Pulumi"},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schemas := &memschema.Schemas{Resources: map[string]*tfschema.Block{}}
			for terraform := range want {
				schemas.Resources[terraform] = &tfschema.Block{}
			}
			pkg, diags := New(schemas.Catalog(), Options{Name: "x", ProviderName: "x"})
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, m := range pkg.Resources() {
				got[m.Terraform] = m.Token
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestFunctionTokens has members of every sort that want one name.
func TestFunctionTokens(t *testing.T) {
	t.Parallel()
	block, function := &tfschema.Block{}, &tfschema.Function{Return: cty.String}
	schemas := &memschema.Schemas{
		Resources: map[string]*tfschema.Block{"x_parse": block, "x_get_foo": block},
		Data:      map[string]*tfschema.Block{"x_foo": block, "x_1st": block, "x_pulumi": block, "x_ephemeral_key": block, "other": block},
		Ephemeral: map[string]*tfschema.Block{"x_key": block},
		Functions: map[string]*tfschema.Function{"parse": function, "get_1st": function, "1st": function, "pulumi": function, "to-json": function},
	}
	pkg, diags := New(schemas.Catalog(), Options{Name: "x", ProviderName: "x"})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	got := map[Member]string{}
	for _, m := range pkg.Functions() {
		got[Member{Kind: m.Kind, Terraform: m.Terraform}] = m.Token
	}
	want := map[Member]string{
		{Kind: FunctionDataSource, Terraform: "x_foo"}:           "x:index/getFooV2:getFooV2",
		{Kind: FunctionDataSource, Terraform: "x_1st"}:           "x:index/get1st:get1st",
		{Kind: FunctionDataSource, Terraform: "x_pulumi"}:        "x:index/getPulumi:getPulumi",
		{Kind: FunctionDataSource, Terraform: "x_ephemeral_key"}: "x:index/getEphemeralKey:getEphemeralKey",
		{Kind: FunctionDataSource, Terraform: "other"}:           "x:index/getOther:getOther",
		{Kind: FunctionProvider, Terraform: "parse"}:             "x:index/parseV2:parseV2",
		{Kind: FunctionProvider, Terraform: "get_1st"}:           "x:index/get1stV2:get1stV2",
		{Kind: FunctionProvider, Terraform: "1st"}:               "x:index/oneSt:OneSt",
		{Kind: FunctionProvider, Terraform: "pulumi"}:            "x:index/pulumiV2:pulumiV2",
		{Kind: FunctionProvider, Terraform: "to-json"}:           "x:index/toJson:toJson",
		{Kind: FunctionEphemeral, Terraform: "x_key"}:            "x:index/getEphemeralKeyV2:getEphemeralKeyV2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
