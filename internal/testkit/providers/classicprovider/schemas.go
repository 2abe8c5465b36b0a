package classicprovider

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/validation"
)

// Short constructors keep the resource types readable.

func required() *schema.Schema { return &schema.Schema{Type: schema.TypeString, Required: true} }
func optional() *schema.Schema { return &schema.Schema{Type: schema.TypeString, Optional: true} }
func computed() *schema.Schema { return &schema.Schema{Type: schema.TypeString, Computed: true} }

// fixed is a required string whose change replaces the resource.
func fixed() *schema.Schema {
	return &schema.Schema{Type: schema.TypeString, Required: true, ForceNew: true}
}

func textOr(value string) *schema.Schema {
	return &schema.Schema{Type: schema.TypeString, Optional: true, Default: value}
}

func flagOr(value bool) *schema.Schema {
	return &schema.Schema{Type: schema.TypeBool, Optional: true, Default: value}
}

func numberOr(value int) *schema.Schema {
	return &schema.Schema{Type: schema.TypeInt, Optional: true, Default: value}
}

func wholeNumber() *schema.Schema { return &schema.Schema{Type: schema.TypeInt, Optional: true} }

func texts(t schema.ValueType) *schema.Schema {
	return &schema.Schema{Type: t, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}}
}

func blocks(t schema.ValueType, members map[string]*schema.Schema) *schema.Schema {
	return &schema.Schema{Type: t, Optional: true, Elem: &schema.Resource{Schema: members}}
}

// block is a block that stands at most once.
func block(members map[string]*schema.Schema) *schema.Schema {
	s := blocks(schema.TypeList, members)
	s.MaxItems = 1
	return s
}

// policyText is a JSON document in a string: texts of one meaning do not differ.
func policyText(s *schema.Schema) *schema.Schema {
	s.DiffSuppressFunc = func(_, old, new string, _ *schema.ResourceData) bool { return sameDocument(old, new) }
	s.ValidateFunc = validation.StringIsJSON
	return s
}

func sameDocument(a, b string) bool {
	var left, right any
	if json.Unmarshal([]byte(a), &left) != nil || json.Unmarshal([]byte(b), &right) != nil {
		return false
	}
	return reflect.DeepEqual(left, right)
}

// compact writes a JSON text without spaces, keys sorted; what is not JSON
// stays, for the validation to complain about.
func compact(text string) string {
	var doc any
	if json.Unmarshal([]byte(text), &doc) != nil {
		return text
	}
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(doc) != nil {
		return text
	}
	return strings.TrimSuffix(out.String(), "\n")
}
