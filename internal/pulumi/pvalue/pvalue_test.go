package pvalue_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/urn"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

const (
	key     = `"` + sig.Key + `":`
	unknown = `"` + sig.UnknownStringValue + `"`
	bucket  = "urn:pulumi:dev::site::aws:s3/bucket:Bucket::logs"
)

func computed() property.Value { return property.New(property.Computed) }

func ref(id property.Value) property.ResourceReference {
	return property.ResourceReference{URN: bucket, Name: "logs", Type: "aws:s3/bucket:Bucket", ID: id, PackageVersion: "1.0.0"}
}

const refJSON = `{` + key + `"` + sig.ResourceReference + `","urn":"` + bucket +
	`","name":"logs","type":"aws:s3/bucket:Bucket","packageVersion":"1.0.0"`

// pairs are values with their messages, which mean the same to a reader that
// understands everything.
func pairs() map[string]struct {
	value property.Value
	json  string
} {
	file := &asset.Asset{Sig: sig.AssetSig, Hash: "h", Path: "a.txt"}
	return map[string]struct {
		value property.Value
		json  string
	}{
		"null":             {property.Value{}, `null`},
		"bool":             {property.New(true), `true`},
		"number":           {property.New(1.5), `1.5`},
		"string":           {property.New("é\n"), `"é\n"`},
		"empty list":       {property.New(property.Array{}), `[]`},
		"list with a hole": {property.New([]property.Value{property.New("a"), {}}), `["a",null]`},
		"empty map":        {property.New(property.Map{}), `{}`},
		"map":              {property.New(map[string]property.Value{"a.b": property.New("x"), "n": {}}), `{"a.b":"x","n":null}`},
		"unknown":          {computed(), unknown},
		"secret":           {property.New("x").WithSecret(true), `{` + key + `"` + sig.Secret + `","value":"x"}`},
		"unknown secret":   {computed().WithSecret(true), `{` + key + `"` + sig.Secret + `","value":` + unknown + `}`},
		"secret inside": {
			property.New(map[string]property.Value{"p": property.New("x").WithSecret(true)}),
			`{"p":{` + key + `"` + sig.Secret + `","value":"x"}}`,
		},
		"output": {
			property.New("x").WithDependencies([]urn.URN{bucket}),
			`{` + key + `"` + sig.OutputValue + `","value":"x","dependencies":["` + bucket + `"]}`,
		},
		"unknown secret output": {
			computed().WithSecret(true).WithDependencies([]urn.URN{bucket}),
			`{` + key + `"` + sig.OutputValue + `","secret":true,"dependencies":["` + bucket + `"]}`,
		},
		"component":        {property.New(ref(property.Value{})), refJSON + `}`},
		"resource":         {property.New(ref(property.New("i-1"))), refJSON + `,"id":"i-1"}`},
		"unknown resource": {property.New(ref(computed())), refJSON + `,"id":""}`},
		"bytes":            {property.New("\xff\x00"), `{` + key + `"` + sig.ByteString + `","value":"/wA="}`},
		"file asset":       {property.New(file), `{` + key + `"` + sig.AssetSig + `","hash":"h","path":"a.txt"}`},
		"text asset":       {property.New(&asset.Asset{Sig: sig.AssetSig, Text: "x"}), `{` + key + `"` + sig.AssetSig + `","text":"x"}`},
		"remote archive":   {property.New(&archive.Archive{Sig: sig.ArchiveSig, URI: "u"}), `{` + key + `"` + sig.ArchiveSig + `","uri":"u"}`},
		"archive of assets": {
			property.New(&archive.Archive{Sig: sig.ArchiveSig, Hash: "a", Assets: map[string]any{
				"f": file, "d": &archive.Archive{Sig: sig.ArchiveSig, Path: "dir"},
			}}),
			`{` + key + `"` + sig.ArchiveSig + `","hash":"a","assets":{` +
				`"f":{` + key + `"` + sig.AssetSig + `","hash":"h","path":"a.txt"},` +
				`"d":{` + key + `"` + sig.ArchiveSig + `","path":"dir"}}}`,
		},
	}
}

// compare sees into the model, which has no exported fields. Its own Equals
// reads the contents of assets.
func compare(want, got any) string {
	return cmp.Diff(want, got, protocmp.Transform(), cmpopts.EquateNaNs(), cmp.Exporter(func(reflect.Type) bool { return true }))
}

