package pschema_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
)

// TestEveryMember fills every field of the specs with something of its own
// and expects it back, so that no member is written but not read.
func TestEveryMember(t *testing.T) {
	t.Parallel()
	var want pschema.PackageSpec
	count := 0
	fill(reflect.ValueOf(&want).Elem(), &count, 0)
	data, err := pschema.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	got, diags := pschema.Decode("schema.json", data)
	if len(diags) > 0 {
		t.Fatal(lines(diags))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
}

// fill sets v and all below it. Types hold types, so it ends at a depth.
func fill(v reflect.Value, count *int, depth int) {
	*count++
	switch v.Interface().(type) {
	case pschema.Place:
		return
	case json.RawMessage:
		v.SetBytes(fmt.Appendf(nil, `{"x":%d}`, *count))
		return
	case pschema.ReturnSpec:
		object := new(pschema.ObjectTypeSpec)
		fill(reflect.ValueOf(object).Elem(), count, depth)
		object.Plain = nil
		v.Set(reflect.ValueOf(pschema.ReturnSpec{Object: object, ObjectIsPlain: true}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text <", *count, `> "quoted" 😀`))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Interface:
		v.Set(reflect.ValueOf(float64(*count) / 2))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), count, depth)
		}
	case reflect.Uint8:
		v.SetUint(uint64(*count % 256))
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if depth < 5 {
			fillIndirect(v, count, depth+1)
		}
	}
}

func fillIndirect(v reflect.Value, count *int, depth int) {
	inner := reflect.New(v.Type().Elem())
	fill(inner.Elem(), count, depth)
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(inner)
	case reflect.Slice:
		v.Set(reflect.Append(v, inner.Elem()))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(fmt.Sprint("key", *count)).Convert(v.Type().Key()), inner.Elem())
	}
}

func TestReturns(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ in, want string }{
		"object":            {`{"properties":{"a":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`},
		"object of nothing": {`{"properties":{}}`, `{"properties":{}}`},
		"plain object":      {`{"plain":true,"properties":{}}`, `{"properties":{},"plain":true}`},
		"plain list":        {`{"plain":["a"],"properties":{}}`, `{"properties":{},"plain":["a"]}`},
		"type":              {`{"type":"string","plain":true}`, `{"type":"string","plain":true}`},
		"map":               {`{"type":"object","description":"no object"}`, `{"type":"object"}`},
		"nothing":           {`{}`, ``},
		"null":              {`null`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec, diags := pschema.Decode("", []byte(`{"name":"p","functions":{"p:m:f":{"outputs":`+test.in+`}}}`))
			if len(diags) > 0 {
				t.Fatal(lines(diags))
			}
			data, err := pschema.Encode(spec)
			if err != nil {
				t.Fatal(err)
			}
			want := `{"name":"p","config":{},"functions":{"p:m:f":{"outputs":` + test.want + `}}}`
			if test.want == "" {
				want = `{"name":"p","config":{},"functions":{"p:m:f":{}}}`
			}
			if diff := cmp.Diff(want, string(data)); diff != "" {
				t.Errorf("encoded (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNulls reads null as absent wherever it may stand.
func TestNulls(t *testing.T) {
	t.Parallel()
	spec, diags := pschema.Decode("", []byte(`{"name":"p","version":null,"provider":null,"meta":null,"parameterization":null,
		"resources":{"p:m:R":{"stateInputs":null,"isComponent":null,"required":null,
			"properties":{"a":{"items":null,"default":null,"discriminator":null}}}}}`))
	if len(diags) > 0 {
		t.Fatal(lines(diags))
	}
	want := pschema.PackageSpec{Name: "p", Resources: map[string]pschema.ResourceSpec{
		"p:m:R": {ObjectTypeSpec: pschema.ObjectTypeSpec{Properties: map[string]pschema.PropertySpec{"a": {}}}},
	}}
	if diff := cmp.Diff(want, spec); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
}

// TestBadLetters replaces bytes that are no UTF-8, as every JSON reader does.
func TestBadLetters(t *testing.T) {
	t.Parallel()
	spec, _ := pschema.Decode("", []byte("{\"name\": \"a\xffb\"}"))
	if spec.Name != "a�b" {
		t.Errorf("got %q", spec.Name)
	}
}

func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	_, err := pschema.Encode(pschema.PackageSpec{Name: "p", Language: pschema.Language{"go": json.RawMessage("{")}})
	if err == nil || !strings.Contains(err.Error(), "package p") {
		t.Errorf("got %v", err)
	}
}

// FuzzBind binds whatever it is given, decodes it, and expects what it encodes
// to decode to the same: a schema has one text.
func FuzzBind(f *testing.F) {
	f.Add([]byte(zoo))
	small, err := pschema.Encode(schematest.Wide(schematest.Shape{Resources: 1, Properties: 7, Depth: 2}))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Add([]byte(`{"name":"p","types":{"p::T":{"type":"object","properties":{"t":{"$ref":"#/types/p::T"}},"required":["t","u"]}}}`))
	f.Add([]byte(`{"name":"p","parameterization":{"baseProvider":{"name":"b","version":"1.0.0"},"parameter":"eA=="},"x":1,"x":2}`))
	f.Add([]byte(`{"functions":{"p::f":{"outputs":{"x":{}}}},"parameterization":{"parameter":"m!=="}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		pkg, diags := schematest.Bind(t.Context(), data, pschema.Options{Filename: "f"})
		if (pkg == nil) != (!json.Valid(data) || strings.Trim(string(data), " \t\r\n")[0] != '{') {
			t.Fatalf("bound is %v, and the text is valid: %v", pkg != nil, json.Valid(data))
		}
		for _, d := range diags {
			if d.Subject != nil && (d.Subject.Start.Byte > d.Subject.End.Byte || d.Subject.Start.Line < 1) {
				t.Fatalf("range %v", d.Subject)
			}
		}
		if pkg != nil && !json.Valid(pkg.Text()) {
			t.Fatalf("the text is no JSON: %s", pkg.Text())
		}
		if pkg != nil { // whatever refers to what, in circles too
			pkg.Subset(pschema.Selection{Exclude: []string{"x"}, Include: []string{"[A-Z]*", "*"}})
		}
		first, _ := pschema.Decode("f", data)
		once, err := pschema.Encode(first)
		if err != nil {
			t.Fatal(err)
		}
		second, again := pschema.Decode("f", once)
		twice, err := pschema.Encode(second)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%v: encoded anew:\n%s\n%s", err, once, twice)
		}
		for _, d := range again {
			if d.Code != "PS0002" { // "value": null of an enum value is none of ours to repair
				t.Fatalf("own text is wrong: %v", d)
			}
		}
	})
}
