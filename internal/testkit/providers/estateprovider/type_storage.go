package estateprovider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// bucketType shows blocks inside blocks, and force_destroy: a setting of the
// provider alone, which is never read and so is null after an import.
func bucketType() definition {
	return definition{
		noun: "bucket", kind: "buckets", identity: []string{"name"}, list: &listing{},
		local: []string{"force_destroy"}, beforeDelete: emptyBucket,
		schema: schema.Schema{
			Attributes: attributes(map[string]schema.Attribute{
				"name": fixed(),
				"region": schema.StringAttribute{
					Optional: true, Computed: true, Default: stringdefault.StaticString("eu-north-1"),
					PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
				},
				"acl": schema.StringAttribute{
					Optional: true, Computed: true, Default: stringdefault.StaticString("private"),
					Validators: []validator.String{stringvalidator.OneOf("private", "public-read")},
				},
				"policy":        policyText(optional()),
				"force_destroy": flagOr(false),
				"versioning": schema.SingleNestedAttribute{Optional: true, Attributes: map[string]schema.Attribute{
					"enabled":    flagOr(false),
					"mfa_delete": flagOr(false),
				}},
				"lifecycle_rules": schema.ListNestedAttribute{
					Optional: true,
					NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
						"id":          required(),
						"enabled":     flagOr(true),
						"prefix":      optional(),
						"expire_days": schema.Int64Attribute{Optional: true},
						"tags":        textMap(),
					}},
				},
				"tags":        textMap(),
				"domain_name": answered("Where the bucket answers."),
			}),
			Blocks: map[string]schema.Block{"logging": loggingBlock(), "replication": replicationBlock()},
		},
	}
}

// emptyBucket deletes what is in a bucket with force_destroy.
func emptyBucket(ctx context.Context, state tftypes.Value, client *estateapi.Client) error {
	body, err := toJSON(nil, state)
	if err != nil {
		return err
	}
	bucket, _ := body.(estateapi.Object)
	if bucket["force_destroy"] != true {
		return nil
	}
	var ids []string
	for obj, err := range client.List(ctx, "bucket_objects", map[string]string{"bucket": fmt.Sprint(bucket["id"])}) {
		if err != nil {
			return err
		}
		ids = append(ids, fmt.Sprint(obj["id"]))
	}
	for _, id := range ids {
		if err := client.Delete(ctx, "bucket_objects", id); err != nil {
			return err
		}
	}
	return nil
}

func loggingBlock() schema.Block {
	return schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
		"target_bucket": required(),
		"prefix":        optional(),
	}}}
}

func replicationBlock() schema.Block {
	return schema.SingleNestedBlock{
		Attributes: map[string]schema.Attribute{"role": optional()},
		Blocks: map[string]schema.Block{"rules": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
			Attributes: map[string]schema.Attribute{
				"id":       required(),
				"priority": schema.Int64Attribute{Optional: true},
				"status":   textOr("Enabled"),
			},
			Blocks: map[string]schema.Block{"destination": schema.SingleNestedBlock{
				Attributes: map[string]schema.Attribute{"bucket": optional(), "storage_class": optional()},
			}},
		}}},
	}
}

// bucketObjectType shows a list block that needs its configuration: objects
// are listed bucket by bucket.
func bucketObjectType() definition {
	return definition{
		noun: "bucket_object", kind: "bucket_objects", identity: []string{"bucket", "key"},
		list: &listing{
			filters: []string{"bucket"},
			schema: listschema.Schema{Attributes: map[string]listschema.Attribute{
				"bucket": listschema.StringAttribute{Required: true, Description: "The bucket whose objects to list."},
			}},
		},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"bucket":       fixed(),
			"key":          fixed(),
			"content":      required(),
			"content_type": textOr("text/plain"),
			"etag":         schema.StringAttribute{Computed: true},
		})},
	}
}

// ledgerType can be listed and never read.
func ledgerType() definition {
	return definition{
		noun: "ledger", kind: "ledgers", identity: []string{"id"}, list: &listing{},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"name":   fixed(),
			"bucket": optional(),
		})},
	}
}
