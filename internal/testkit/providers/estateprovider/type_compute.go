package estateprovider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
)

// instanceType shows exclusive attributes, a readable secret, a number, a
// dynamic attribute, long texts, computed members of nested attributes, private
// state that must survive, and a type that resources are moved from.
func instanceType() definition {
	return definition{
		noun: "instance", kind: "instances", identity: []string{"id"}, list: &listing{}, keepsPrivate: true,
		former: &former{noun: "machine", version: 2, id: "machine_id"},
		validators: []resource.ConfigValidator{
			resourcevalidator.ExactlyOneOf(path.MatchRoot("image"), path.MatchRoot("snapshot_id")),
			resourcevalidator.Conflicting(path.MatchRoot("user_data"), path.MatchRoot("user_data_base64")),
		},
		schema: schema.Schema{
			Attributes: attributes(map[string]schema.Attribute{
				"name":               required(),
				"image":              fixedOptional(),
				"snapshot_id":        fixedOptional(),
				"size":               textOr("small"),
				"subnet_id":          fixed(),
				"security_group_ids": textSet(),
				"role_arn":           optional(),
				"private_ip":         chosen(),
				"user_data":          optional(),
				"user_data_base64":   optional(),
				"api_token":          schema.StringAttribute{Optional: true, Sensitive: true},
				"monitoring":         flagOr(false),
				"cpu_ratio":          schema.NumberAttribute{Optional: true},
				"disks":              disksAttribute(),
				"boot_order":         textList(),
				"metadata":           schema.DynamicAttribute{Optional: true},
				"tags":               textMap(),
				"state":              answered("What the machine does."),
				"public_ip":          answered("Its address outside, in public subnets."),
			}),
			Blocks: map[string]schema.Block{
				"mounts": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
					Attributes: map[string]schema.Attribute{
						"bucket":    required(),
						"path":      required(),
						"read_only": flagOr(false),
					},
				}},
			},
		},
	}
}

func disksAttribute() schema.Attribute {
	return schema.MapNestedAttribute{
		Optional: true,
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"size_gb": schema.Int64Attribute{Required: true},
			"type":    textOr("ssd"),
			"encrypted": schema.BoolAttribute{
				Optional: true, Computed: true, Default: flagOr(true).Default,
			},
			"device": answered("Where the machine sees the disk."),
		}},
	}
}

// dnsRecordType shows a composite import id. It cannot be listed.
func dnsRecordType() definition {
	return definition{
		noun: "dns_record", kind: "dns_records", identity: []string{"zone", "name", "type"},
		validators: []resource.ConfigValidator{
			resourcevalidator.ExactlyOneOf(path.MatchRoot("values"), path.MatchRoot("alias")),
		},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"zone":   fixed(),
			"name":   fixed(),
			"type":   fixed(),
			"ttl":    schema.Int64Attribute{Optional: true, Computed: true, Default: int64default.StaticInt64(300)},
			"values": textSet(),
			"alias": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
				"target_id":       required(),
				"evaluate_health": flagOr(true),
			}},
			"comment": optional(),
			"fqdn":    answered("The whole name."),
		})},
	}
}
