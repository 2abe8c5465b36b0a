package rawstate_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/mapping/rawstate"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/testkit/randschema"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// inside sees into property values, whose own comparison reads assets.
func inside() cmp.Option { return cmp.Exporter(func(reflect.Type) bool { return true }) }

// stored is a property map from JSON as a stack's state file has it.
func stored(t *testing.T, text string) property.Map {
	t.Helper()
	message := &structpb.Struct{}
	if err := protojson.Unmarshal([]byte(text), message); err != nil {
		t.Fatal(err)
	}
	m, err := pvalue.Decode(message, pvalue.Everything())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// store takes a property map through a state file.
func store(t *testing.T, m property.Map) property.Map {
	t.Helper()
	message, err := pvalue.Encode(m, pvalue.Everything())
	if err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return stored(t, string(text))
}

// FuzzRecover checks that the state of any schema comes back exactly, types of
// dynamic values included, whatever became of the outputs.
func FuzzRecover(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed, seed%2 == 0)
	}
	f.Add(uint64(431), true) // a flat block without its property
	f.Fuzz(func(t *testing.T, seed uint64, scramble bool) {
		m := randschema.New(seed, randschema.Options{Depth: 3, Dynamic: true, WriteOnly: true})
		block := m.Block()
		o := mapping.NewObject(block, "Thing")
		want := m.State(block)
		outputs := translate.FromTerraform(o, want)
		if scramble {
			outputs = m.Scramble(outputs)
		}
		if outputs.HasComputed() {
			return
		}
		meta := rawstate.Meta{SchemaVersion: int64(seed % 5), Private: []byte("p")}
		text, gotMeta, diags := rawstate.Recover(nil, store(t, rawstate.Attach(outputs, rawstate.Delta(o, outputs, want), meta)))
		if diags.HasErrors() {
			t.Fatal(diags.Err())
		}
		if diff := cmp.Diff(meta, gotMeta); diff != "" {
			t.Errorf("meta (-want +got):\n%s", diff)
		}
		got, err := ctyx.DecodeJSON(text, block.ImpliedType())
		if err != nil || !got.RawEquals(want) {
			t.Errorf("%v\ngot  %s\nwant %#v\nin %s", err, text, want, (&tfschema.Schema{Block: block}).Describe())
		}
	})
}

// FuzzStored checks that no stored outputs end us, and that what is recovered
// is JSON.
func FuzzStored(f *testing.F) {
	for _, test := range foreign() {
		f.Add([]byte(test.stored))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		message := &structpb.Struct{}
		if protojson.Unmarshal(data, message) != nil {
			return
		}
		m, err := pvalue.Decode(message, pvalue.Everything())
		if err != nil {
			return
		}
		o := mapping.NewObject(&tfschema.Block{}, "Thing")
		if text, _, diags := rawstate.Recover(o, m); !diags.HasErrors() && !json.Valid(text) {
			t.Errorf("%s\nbecame %s", data, text)
		}
	})
}

type foreignCase struct{ stored, want string }

const delta = `"__pulumi_raw_state_delta":`

