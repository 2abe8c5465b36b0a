package classicprovider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// definition is all that distinguishes one resource type from another.
type definition struct {
	// noun follows the provider's name: "network" makes classic_network.
	noun string
	// kind is the API's plural.
	kind   string
	schema map[string]*schema.Schema
	// fields names the API's field where it is not the attribute's name.
	fields map[string]string
	// keyed blocks are objects of the API: each names the attribute that
	// holds the key.
	keyed map[string]string
	// lists are blocks of at most one that are arrays of the API all the same.
	lists map[string]bool
	// documents are attributes that hold as JSON text what the API has as JSON.
	documents map[string]bool
	// local attributes live in the state alone: never sent, never read.
	local map[string]bool
	// unread attributes are sent and never answered.
	unread map[string]bool
	// adjust finishes the resource with what only this type has.
	adjust func(*schema.Resource)
	// afterCreate checks what the API made of a new object.
	afterCreate func(*schema.ResourceData, estateapi.Object) error
	// beforeDelete may refuse a deletion or make room for it.
	beforeDelete func(context.Context, *schema.ResourceData, *estateapi.Client) error
}

// definitions lists every resource type.
func definitions() []definition {
	return []definition{
		networkType(), subnetType(), securityGroupType(),
		roleType(), bucketType(), bucketObjectType(),
		instanceType(), dnsRecordType(), dbUserType(), ledgerType(),
		listenerType(),
	}
}

// field is the API's name of an attribute.
func (d definition) field(attribute string) string {
	if name, ok := d.fields[attribute]; ok {
		return name
	}
	return attribute
}

func (d definition) resource() *schema.Resource {
	for _, name := range []string{"arn", "created_at"} {
		d.schema[name] = &schema.Schema{Type: schema.TypeString, Computed: true}
	}
	r := &schema.Resource{
		Description:   fmt.Sprintf("One of the synthetic estate's %s.", strings.ReplaceAll(d.kind, "_", " ")),
		Schema:        d.schema,
		CreateContext: d.create,
		ReadContext:   d.read,
		UpdateContext: d.update,
		DeleteContext: d.delete,
		Importer:      &schema.ResourceImporter{StateContext: schema.ImportStatePassthroughContext},
	}
	if d.adjust != nil {
		d.adjust(r)
	}
	if !updatable(d.schema) {
		r.UpdateContext = nil
	}
	return r
}

// updatable says whether anything may change without replacement; the SDK
// refuses an update function where nothing may.
func updatable(schemas map[string]*schema.Schema) bool {
	for _, s := range schemas {
		if (s.Optional || s.Required) && !s.ForceNew {
			return true
		}
	}
	return false
}

func (d definition) create(ctx context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	body, err := d.body(data)
	if err != nil {
		return diag.FromErr(err)
	}
	obj, err := meta.(*estateapi.Client).Create(ctx, d.kind, body)
	if err != nil {
		return diag.FromErr(err)
	}
	id, _ := obj["id"].(string)
	data.SetId(id)
	if d.afterCreate != nil {
		if err := d.afterCreate(data, obj); err != nil {
			return diag.FromErr(err)
		}
	}
	return d.answer(data, obj)
}

func (d definition) read(ctx context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	obj, err := meta.(*estateapi.Client).Get(ctx, d.kind, data.Id())
	var refusal *estateapi.Error
	if errors.As(err, &refusal) && refusal.NotFound() {
		data.SetId("")
		return nil
	}
	if err != nil {
		return diag.FromErr(err)
	}
	return d.answer(data, obj)
}

func (d definition) update(ctx context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	body, err := d.body(data)
	if err != nil {
		return diag.FromErr(err)
	}
	for name := range d.unread {
		if !data.HasChange(name) {
			delete(body, d.field(name))
		}
	}
	obj, err := meta.(*estateapi.Client).Update(ctx, d.kind, data.Id(), body)
	if err != nil {
		return diag.FromErr(err)
	}
	return d.answer(data, obj)
}

func (d definition) delete(ctx context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
	client := meta.(*estateapi.Client)
	if d.beforeDelete != nil {
		if err := d.beforeDelete(ctx, data, client); err != nil {
			return diag.FromErr(err)
		}
	}
	err := client.Delete(ctx, d.kind, data.Id())
	var refusal *estateapi.Error
	if errors.As(err, &refusal) && refusal.NotFound() {
		return nil
	}
	return diag.FromErr(err)
}

// body is what the API is sent for a plan.
func (d definition) body(data *schema.ResourceData) (estateapi.Object, error) {
	body := estateapi.Object{}
	for name, s := range d.schema {
		if s.Computed && !s.Optional || d.local[name] {
			continue
		}
		value, err := d.toAPI(name, s, data.Get(name), written(data, name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if value != nil {
			body[d.field(name)] = value
		}
	}
	return body, nil
}

// written says whether the configuration sets a top-level attribute at all:
// the SDK's own values do not tell zero from null.
func written(data *schema.ResourceData, name string) bool {
	config := data.GetRawConfig()
	return !config.IsNull() && config.IsKnown() && config.Type().HasAttribute(name) && !config.GetAttr(name).IsNull()
}

// answer writes the API's object into the state, and into the identity of the
// types that have one.
func (d definition) answer(data *schema.ResourceData, obj estateapi.Object) diag.Diagnostics {
	for name, s := range d.schema {
		if d.local[name] || d.unread[name] {
			continue
		}
		value, err := d.fromAPI(name, s, obj[d.field(name)])
		if err == nil {
			err = data.Set(name, value)
		}
		if err != nil {
			return diag.FromErr(fmt.Errorf("%s: %w", name, err))
		}
	}
	if d.kind != "buckets" {
		return nil
	}
	identity, err := data.Identity()
	if err != nil {
		return diag.FromErr(err)
	}
	return diag.FromErr(identity.Set("name", obj["name"]))
}
