package classicprovider

import (
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
)

// roleType shows JSON documents whose texts may differ, in an attribute and in
// a set of blocks.
func roleType() definition {
	path := textOr("/")
	path.ForceNew = true
	session := numberOr(3600)
	session.ValidateFunc = validation.IntBetween(900, 43200)
	return definition{
		noun: "role", kind: "roles",
		fields: map[string]string{"inline_policy": "policies"},
		keyed:  map[string]string{"inline_policy": "name"},
		schema: map[string]*schema.Schema{
			"name":          fixed(),
			"path":          path,
			"description":   optional(),
			"assume_policy": policyText(required()),
			"inline_policy": blocks(schema.TypeSet, map[string]*schema.Schema{
				"name":        required(),
				"document":    compactPolicy(),
				"description": optional(),
			}),
			"max_session":       session,
			"trusted_role_arns": texts(schema.TypeSet),
			"tags":              texts(schema.TypeMap),
			"unique_id":         computed(),
		},
	}
}

// compactPolicy rewrites a document as the API does, because suppressing
// differences does not work inside sets.
func compactPolicy() *schema.Schema {
	s := required()
	s.ValidateFunc = validation.StringIsJSON
	s.StateFunc = func(v any) string { return compact(v.(string)) }
	return s
}

// dbUserType shows a required password that the API never answers.
func dbUserType() definition {
	return definition{
		noun: "db_user", kind: "db_users",
		fields: map[string]string{"grant": "grants"},
		unread: map[string]bool{"password": true},
		schema: map[string]*schema.Schema{
			"name":             fixed(),
			"password":         {Type: schema.TypeString, Required: true, Sensitive: true},
			"server_id":        optional(),
			"login":            flagOr(true),
			"superuser":        flagOr(false),
			"connection_limit": numberOr(-1),
			"member_of":        texts(schema.TypeSet),
			"grant": blocks(schema.TypeSet, map[string]*schema.Schema{
				"database": required(),
				"privileges": {
					Type: schema.TypeSet, Required: true, MinItems: 1,
					Elem: &schema.Schema{Type: schema.TypeString},
				},
				"with_grant": {Type: schema.TypeBool, Optional: true},
			}),
			"settings":    texts(schema.TypeMap),
			"valid_until": optional(),
		},
	}
}
