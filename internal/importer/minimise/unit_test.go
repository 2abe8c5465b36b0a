package minimise

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// machine is a type with a unit of every sort.
func machine() *tfschema.Block {
	rule := &tfschema.Block{Attributes: []*tfschema.Attribute{
		{Name: "note", Type: cty.String, Optional: true},
		{Name: "port", Type: cty.Number, Required: true},
	}}
	disk := &tfschema.Object{Nesting: tfschema.NestingMap, Attributes: []*tfschema.Attribute{
		{Name: "kind", Type: cty.String, Optional: true, Computed: true},
		{Name: "serial", Type: cty.String, Computed: true},
	}}
	return &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "arn", Type: cty.String, Computed: true},
			{Name: "disks", Type: disk.ImpliedType(), Nested: disk, Optional: true},
			{Name: "name", Type: cty.String, Required: true},
			{Name: "secret", Type: cty.String, Required: true, Sensitive: true},
			{Name: "size", Type: cty.String, Optional: true},
		},
		Blocks: []*tfschema.NestedBlock{
			{Name: "once", Nesting: tfschema.NestingList, Min: 1, Block: rule},
			{Name: "rule", Nesting: tfschema.NestingSet, Block: rule},
		},
	}
}

func machineState() cty.Value {
	rule := func(port int64, note cty.Value) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"note": note, "port": cty.NumberIntVal(port)})
	}
	disk := cty.ObjectVal(map[string]cty.Value{"kind": cty.StringVal("ssd"), "serial": cty.StringVal("s1")})
	return cty.ObjectVal(map[string]cty.Value{
		"arn": cty.StringVal("arn:m"), "name": cty.StringVal("m"), "size": cty.StringVal("big"),
		"secret": cty.NullVal(cty.String),
		"disks":  cty.MapVal(map[string]cty.Value{"root": disk}),
		"once":   cty.ListVal([]cty.Value{rule(1, cty.StringVal("a"))}),
		"rule":   cty.SetVal([]cty.Value{rule(2, cty.StringVal("b")), rule(3, cty.NullVal(cty.String))}),
	})
}

func TestGather(t *testing.T) {
	t.Parallel()
	units, gaps := gather(machine(), machineState())
	var got []string
	for _, u := range units {
		name := u.schema
		if u.inSet {
			name += " (in a set)"
		}
		got = append(got, name)
	}
	want := []string{"disks", "disks.kind", "size", "once.note", "rule", "rule.note (in a set)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if units[0].end != 2 || units[4].end != 6 {
		t.Errorf("units nest wrongly: %d, %d", units[0].end, units[4].end)
	}
	var missing []string
	for _, g := range gaps {
		if g.attribute.Required {
			missing = append(missing, g.schema)
		}
	}
	if diff := cmp.Diff([]string{"secret"}, missing); diff != "" {
		t.Error(diff)
	}
}

// TestRebuild leaves out any one unit, and what is inside it, and no more.
func TestRebuild(t *testing.T) {
	t.Parallel()
	block, state := machine(), machineState()
	units, _ := gather(block, state)
	whole := rebuild(block, state, units, func(int) bool { return true }, nil)
	for _, attr := range []string{"arn", "secret"} {
		if !whole.GetAttr(attr).IsNull() {
			t.Errorf("%s is written", attr)
		}
	}
	if serial, ok := follow(cty.GetAttrPath("disks").IndexString("root").GetAttr("serial"), whole); !ok || !serial.IsNull() {
		t.Error("a computed attribute of a nested object is written")
	}
	for _, u := range units {
		out := rebuild(block, state, units, func(id int) bool { return id != u.id }, nil)
		after, _ := gather(block, out)
		if got, want := len(after), len(units)-(u.end-u.id); got != want {
			t.Errorf("without %s there are %d units, want %d", u.schema, got, want)
		}
		if !out.Type().Equals(whole.Type()) {
			t.Errorf("without %s the type is another", u.schema)
		}
	}
}

func TestChoiceAddsWhatIsAround(t *testing.T) {
	t.Parallel()
	units, _ := gather(machine(), machineState())
	c := make(choice, len(units))
	if !c.add(units, 1) || !c[0] || !c[1] || c[2] {
		t.Errorf("adding disks.kind gives %v", c)
	}
	if c.add(units, 1) {
		t.Error("adding it again changes something")
	}
	if c = c.without(0); c.has(units, 1) {
		t.Error("disks.kind is there without disks")
	}
}

func TestNamedBy(t *testing.T) {
	t.Parallel()
	u := &unit{schema: "rule.source_group"}
	tests := map[string]struct {
		d    *diag.Diagnostic
		want bool
	}{
		"its path":       {diag.Errorf("", "x", "y").On(cty.GetAttrPath("rule").IndexInt(0).GetAttr("source_group")), true},
		"around it":      {diag.Errorf("", "x", "y").On(cty.GetAttrPath("rule")), true},
		"another":        {diag.Errorf("", "x", "y").On(cty.GetAttrPath("rules")), false},
		"in words":       {diag.Errorf("", "Conflict", `"cidr": conflicts with source_group`), true},
		"in a word":      {diag.Errorf("", "Conflict", "source_group_id is not allowed"), false},
		"in two words":   {diag.Errorf("", "Conflict", "source_group_id, source_group"), true},
		"nowhere at all": {diag.Errorf("", "Conflict", "never mind"), false},
	}
	for name, tt := range tests {
		if got := u.namedBy(tt.d); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestDisposability tries first to do without what is worth least.
func TestDisposability(t *testing.T) {
	t.Parallel()
	set, empty := cty.StringVal("x"), cty.StringVal("")
	plain, computed := &tfschema.Attribute{Optional: true}, &tfschema.Attribute{Optional: true, Computed: true}
	s := &solver{units: []unit{
		{schema: "old", value: set, attribute: plain, deprecated: true}, {schema: "empty", value: empty, attribute: plain},
		{schema: "chosen", value: set, attribute: computed}, {schema: "said", value: set, attribute: plain},
	}}
	var got []string
	for _, u := range s.named(diag.List{diag.Errorf("", "Conflict", "old, empty, chosen and said")}) {
		got = append(got, u.schema)
	}
	if diff := cmp.Diff([]string{"said", "chosen", "empty", "old"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSameObjection(t *testing.T) {
	t.Parallel()
	at := cty.GetAttrPath("a")
	tests := map[string]struct {
		a, b *diag.Diagnostic
		want bool
	}{
		"itself":                 {diag.Errorf("", "x", "y"), diag.Errorf("", "x", "y"), true},
		"in other words":         {diag.Errorf("", "x", "y"), diag.Errorf("", "x", "z"), false},
		"in other words, at one": {diag.Errorf("", "x", "y").On(at), diag.Errorf("", "x", "z").On(at), true},
		"elsewhere":              {diag.Errorf("", "x", "y").On(at), diag.Errorf("", "x", "y"), false},
		"another":                {diag.Errorf("", "x", "y").On(at), diag.Errorf("", "z", "y").On(at), false},
	}
	for name, tt := range tests {
		if got := sameObjection(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
