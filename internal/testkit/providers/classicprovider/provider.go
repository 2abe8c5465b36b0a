// Package classicprovider is the test provider "classic": SDKv2, protocol 5,
// over the synthetic estate. Between them, its types show what old providers
// do: blocks in lists and sets, blocks of at most one, attributes that are
// written like blocks, defaults, suppressed differences, state upgrades. It is
// a test tool and manages nothing real.
package classicprovider

import (
	"context"
	"net/url"
	"strings"

	"github.com/hashicorp/go-cty/cty"
	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// Address is the provider's full source address.
const Address = "registry.opentofu.org/formation-iac/classic"

// New makes the provider. crash is called when the API asks the process to die;
// nil turns such answers into errors.
func New(crash func(message string)) *schema.Provider {
	return &schema.Provider{
		Schema: map[string]*schema.Schema{
			"endpoint": {
				Type: schema.TypeString, Optional: true,
				DefaultFunc: schema.EnvDefaultFunc("ESTATE_ENDPOINT", nil),
				Description: "URL of the estate; otherwise ESTATE_ENDPOINT.",
			},
			"token": {
				Type: schema.TypeString, Optional: true, Sensitive: true,
				DefaultFunc: schema.EnvDefaultFunc("ESTATE_TOKEN", nil),
				Description: "Bearer token; otherwise ESTATE_TOKEN.",
			},
			"max_retries": {
				Type: schema.TypeInt, Optional: true, Default: 4,
				Description: "How often a throttled call is tried again.",
			},
		},
		ResourcesMap:   resources(),
		DataSourcesMap: map[string]*schema.Resource{"classic_network": networkData()},
		ConfigureContextFunc: func(_ context.Context, d *schema.ResourceData) (any, diag.Diagnostics) {
			return configure(d, crash)
		},
	}
}

func configure(d *schema.ResourceData, crash func(string)) (any, diag.Diagnostics) {
	endpoint, _ := d.Get("endpoint").(string)
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" {
		return nil, diag.Diagnostics{{
			Severity: diag.Error, Summary: "No estate endpoint", AttributePath: cty.GetAttrPath("endpoint"),
			Detail: "The endpoint \"" + endpoint + "\" is not a URL. Set endpoint or ESTATE_ENDPOINT to the URL that estate-server prints.",
		}}
	}
	token, _ := d.Get("token").(string)
	retries, _ := d.Get("max_retries").(int)
	return &estateapi.Client{
		Endpoint: strings.TrimSuffix(endpoint, "/"), Token: token, MaxRetries: retries, Crash: crash,
	}, nil
}

func resources() map[string]*schema.Resource {
	all := map[string]*schema.Resource{}
	for _, d := range definitions() {
		all["classic_"+d.noun] = d.resource()
	}
	return all
}

func networkData() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name": {Type: schema.TypeString, Required: true},
			"arn":  {Type: schema.TypeString, Computed: true},
			"cidr": {Type: schema.TypeString, Computed: true},
		},
		ReadContext: func(ctx context.Context, d *schema.ResourceData, meta any) diag.Diagnostics {
			name, _ := d.Get("name").(string)
			filter := map[string]string{"name": name}
			for obj, err := range meta.(*estateapi.Client).List(ctx, "networks", filter) {
				if err != nil {
					return diag.FromErr(err)
				}
				id, _ := obj["id"].(string)
				d.SetId(id)
				return setAll(d, estateapi.Object{"arn": obj["arn"], "cidr": obj["cidr"]})
			}
			return diag.Errorf("There is no network named %q.", name)
		},
	}
}

func setAll(d *schema.ResourceData, values estateapi.Object) (diags diag.Diagnostics) {
	for name, value := range values {
		if err := d.Set(name, value); err != nil {
			diags = append(diags, diag.FromErr(err)...)
		}
	}
	return diags
}
