package classicprovider

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// instanceType shows exclusive attributes, timeouts, a set of blocks with
// computed members, and two defaults that are never read: deletion_protection
// (false, which the SDK takes for null) and expect_state.
func instanceType() definition {
	return definition{
		noun: "instance", kind: "instances",
		fields:    map[string]string{"disk": "disks", "mount": "mounts", "metadata_json": "metadata"},
		keyed:     map[string]string{"disk": "name"},
		documents: map[string]bool{"metadata_json": true},
		local:     map[string]bool{"deletion_protection": true, "expect_state": true},
		schema:    instanceSchema(),
		adjust: func(r *schema.Resource) {
			r.Timeouts = &schema.ResourceTimeout{
				Create: schema.DefaultTimeout(2 * time.Minute),
				Delete: schema.DefaultTimeout(time.Minute),
			}
		},
		afterCreate: func(d *schema.ResourceData, obj estateapi.Object) error {
			if want := d.Get("expect_state"); obj["state"] != want {
				return fmt.Errorf("instance %s is %v, not %v", d.Id(), obj["state"], want)
			}
			return nil
		},
		beforeDelete: func(_ context.Context, d *schema.ResourceData, _ *estateapi.Client) error {
			if d.Get("deletion_protection") == true {
				return fmt.Errorf("instance %s has deletion_protection; set it to false first", d.Id())
			}
			return nil
		},
	}
}

func instanceSchema() map[string]*schema.Schema {
	image, snapshot := optional(), optional()
	image.ForceNew, snapshot.ForceNew = true, true
	image.ExactlyOneOf = []string{"image", "snapshot_id"}
	snapshot.ExactlyOneOf = image.ExactlyOneOf

	script, encoded := optional(), optional()
	script.ConflictsWith = []string{"user_data_base64"}
	encoded.ConflictsWith = []string{"user_data"}
	encoded.ValidateFunc = validation.StringIsBase64

	return map[string]*schema.Schema{
		"name":                required(),
		"image":               image,
		"snapshot_id":         snapshot,
		"size":                textOr("small"),
		"subnet_id":           fixed(),
		"security_group_ids":  texts(schema.TypeSet),
		"role_arn":            optional(),
		"private_ip":          {Type: schema.TypeString, Optional: true, Computed: true, ForceNew: true},
		"user_data":           script,
		"user_data_base64":    encoded,
		"api_token":           {Type: schema.TypeString, Optional: true, Sensitive: true},
		"monitoring":          flagOr(false),
		"deletion_protection": flagOr(false),
		"expect_state":        textOr("running"),
		"cpu_ratio":           {Type: schema.TypeFloat, Optional: true},
		"disk": blocks(schema.TypeSet, map[string]*schema.Schema{
			"name":      required(),
			"size_gb":   {Type: schema.TypeInt, Required: true},
			"type":      textOr("ssd"),
			"encrypted": flagOr(true),
			"device":    computed(),
		}),
		"mount": blocks(schema.TypeList, map[string]*schema.Schema{
			"bucket":    required(),
			"path":      required(),
			"read_only": flagOr(false),
		}),
		"boot_order":    texts(schema.TypeList),
		"metadata_json": policyText(optional()),
		"tags":          texts(schema.TypeMap),
		"state":         computed(),
		"public_ip":     computed(),
	}
}