// foreign are outputs as Pulumi's own bridge stores them.
func foreign() map[string]foreignCase {
	return map[string]foreignCase{
		"names": {
			`{"sizeGb":5,"ipV4s":["a"],` + delta + `{"obj":{"renamed":{"ipV4s":"ip_v4"},"ps":{"ipV4s":{"arr":{}}}}}}`,
			`{"ip_v4":["a"],"size_gb":5}`,
		},
		"null is replaced": {
			`{"a":"x",` + delta + `{"obj":{"ps":{"b":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":{"replace":{"raw":null}}}}}}}`,
			`{"a":"x","b":null}`,
		},
		"null lost its key":     {`{` + delta + `{"obj":{"ps":{"b":{"replace":{}}}}}}`, `{"b":null}`},
		"empty deltas":          {`{"a":"x",` + delta + `{"obj":{"ps":{"a":{},"b":null}}}}`, `{"a":"x","b":null}`},
		"flat":                  {`{"disk":{"size":1},` + delta + `{"obj":{"ps":{"disk":{"plu":{"i":{"obj":{}}}}}}}}`, `{"disk":[{"size":1}]}`},
		"flat, none":            {`{` + delta + `{"obj":{"ps":{"disk":{"plu":{"i":{}}}}}}}`, `{"disk":[]}`},
		"map":                   {`{"m":{"aB":"x","n":"12345678901234567890"},` + delta + `{"obj":{"ps":{"m":{"map":{"el":{"n":{"num":{}}}}}}}}}`, `{"m":{"aB":"x","n":12345678901234567890}}`},
		"elements":              {`{"a":["1","x"],` + delta + `{"obj":{"ps":{"a":{"arr":{"el":{"0":{"num":{}}}}}}}}}`, `{"a":[1,"x"]}`},
		"ignored":               {`{"a":"x","extra":1,` + delta + `{"obj":{"ignored":["extra","extra"]}}}`, `{"a":"x"}`},
		"reserved":              {`{"__meta":"{}","__defaults":[],"a":{"__defaults":["b"],"b":1},` + delta + `{"obj":{"ps":{"a":{"obj":{}}}}}}`, `{"a":{"b":1}}`},
		"secrets":               {`{"a":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","value":"x"},` + delta + `{"obj":{}}}`, `{"a":"x"}`},
		"dynamic":               {`{"a":[1],` + delta + `{"obj":{"ps":{"a":{"replace":{"raw":{"type":["list","number"],"value":[1]}}}}}}}`, `{"a":{"type":["list","number"],"value":[1]}}`},
		"all is replaced":       {`{"a":1,` + delta + `{"replace":{"raw":{"b":0.1}}}}`, `{"b":0.1}`},
		"numbers":               {`{"a":0.1,"b":9007199254740992,"c":-5,` + delta + `{"obj":{}}}`, `{"a":0.1,"b":9007199254740992,"c":-5}`},
		"file asset":            {`{"a":{"4dabf18193072939515e22adb298388d":"c44067f5952c0a294b673a41bacd8c17","path":"p"},` + delta + `{"obj":{"ps":{"a":{"asset":{"kind":0}}}}}}`, `{"a":"p"}`},
		"private and version":   {`{"__meta":"{\"private_state\":\"cA==\",\"schema_version\":\"3\"}",` + delta + `{"obj":{}}}`, `{}`},
		"meta of the other SDK": {`{"__meta":"{\"e2bfb730-ecaa-11e6-8f88-34363bc7c4c0\":{\"create\":1},\"schema_version\":\"1\"}",` + delta + `{"obj":{}}}`, `{}`},
	}
}

