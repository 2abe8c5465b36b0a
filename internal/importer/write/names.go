package write

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/ident"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// NameHint is all that is known about one resource that could name it. Only
// Type must be set.
type NameHint struct {
	Type        string
	DisplayName string
	// State is the resource object. Sensitive attributes of Schema, and
	// marked ones, are never used.
	State  cty.Value
	Schema *tfschema.Block
	// Secrets are values that no name tells: other texts may repeat them. ID
	// and Identity are covered.
	Secrets  []string
	Identity cty.Value
	ID       string
	// Wanted is the name that the user asked for.
	Wanted string
	// Earlier is the name that it has from an earlier import; or "".
	Earlier string
}

// Names gives every resource a name that is unique in its type, in the order
// of hints; the names do not depend on that order. They come from, in turn:
// what the user wants, what it was called before, the object's own name, what
// the provider calls it, its identity, and its id. Where all of these are
// opaque the name is the type's noun and the end of the id. Resources of the
// same name are told apart by where they are (`public_sales`,
// `www_example_com_mx`), then by numbers. What is taken by others, nil being
// nothing, no resource is given that does not have that name already.
func Names(hints []NameHint, taken func(tfaddr.Resource) bool) []string {
	hints = withoutTaken(hints)
	wished := parallel.Map(context.Background(), runtime.GOMAXPROCS(0), hints, func(_ context.Context, h NameHint) ident.Wish { return wish(h) })
	byType := map[string][]int{}
	for i, h := range hints {
		byType[h.Type] = append(byType[h.Type], i)
	}
	out := make([]string, len(hints))
	for typeName, members := range byType {
		wishes := make([]ident.Wish, len(members))
		for i, m := range members {
			wishes[i] = wished[m]
		}
		for i, name := range ident.Unique(wishes, reserved(typeName, wishes, taken)) {
			out[members[i]] = name
		}
	}
	return out
}

// reserved reports which names of a type are others', but for those that
// somebody chose: two blocks of one address are an error that says so.
func reserved(typeName string, wishes []ident.Wish, taken func(tfaddr.Resource) bool) func(name string) bool {
	if taken == nil {
		return nil
	}
	chosen := map[string]bool{}
	for _, w := range wishes {
		if w.Pinned {
			chosen[w.Base] = true
		}
	}
	return func(name string) bool {
		return !chosen[name] && taken(tfaddr.Resource{Mode: tfaddr.Managed, Type: typeName, Name: name})
	}
}

// withoutTaken drops earlier names that the user wants for other resources.
func withoutTaken(hints []NameHint) []NameHint {
	if !slices.ContainsFunc(hints, func(h NameHint) bool { return h.Earlier != "" }) {
		return hints
	}
	taken := map[string]bool{}
	for _, h := range hints {
		taken[h.Type+"."+wantedName(h)] = true
	}
	out := slices.Clone(hints)
	for i, h := range out {
		if taken[h.Type+"."+h.Earlier] {
			out[i].Earlier = ""
		}
	}
	return out
}

// wish pins the names that somebody knows already: the user, or a state.
func wish(h NameHint) ident.Wish {
	w := ident.Wish{Key: keyOf(h), Hints: func() []string { return distinctions(h) }}
	if w.Base = cmp.Or(wantedName(h), h.Earlier); w.Base != "" {
		w.Pinned = true
	} else {
		w.Base = readableName(h)
	}
	return w
}

// wantedName is the user's name as it can be written; or "".
func wantedName(h NameHint) string {
	if h.Wanted == "" || ident.Valid(h.Wanted) {
		return h.Wanted
	}
	return usable(h, h.Wanted)
}

// keyOf orders resources of one type by what they are.
func keyOf(h NameHint) string {
	key := h.ID
	if h.Identity != cty.NilVal {
		if data, err := ctyx.EncodeJSON(h.Identity, h.Identity.Type()); err == nil {
			key += "\x00" + string(data)
		}
	}
	return key
}

// readableName tries the candidates in turn.
func readableName(h NameHint) string {
	for _, candidate := range candidates(h) {
		if !ident.Opaque(candidate) {
			if name := usable(h, candidate); name != "" {
				return name
			}
		}
	}
	return ident.Slug(noun(h.Type) + "_" + tail(h))
}

// usable makes an identifier, with the noun before a leading digit.
func usable(h NameHint, text string) string {
	slug := ident.Slug(text)
	if rest, ok := strings.CutPrefix(slug, "_"); ok {
		return ident.Slug(noun(h.Type) + "_" + rest)
	}
	return slug
}

// noun is the type without the provider's word.
func noun(resourceType string) string {
	if _, rest, ok := strings.Cut(resourceType, "_"); ok && rest != "" {
		return rest
	}
	return resourceType
}

const (
	// tailLength is how much of an opaque id is shown.
	tailLength = 6
	// wholeLength is how long an opaque id of short parts may be to be shown
	// whole: `15,1,100` and `10.0.0.0/8` say more than their ends.
	wholeLength = 24
)