func message(t *testing.T, text string) *structpb.Value {
	t.Helper()
	out := &structpb.Value{}
	if err := protojson.Unmarshal([]byte(text), out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPairs(t *testing.T) {
	t.Parallel()
	for name, test := range pairs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wire := message(t, test.json)
			got, err := pvalue.DecodeValue(wire, pvalue.Everything())
			if err != nil {
				t.Fatal(err)
			}
			if diff := compare(test.value, got); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
			back, err := pvalue.EncodeValue(test.value, pvalue.Everything())
			if err != nil {
				t.Fatal(err)
			}
			if diff := compare(wire, back); diff != "" {
				t.Errorf("encoded (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOtherForms decodes what we never write but others do.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	secret := func(inner string) string { return `{` + key + `"` + sig.Secret + `","value":` + inner + `}` }
	for name, test := range map[string]struct {
		json string
		want property.Value
	}{
		"unknown bool":            {`"` + sig.UnknownBoolValue + `"`, computed()},
		"unknown number":          {`"` + sig.UnknownNumberValue + `"`, computed()},
		"unknown array":           {`"` + sig.UnknownArrayValue + `"`, computed()},
		"unknown asset":           {`"` + sig.UnknownAssetValue + `"`, computed()},
		"unknown archive":         {`"` + sig.UnknownArchiveValue + `"`, computed()},
		"unknown object":          {`"` + sig.UnknownObjectValue + `"`, computed()},
		"secret twice":            {secret(secret(`"x"`)), property.New("x").WithSecret(true)},
		"output of a secret":      {`{` + key + `"` + sig.OutputValue + `","value":` + secret(`1`) + `}`, property.New(1.0).WithSecret(true)},
		"output that is unknown":  {`{` + key + `"` + sig.OutputValue + `"}`, computed()},
		"reference with sentinel": {refJSON + `,"id":` + unknown + `}`, property.New(ref(computed()))},
		"reference with secret":   {refJSON + `,"id":` + secret(`"i"`) + `}`, property.New(ref(property.New("i"))).WithSecret(true)},
		"reference without names": {
			`{` + key + `"` + sig.ResourceReference + `","urn":"` + bucket + `","packageVersion":"1.0.0"}`, property.New(ref(property.Value{})),
		},
		"empty archive": {`{` + key + `"` + sig.ArchiveSig + `"}`, property.New(&archive.Archive{Sig: sig.ArchiveSig, Assets: map[string]any{}})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := pvalue.DecodeValue(message(t, test.json), pvalue.Everything())
			if err != nil {
				t.Fatal(err)
			}
			if diff := compare(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPlainPeers holds both directions to what a peer that understands
// nothing sees.
func TestPlainPeers(t *testing.T) {
	t.Parallel()
	plain := map[string]string{
		"secret": `"x"`, "unknown secret": unknown, "secret inside": `{"p":"x"}`,
		"output": `"x"`, "unknown secret output": unknown,
		"component": `"` + bucket + `"`, "resource": `"i-1"`, "unknown resource": unknown,
	}
	for name, test := range pairs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := pvalue.EncodeValue(test.value, pvalue.Options{})
			decoded, decodeErr := pvalue.DecodeValue(message(t, test.json), pvalue.Options{})
			if name == "bytes" {
				if err == nil || decodeErr == nil {
					t.Errorf("bytes pass: %v, %v", err, decodeErr)
				}
				return
			}
			if err != nil || decodeErr != nil {
				t.Fatal(err, decodeErr)
			}
			want := test.json
			if text, ok := plain[name]; ok {
				want = text
			}
			if diff := compare(message(t, want), got); diff != "" {
				t.Errorf("encoded (-want +got):\n%s", diff)
			}
			again, err := pvalue.EncodeValue(decoded, pvalue.Everything())
			if err != nil {
				t.Fatal(err)
			}
			if diff := compare(got, again); diff != "" {
				t.Errorf("decoded, it says something else (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	signed := func(signature, rest string) string {
		return `{"p":[1,{"a.b":{` + key + `"` + signature + `"` + rest + `}}]}`
	}
	for want, text := range map[string]string{
		`p[1]["a.b"]: the object has a signature that is not known`:                       signed("x", ""),
		`p: the object has a signature that is not known`:                                 `{"p":{` + key + `1}}`,
		`p[1]["a.b"]: a secret has no value`:                                              signed(sig.Secret, ""),
		`p[1]["a.b"].c: a secret has no value`:                                            signed(sig.Secret, `,"value":{"c":{`+key+`"`+sig.Secret+`"}}`),
		`p[1]["a.b"]: an output value's secret is no bool`:                                signed(sig.OutputValue, `,"secret":1`),
		`p[1]["a.b"]: an output value's dependencies are no list`:                         signed(sig.OutputValue, `,"dependencies":{}`),
		`p[1]["a.b"]: an output value depends on something that is no URN`:                signed(sig.OutputValue, `,"dependencies":[1]`),
		`p[1]["a.b"]: a resource reference has no urn`:                                    signed(sig.ResourceReference, ""),
		`p[1]["a.b"]: a resource reference's urn is no string`:                            signed(sig.ResourceReference, `,"urn":1`),
		`p[1]["a.b"]: a resource reference's id is no string`:                             signed(sig.ResourceReference, `,"urn":"u","id":1`),
		`p[1]["a.b"]: a byte string has no value`:                                         signed(sig.ByteString, ""),
		`p[1]["a.b"]: a byte string's value is not in base64`:                             signed(sig.ByteString, `,"value":"?"`),
		`p[1]["a.b"]: an asset's text is no string`:                                       signed(sig.AssetSig, `,"text":1`),
		`p[1]["a.b"]: an archive's path is no string`:                                     signed(sig.ArchiveSig, `,"path":1`),
		`p[1]["a.b"]: an archive's assets are no object`:                                  signed(sig.ArchiveSig, `,"assets":[]`),
		`p[1]["a.b"]: an archive holds something that is neither an asset nor an archive`: signed(sig.ArchiveSig, `,"assets":{"a":{}}`),
		sig.Key + ": the key is reserved for signatures":                                  `{` + key + `"` + sig.Secret + `"}`,
		`a: a secret has no value`:                                                        `{"b":{` + key + `1},"a":{` + key + `"` + sig.Secret + `"},"c":{` + key + `1}}`,
	} {
		_, err := pvalue.Decode(message(t, text).GetStructValue(), pvalue.Everything())
		checkError(t, err, want)
	}
	_, err := pvalue.Decode(&structpb.Struct{Fields: map[string]*structpb.Value{"p": nil}}, pvalue.Options{})
	checkError(t, err, "p: the message holds no value")
	_, err = pvalue.DecodeValue(&structpb.Value{}, pvalue.Options{})
	checkError(t, err, "the message holds no value")
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	var at *pvalue.PathError
	if !errors.As(err, &at) || err.Error() != want {
		t.Errorf("got %.200v, want %.200s", err, want)
	}
}

func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("k", 1<<15)
	for want, value := range map[string]property.Value{
		"[1]: the string is not UTF-8, which the other side does not understand": property.New([]property.Value{{}, property.New("\xff")}),
		"p: the string is not UTF-8, which the other side does not understand": property.New(map[string]property.Value{
			"p": property.New(&asset.Asset{Sig: sig.AssetSig, Text: "\xff"}),
		}),
		sig.Key + ": the key is reserved for signatures": property.New(map[string]property.Value{sig.Key: property.New("x")}),
		long[:1<<14-1] + ": the key is reserved for signatures": property.New(map[string]property.Value{
			long: property.New(map[string]property.Value{sig.Key: {}}),
		}),
	} {
		_, err := pvalue.EncodeValue(value, pvalue.Options{})
		want = strings.Replace(want, "kkk: ", "kkk."+sig.Key+": ", 1)
		checkError(t, err, want)
	}
}

// TestDepth nests every kind that nests.
func TestDepth(t *testing.T) {
	t.Parallel()
	for _, around := range [][2]string{
		{`[`, `]`}, {`{"a":`, `}`},
		{`{` + key + `"` + sig.Secret + `","value":`, `}`},
		{`{` + key + `"` + sig.OutputValue + `","value":`, `}`},
		{`{` + key + `"` + sig.ArchiveSig + `","assets":{"a":`, `}}`},
	} {
		wire := message(t, `{`+key+`"`+sig.ArchiveSig+`"}`)
		for range 1500 {
			wire = wrap(message(t, around[0]+`null`+around[1]), wire)
		}
		if _, err := pvalue.DecodeValue(wire, pvalue.Everything()); err == nil || !strings.HasSuffix(err.Error(), "the value is nested too deep") {
			t.Errorf("%s: %.200v", around[0], err)
		}
	}
	value := property.New("x")
	for range 1500 {
		value = property.New([]property.Value{value})
	}
	if _, err := pvalue.EncodeValue(value, pvalue.Everything()); err == nil || !strings.HasSuffix(err.Error(), "the value is nested too deep") {
		t.Errorf("encoded: %.200v", err)
	}
}

// wrap puts inner in the place of the null in outer.
func wrap(outer, inner *structpb.Value) *structpb.Value {
	switch kind := outer.GetKind().(type) {
	case *structpb.Value_NullValue:
		return inner
	case *structpb.Value_ListValue:
		kind.ListValue.Values[0] = inner
	case *structpb.Value_StructValue:
		for name, field := range kind.StructValue.GetFields() {
			kind.StructValue.Fields[name] = wrap(field, inner)
		}
	}
	return outer
}

// FuzzDecode checks that what is decoded is encoded into a message that means
// the same, and that encoding is stable.
func FuzzDecode(f *testing.F) {
	for _, test := range pairs() {
		wire := &structpb.Value{}
		if err := protojson.Unmarshal([]byte(`{"p":`+test.json+`}`), wire); err != nil {
			f.Fatal(err)
		}
		data, err := proto.Marshal(wire.GetStructValue())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		wire := &structpb.Struct{}
		if proto.Unmarshal(data, wire) != nil {
			return
		}
		decoded, err := pvalue.Decode(wire, pvalue.Everything())
		if err != nil {
			return
		}
		encoded, err := pvalue.Encode(decoded, pvalue.Everything())
		if err != nil {
			t.Fatalf("%v does not encode: %v", wire, err)
		}
		again, err := pvalue.Decode(encoded, pvalue.Everything())
		if err != nil {
			t.Fatalf("%v does not decode: %v", encoded, err)
		}
		if diff := compare(decoded, again); diff != "" {
			t.Errorf("(-first +second):\n%s", diff)
		}
	})
}