func TestForeign(t *testing.T) {
	t.Parallel()
	for name, test := range foreign() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, diags := rawstate.Recover(nil, stored(t, test.stored))
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			if diff := cmp.Diff(test.want, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecoverErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"__meta":1}`:   "RS0001",
		`{"__meta":"{"}`: "RS0001",
		`{"__meta":"{\"schema_version\":\"x\"}"}`:                                       "RS0001",
		`{"__meta":"{\"schema_version\":\"-1\"}"}`:                                      "RS0001",
		`{"__meta":"{\"private_state\":\"?\"}"}`:                                        "RS0001",
		`{` + delta + `1}`:                                                              "RS0002",
		`{` + delta + `{"unheard":{}}}`:                                                 "RS0002",
		`{` + delta + `{"arr":{}}}`:                                                     "RS0002",
		`{` + delta + `{"obj":{"ps":{"a":{"arr":{"el":{"1":{"num":{}}}}}}}},"a":["1"]}`: "RS0002",
		`{` + delta + `{"obj":{"ps":{"a":{"num":{}}}}},"a":"x"}`:                        "RS0002",
		`{` + delta + `{"obj":{}},"a":{"b":1}}`:                                         "RS0002",
		`{` + delta + `{"replace":{"text":"{"}}}`:                                       "RS0002",
		`{"count":"many"}`:                                                              "TX0001",
	} {
		o := mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "count", Type: cty.Number, Computed: true}}}, "Thing")
		_, _, diags := rawstate.Recover(o, stored(t, text))
		if len(diags) != 1 || diags[0].Code != want {
			t.Errorf("%s: got %v, want %s", text, diags, want)
		}
	}
}

// TestStoredForm pins the form of what we store, for those who read it.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	str := func(name string) *tfschema.Attribute {
		return &tfschema.Attribute{Name: name, Type: cty.String, Optional: true}
	}
	block := &tfschema.Block{
		Attributes: []*tfschema.Attribute{
			{Name: "any", Type: cty.DynamicPseudoType, Optional: true}, str("zone_1"), {Name: "names", Type: cty.Set(cty.String), Optional: true},
			str("nothing"), {Name: "number", Type: cty.Number, Computed: true}, {Name: "token", Type: cty.String, Optional: true, WriteOnly: true},
		},
		Blocks: []*tfschema.NestedBlock{
			{Name: "disk", Nesting: tfschema.NestingList, Max: 1, Block: &tfschema.Block{Attributes: []*tfschema.Attribute{str("x")}}},
			{Name: "none", Nesting: tfschema.NestingList, Max: 1, Block: &tfschema.Block{}},
		},
	}
	o := mapping.NewObject(block, "Thing")
	state := cty.ObjectVal(map[string]cty.Value{
		"any": cty.MustParseNumberVal("12345678901234567890"), "zone_1": cty.StringVal("n"),
		"names": cty.SetVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")}), "nothing": cty.NullVal(cty.String),
		"number": cty.MustParseNumberVal("9007199254740993"), "token": cty.NullVal(cty.String),
		"disk": cty.ListVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"x": cty.StringVal("y")})}), "none": cty.ListValEmpty(cty.EmptyObject),
	})
	meta := rawstate.Meta{SchemaVersion: 2, Private: []byte{1, 2}, Identity: json.RawMessage(`{"id":"i"}`), IdentityVersion: 1}
	got := attach(o, state, meta)
	want := stored(t, `{
		"any": "12345678901234567890", "zone1": "n", "names": ["a", "b"], "number": "9007199254740993", "disk": {"x": "y"},
		"__meta": "{\"identity\":{\"id\":\"i\"},\"identity_schema_version\":\"1\",\"private_state\":\"AQI=\",\"schema_version\":\"2\"}",
		"__pulumi_raw_state_delta": {"obj": {
			"renamed": {"zone1": "zone_1"},
			"ps": {
				"any": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": {"replace": {
					"raw": {"type": "number", "value": 12345678901234567000}, "text": "{\"value\":12345678901234567890,\"type\":\"number\"}"
				}}},
				"disk": {"plu": {"i": {"obj": {}}}}, "none": {"plu": {"i": {}}}, "names": {"arr": {}},
				"nothing": {}, "number": {"num": {}}, "token": {}
			}
		}}
	}`)
	if diff := cmp.Diff(want, got, inside(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(translate.FromTerraform(o, state), rawstate.Detach(got), inside()); diff != "" {
		t.Errorf("detached (-want +got):\n%s", diff)
	}
}

// TestWithoutDelta reads what the first bridges stored: outputs alone.
func TestWithoutDelta(t *testing.T) {
	t.Parallel()
	block := &tfschema.Block{
		Attributes: []*tfschema.Attribute{{Name: "size_gb", Type: cty.Number, Optional: true}, {Name: "zone", Type: cty.String, Optional: true}},
		Blocks:     []*tfschema.NestedBlock{{Name: "disk", Nesting: tfschema.NestingList, Block: &tfschema.Block{}}},
	}
	got, meta, diags := rawstate.Recover(mapping.NewObject(block, "Thing"), stored(t, `{"sizeGb":5,"gone":{"x":1},"__meta":"{\"schema_version\":\"4\"}"}`))
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	if diff := cmp.Diff(`{"disk":[],"size_gb":5,"zone":null}`, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(rawstate.Meta{SchemaVersion: 4}, meta); diff != "" {
		t.Errorf("meta (-want +got):\n%s", diff)
	}
}

// TestNoDigits stores null for numbers that JSON has no digits for.
func TestNoDigits(t *testing.T) {
	t.Parallel()
	o := mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "n", Type: cty.Number, Computed: true}}}, "Thing")
	for _, n := range []cty.Value{cty.NegativeInfinity, cty.NumberVal(new(big.Float).SetMantExp(big.NewFloat(0.5), 1<<30))} {
		state := cty.ObjectVal(map[string]cty.Value{"n": n})
		got, _, diags := rawstate.Recover(o, attach(o, state, rawstate.Meta{}))
		if diags.HasErrors() || string(got) != `{"n":null}` {
			t.Errorf("got %s, %v", got, diags.Err())
		}
	}
}

// TestNoDelta attaches nothing to what is not known or not there.
func TestNoDelta(t *testing.T) {
	t.Parallel()
	o := mapping.NewObject(&tfschema.Block{Attributes: []*tfschema.Attribute{{Name: "a", Type: cty.String, Computed: true}}}, "Thing")
	for _, state := range []cty.Value{
		cty.ObjectVal(map[string]cty.Value{"a": cty.UnknownVal(cty.String)}), cty.NullVal(o.Terraform),
	} {
		outputs := translate.FromTerraform(o, state)
		if diff := cmp.Diff(outputs, rawstate.Attach(outputs, rawstate.Delta(o, outputs, state), rawstate.Meta{}), inside(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%#v (-want +got):\n%s", state, diff)
		}
	}
}

// attach is what is stored of a state.
func attach(o *mapping.Object, state cty.Value, meta rawstate.Meta) property.Map {
	outputs := translate.FromTerraform(o, state)
	return rawstate.Attach(outputs, rawstate.Delta(o, outputs, state), meta)
}
