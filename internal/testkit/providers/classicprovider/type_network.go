package classicprovider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// networkType shows defaults, a block of at most one, and a state upgrade:
// version 0 had the DNS servers as one string.
func networkType() definition {
	return definition{
		noun: "network", kind: "networks",
		schema: map[string]*schema.Schema{
			"name":        required(),
			"cidr":        fixed(),
			"description": optional(),
			"enable_dns":  flagOr(true),
			"mtu":         numberOr(1500),
			"dns": block(map[string]*schema.Schema{
				"servers":        texts(schema.TypeList),
				"search_domains": texts(schema.TypeList),
				"forwarding":     flagOr(false),
			}),
			"tags": texts(schema.TypeMap),
		},
		adjust: func(r *schema.Resource) {
			r.SchemaVersion = 1
			r.StateUpgraders = []schema.StateUpgrader{{
				Version: 0,
				Type: cty.Object(map[string]cty.Type{
					"id": cty.String, "name": cty.String, "cidr": cty.String, "dns_servers": cty.String,
				}),
				Upgrade: upgradeNetwork,
			}}
		},
	}
}

// upgradeNetwork turns dns_servers = "a,b" into a dns block.
func upgradeNetwork(_ context.Context, state map[string]any, _ any) (map[string]any, error) {
	servers, _ := state["dns_servers"].(string)
	delete(state, "dns_servers")
	if servers == "" {
		return state, nil
	}
	var list []any
	for server := range strings.SplitSeq(servers, ",") {
		list = append(list, strings.TrimSpace(server))
	}
	state["dns"] = []any{map[string]any{"servers": list}}
	return state, nil
}

// subnetType shows what the API chooses (gateway_ip) and a list of blocks.
func subnetType() definition {
	gateway := &schema.Schema{Type: schema.TypeString, Optional: true, Computed: true, ForceNew: true}
	return definition{
		noun: "subnet", kind: "subnets", fields: map[string]string{"route": "routes"},
		schema: map[string]*schema.Schema{
			"name":       required(),
			"network_id": fixed(),
			"cidr":       fixed(),
			"zone":       fixed(),
			"public":     flagOr(false),
			"gateway_ip": gateway,
			"route": blocks(schema.TypeList, map[string]*schema.Schema{
				"destination": required(),
				"next_hop":    required(),
				"metric":      wholeNumber(),
			}),
			"tags": texts(schema.TypeMap),
		},
	}
}

// securityGroupType shows a set of blocks (ingress) and an optional, computed
// list of objects that is an attribute to Terraform (egress).
func securityGroupType() definition {
	rule := func() map[string]*schema.Schema {
		return map[string]*schema.Schema{
			"protocol":        required(),
			"from_port":       {Type: schema.TypeInt, Required: true},
			"to_port":         {Type: schema.TypeInt, Required: true},
			"cidrs":           texts(schema.TypeSet),
			"source_group_id": optional(),
			"description":     optional(),
		}
	}
	egress := blocks(schema.TypeList, rule())
	egress.Computed, egress.ConfigMode = true, schema.SchemaConfigModeAttr
	description := textOr("Managed by the estate")
	return definition{
		noun: "security_group", kind: "security_groups",
		schema: map[string]*schema.Schema{
			"name":        fixed(),
			"network_id":  fixed(),
			"description": description,
			"ingress":     blocks(schema.TypeSet, rule()),
			"egress":      egress,
			"tags":        texts(schema.TypeMap),
		},
	}
}

// dnsRecordType shows a composite id and a zone that the provider rewrites.
func dnsRecordType() definition {
	zone := fixed()
	zone.StateFunc = func(v any) string { return plainZone(fmt.Sprint(v)) }
	values, alias := texts(schema.TypeSet), block(map[string]*schema.Schema{
		"target_id":       required(),
		"evaluate_health": flagOr(true),
	})
	values.ExactlyOneOf = []string{"values", "alias"}
	alias.ExactlyOneOf = values.ExactlyOneOf
	return definition{
		noun: "dns_record", kind: "dns_records",
		schema: map[string]*schema.Schema{
			"zone":    zone,
			"name":    fixed(),
			"type":    fixed(),
			"ttl":     numberOr(300),
			"values":  values,
			"alias":   alias,
			"comment": optional(),
			"fqdn":    computed(),
		},
		adjust: func(r *schema.Resource) { r.Importer.StateContext = importDNSRecord },
	}
}

// plainZone writes a zone in lower case and without its final dot.
func plainZone(zone string) string { return strings.ToLower(strings.TrimSuffix(zone, ".")) }

// importDNSRecord takes zone/name/type.
func importDNSRecord(_ context.Context, d *schema.ResourceData, _ any) ([]*schema.ResourceData, error) {
	parts := strings.Split(d.Id(), "/")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
		return nil, fmt.Errorf("the import id of classic_dns_record is zone/name/type, not %q", d.Id())
	}
	d.SetId(plainZone(parts[0]) + "/" + parts[1] + "/" + parts[2])
	return []*schema.ResourceData{d}, nil
}
