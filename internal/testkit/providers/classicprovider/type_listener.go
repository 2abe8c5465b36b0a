package classicprovider

import "github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"

// listenerType shows attributes that are written in groups. An address wants
// three others with it, all of them defaults, of which wait_for is never read.
// Of the targets one must be written and of the logs one at least, and a profile
// has one name or the other: the API answers all of them.
func listenerType() definition {
	group := func(attributes map[string]*schema.Schema, set func(s *schema.Schema, names []string), names ...string) {
		for _, name := range names {
			set(attributes[name], names)
		}
	}
	chosen := func() *schema.Schema {
		return &schema.Schema{Type: schema.TypeString, Optional: true, Computed: true}
	}
	address := chosen()
	address.ForceNew = true
	address.RequiredWith = []string{"protocol", "idle_seconds", "wait_for"}
	profile, profileID := chosen(), chosen()
	profile.ConflictsWith, profileID.ConflictsWith = []string{"profile_id"}, []string{"profile"}
	attributes := map[string]*schema.Schema{
		"name":           required(),
		"port":           {Type: schema.TypeInt, Required: true},
		"address":        address,
		"protocol":       textOr("tcp"),
		"idle_seconds":   numberOr(60),
		"wait_for":       textOr("ready"),
		"profile":        profile,
		"profile_id":     profileID,
		"target_id":      chosen(),
		"target_name":    chosen(),
		"target_address": chosen(),
		"log_access":     flagOr(true),
		"log_errors":     flagOr(true),
		"log_health":     flagOr(false),
	}
	group(attributes, func(s *schema.Schema, names []string) { s.ExactlyOneOf = names }, "target_id", "target_name", "target_address")
	group(attributes, func(s *schema.Schema, names []string) { s.AtLeastOneOf = names }, "log_access", "log_errors", "log_health")
	return definition{
		noun: "listener", kind: "listeners", local: map[string]bool{"wait_for": true}, schema: attributes,
	}
}
