package estateprovider

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/resourcevalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// roleType shows JSON documents, a map of nested attributes and a default
// whose change replaces.
func roleType() definition {
	return definition{
		noun: "role", kind: "roles", identity: []string{"name"}, list: &listing{},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"name": fixed(),
			"path": schema.StringAttribute{
				Optional: true, Computed: true, Default: stringdefault.StaticString("/"),
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"description":   optional(),
			"assume_policy": policyText(required()),
			"policies": schema.MapNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"document":    policyText(required()),
					"description": optional(),
				}},
			},
			"max_session": schema.Int64Attribute{
				Optional: true, Computed: true, Default: numberOr(3600).Default,
				Validators: []validator.Int64{int64validator.Between(900, 43200)},
			},
			"trusted_role_arns": textSet(),
			"tags":              textMap(),
			"unique_id":         answered("Set by the API; never used again, even for a role of the same name."),
		})},
	}
}

// dbUserType shows secrets: a password that the API never answers, in a
// sensitive or in a write-only attribute. It cannot be listed.
func dbUserType() definition {
	return definition{
		noun: "db_user", kind: "db_users", identity: []string{"name"},
		local: []string{"password_wo_version"}, unread: []string{"password"},
		writeOnly: &writeOnly{attribute: "password_wo", field: "password", version: "password_wo_version"},
		validators: []resource.ConfigValidator{
			resourcevalidator.ExactlyOneOf(path.MatchRoot("password"), path.MatchRoot("password_wo")),
			resourcevalidator.RequiredTogether(path.MatchRoot("password_wo"), path.MatchRoot("password_wo_version")),
		},
		schema: schema.Schema{Attributes: attributes(map[string]schema.Attribute{
			"name":     fixed(),
			"password": schema.StringAttribute{Optional: true, Sensitive: true},
			"password_wo": schema.StringAttribute{
				Optional: true, Sensitive: true, WriteOnly: true,
				Validators: []validator.String{stringvalidator.LengthAtLeast(8)},
			},
			"password_wo_version": schema.Int64Attribute{Optional: true},
			"server_id":           optional(),
			"login":               flagOr(true),
			"superuser":           flagOr(false),
			"connection_limit":    numberOr(-1),
			"member_of":           textSet(),
			"grants": schema.SetNestedAttribute{
				Optional: true,
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"database":   required(),
					"privileges": schema.SetAttribute{Required: true, ElementType: types.StringType},
					"with_grant": schema.BoolAttribute{Optional: true},
				}},
			},
			"settings":    textMap(),
			"valid_until": optional(),
		})},
	}
}
