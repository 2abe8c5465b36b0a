package classicprovider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// bucketType shows blocks inside blocks, a JSON document, an identity, and
// force_destroy: a setting of the provider alone, null after an import.
func bucketType() definition {
	region := textOr("eu-north-1")
	region.ForceNew = true
	acl := textOr("private")
	acl.ValidateFunc = validation.StringInSlice([]string{"private", "public-read"}, false)
	return definition{
		noun: "bucket", kind: "buckets",
		fields: map[string]string{"lifecycle_rule": "lifecycle_rules"},
		lists:  map[string]bool{"logging": true},
		local:  map[string]bool{"force_destroy": true},
		schema: map[string]*schema.Schema{
			"name":          fixed(),
			"region":        region,
			"acl":           acl,
			"policy":        policyText(optional()),
			"force_destroy": flagOr(false),
			"versioning": block(map[string]*schema.Schema{
				"enabled":    flagOr(false),
				"mfa_delete": flagOr(false),
			}),
			"logging": block(map[string]*schema.Schema{
				"target_bucket": required(),
				"prefix":        optional(),
			}),
			"replication": replicationBlock(),
			"lifecycle_rule": blocks(schema.TypeList, map[string]*schema.Schema{
				"id":          required(),
				"enabled":     flagOr(true),
				"prefix":      optional(),
				"expire_days": wholeNumber(),
				"tags":        texts(schema.TypeMap),
			}),
			"tags":        texts(schema.TypeMap),
			"domain_name": computed(),
		},
		adjust: func(r *schema.Resource) {
			r.Identity = &schema.ResourceIdentity{SchemaFunc: func() map[string]*schema.Schema {
				return map[string]*schema.Schema{"name": {Type: schema.TypeString, RequiredForImport: true}}
			}}
			r.Importer.StateContext = importBucket
		},
		beforeDelete: emptyBucket,
	}
}

// importBucket takes a name or an identity. "<name>/*" brings the bucket's
// objects with it: one import that answers several resources, of two types.
func importBucket(ctx context.Context, d *schema.ResourceData, meta any) ([]*schema.ResourceData, error) {
	name, withObjects := strings.CutSuffix(d.Id(), "/*")
	if !withObjects {
		return schema.ImportStatePassthroughWithIdentity("name")(ctx, d, meta)
	}
	d.SetId(name)
	all := []*schema.ResourceData{d}
	for obj, err := range meta.(*estateapi.Client).List(ctx, "bucket_objects", map[string]string{"bucket": name}) {
		if err != nil {
			return nil, err
		}
		object := bucketObjectType().resource().Data(nil)
		object.SetType("classic_bucket_object")
		object.SetId(fmt.Sprint(obj["id"]))
		all = append(all, object)
	}
	return all, nil
}

func replicationBlock() *schema.Schema {
	destination := block(map[string]*schema.Schema{
		"bucket":        required(),
		"storage_class": optional(),
	})
	destination.Optional, destination.Required = false, true
	return block(map[string]*schema.Schema{
		"role": required(),
		"rules": blocks(schema.TypeList, map[string]*schema.Schema{
			"id":          required(),
			"priority":    wholeNumber(),
			"status":      textOr("Enabled"),
			"destination": destination,
		}),
	})
}

// emptyBucket deletes what is in a bucket with force_destroy.
func emptyBucket(ctx context.Context, d *schema.ResourceData, client *estateapi.Client) error {
	if d.Get("force_destroy") != true {
		return nil
	}
	var ids []string
	for obj, err := range client.List(ctx, "bucket_objects", map[string]string{"bucket": d.Id()}) {
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

func bucketObjectType() definition {
	return definition{
		noun: "bucket_object", kind: "bucket_objects",
		schema: map[string]*schema.Schema{
			"bucket":       fixed(),
			"key":          fixed(),
			"content":      required(),
			"content_type": textOr("text/plain"),
			"etag":         computed(),
		},
	}
}

// ledgerType can be created and never read again.
func ledgerType() definition {
	bucket := optional()
	bucket.ForceNew = true
	return definition{
		noun: "ledger", kind: "ledgers",
		schema: map[string]*schema.Schema{"name": fixed(), "bucket": bucket},
	}
}
