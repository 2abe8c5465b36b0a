package estateprovider

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// networkType shows scalar defaults and a single nested attribute with
// defaults inside, one of them a list.
func networkType() definition {
	none := types.ListValueMust(types.StringType, []attr.Value{})
	return definition{
		noun: "network", kind: "networks", identity: []string{"id"}, list: &listing{},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"name":        required(),
			"cidr":        fixed(),
			"description": optional(),
			"enable_dns":  flagOr(true),
			"mtu":         numberOr(1500),
			"dns": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
				"servers": textList(),
				"search_domains": schema.ListAttribute{
					Optional: true, Computed: true, ElementType: types.StringType,
					Default: listdefault.StaticValue(none),
				},
				"forwarding": flagOr(false),
			}},
			"tags": textMap(),
		})},
	}
}

// subnetType shows what the API chooses (gateway_ip), a list of nested
// attributes, and a list block with an optional filter.
func subnetType() definition {
	return definition{
		noun: "subnet", kind: "subnets", identity: []string{"id"},
		list: &listing{
			filters: []string{"network_id"},
			schema: listschema.Schema{Attributes: map[string]listschema.Attribute{
				"network_id": listschema.StringAttribute{Optional: true, Description: "Only subnets of this network."},
			}},
		},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"name":       required(),
			"network_id": fixed(),
			"cidr":       fixed(),
			"zone":       fixed(),
			"public":     flagOr(false),
			"gateway_ip": chosen(),
			"routes": schema.ListNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"destination": required(),
					"next_hop":    required(),
					"metric":      schema.Int64Attribute{Optional: true},
				}},
			},
			"tags": textMap(),
		})},
	}
}

// securityGroupType shows nested blocks, in a set and in a list, whose
// elements refer to other resources of the same type.
func securityGroupType() definition {
	rule := schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
		"protocol":        required(),
		"from_port":       schema.Int64Attribute{Required: true},
		"to_port":         schema.Int64Attribute{Required: true},
		"cidrs":           textSet(),
		"source_group_id": optional(),
		"description":     optional(),
	}}
	return definition{
		noun: "security_group", kind: "security_groups", identity: []string{"id"},
		list: &listing{
			filters: []string{"network_id"},
			schema: listschema.Schema{Attributes: map[string]listschema.Attribute{
				"network_id": listschema.StringAttribute{Optional: true, Description: "Only groups of this network."},
			}},
		},
		schema: schema.Schema{
			Attributes: attributes(map[string]schema.Attribute{
				"name":        fixed(),
				"network_id":  fixed(),
				"description": textOr("Managed by the estate"),
				"tags":        textMap(),
			}),
			Blocks: map[string]schema.Block{
				"ingress": schema.SetNestedBlock{NestedObject: rule},
				"egress":  schema.ListNestedBlock{NestedObject: rule},
			},
		},
	}
}