// tail is the end of the id or identity, which differs more than its
// beginning; or all of it, where it is made of a few short parts.
func tail(h NameHint) string {
	parts := strings.FieldsFunc(cmp.Or(h.ID, strings.Join(identityParts(h.Identity, true), "_")), func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	long := func(part string) bool { return len(part) > tailLength }
	whole := strings.ToLower(strings.Join(parts, "_"))
	if len(whole) <= wholeLength && !slices.ContainsFunc(parts, long) {
		return whole
	}
	letters := strings.ReplaceAll(whole, "_", "")
	return letters[max(0, len(letters)-tailLength):]
}

// candidates are texts that could be a name, best first.
func candidates(h NameHint) []string {
	out := []string{
		h.text("tags", "Name"), h.text("tags", "name"), h.text("name"), h.text("metadata", "name"),
		h.text("display_name"), h.text("title"), h.text("labels", "name"),
	}
	words := strings.Split(noun(h.Type), "_")
	for i := range words { // a bucket's "bucket", a function's "function_name"
		attr := strings.Join(words[i:], "_")
		out = append(out, h.text(attr), h.text(attr+"_name"))
	}
	out = append(out, h.title(h.DisplayName), h.text("label"), strings.Join(h.readable(false), "_"))
	return append(out, lastSegment(h.title(h.ID)), h.title(h.ID), h.text("description"))
}

// readable are the parts of the identity that say something.
func (h NameHint) readable(all bool) []string {
	return slices.DeleteFunc(identityParts(h.Identity, all), func(part string) bool { return ident.Opaque(part) || h.title(part) == "" })
}

// lastSegment is what follows the last slash or colon of an id that is a
// path, a URL or an ARN; or "", also where a time of day or a port follows.
func lastSegment(id string) string {
	segment := id[strings.LastIndexAny(id, "/:")+1:]
	if segment == id || segment == "" || segment[0] >= '0' && segment[0] <= '9' {
		return ""
	}
	return segment
}

// places are attributes that say where something is, or which of several
// kinds it has: what tells apart resources of one name.
var places = [...]string{
	"namespace", "database", "schema", "project", "environment", "region", "location", "zone", "availability_zone",
	"parent", "owner", "role", "type", "protocol", "host", "email", "key", "path", "cidr", "cidr_block",
}

// distinctions are the hints that tell resources of one name apart. Each has
// the same index for all resources.
func distinctions(h NameHint) []string {
	var out []string
	for _, attr := range places {
		out = append(out, h.text(attr))
	}
	out = append(out, strings.Join(h.readable(true), "_"))
	if !ident.Opaque(h.ID) {
		out = append(out, lastSegment(h.title(h.ID)), h.title(h.ID))
	} else {
		out = append(out, "", "")
	}
	return append(out, tail(h))
}

// scopes are parts of identities that many objects share.
var scopes = [...]string{"account", "account_id", "region", "project", "project_id", "location", "zone", "partition", "subscription_id", "tenant_id"}

// identityParts are the strings of an identity, by the names of its parts;
// without the scopes unless all are wanted.
func identityParts(identity cty.Value, all bool) []string {
	if identity == cty.NilVal || identity.IsNull() || !identity.IsKnown() {
		return nil
	}
	var out []string
	for it := identity.ElementIterator(); it.Next(); {
		key, v := it.Element()
		if text := plainText(v); text != "" && (all || !slices.Contains(scopes[:], key.AsString())) {
			out = append(out, text)
		}
	}
	return out
}

// text returns the string attribute at a path of names through maps,
// objects and single-member lists; or "".
func (h NameHint) text(path ...string) string {
	v := h.State
	if v == cty.NilVal || v.Type().IsObjectType() && !v.Type().HasAttribute(path[0]) || h.isSensitive(path[0]) {
		return ""
	}
	for _, name := range path {
		v = member(soleElement(v), name)
	}
	return h.title(plainText(v))
}

// title is a text that can be a name; or "" where it tells a secret, stands for
// one, or is a document, such as a policy in JSON or a script, whatever its
// attribute is called.
func (h NameHint) title(text string) string {
	trimmed := strings.TrimSpace(text)
	structured := strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")
	if strings.ContainsAny(trimmed, "\n\r") || structured && json.Valid([]byte(trimmed)) || secret.IsDigest(trimmed) || secret.Tells(text, h.Secrets) {
		return ""
	}
	return text
}

// isSensitive reports whether the root attribute must not be shown.
func (h NameHint) isSensitive(name string) bool {
	if h.Schema == nil {
		return false
	}
	attr := h.Schema.Attribute(name)
	return attr != nil && (attr.Sensitive || attr.WriteOnly)
}

// soleElement looks into a list or set of one member.
func soleElement(v cty.Value) cty.Value {
	ty := v.Type()
	if v.IsMarked() || v.IsNull() || !v.IsKnown() || !(ty.IsListType() || ty.IsSetType() || ty.IsTupleType()) || v.LengthInt() != 1 {
		return v
	}
	return v.AsValueSlice()[0]
}

// member returns the attribute or the map's member, or a null.
func member(v cty.Value, name string) cty.Value {
	none := cty.NullVal(cty.String)
	if v.IsMarked() || v.IsNull() || !v.IsKnown() {
		return none
	}
	switch ty := v.Type(); {
	case ty.IsObjectType() && ty.HasAttribute(name):
		return v.GetAttr(name)
	case ty.IsMapType() && v.HasIndex(cty.StringVal(name)).True():
		return v.Index(cty.StringVal(name))
	}
	return none
}

// plainText is a known, unmarked string or number; else "".
func plainText(v cty.Value) string {
	if v.IsMarked() || v.IsNull() || !v.IsKnown() {
		return ""
	}
	switch v.Type() {
	case cty.String:
		return v.AsString()
	case cty.Number:
		return v.AsBigFloat().Text('f', -1)
	}
	return ""
}
