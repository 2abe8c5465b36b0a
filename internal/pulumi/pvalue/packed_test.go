package pvalue_test

import (
	"testing"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/sig"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// packed leaves the fields of a message in their encoded form.
func packed(data []byte) *structpb.Struct {
	message := &structpb.Struct{}
	message.ProtoReflect().SetUnknown(data)
	return message
}

// allOptions are those of any peer.
func allOptions() []pvalue.Options {
	var all []pvalue.Options
	for i := range 16 {
		all = append(all, pvalue.Options{Secrets: i&1 > 0, Resources: i&2 > 0, Outputs: i&4 > 0, ByteStrings: i&8 > 0})
	}
	return all
}

// checkPacked holds packed messages to those that are not.
func checkPacked(t *testing.T, data []byte) {
	t.Helper()
	var message structpb.Struct
	malformed := proto.Unmarshal(data, &message)
	for _, opts := range allOptions() {
		got, err := pvalue.Decode(packed(data), opts)
		if malformed != nil {
			if err == nil {
				t.Errorf("% x is read as %v", data, got)
			}
			continue
		}
		want, wantErr := pvalue.Decode(&message, opts)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("% x gives %v, and in messages %v", data, err, wantErr)
		}
		if err == nil && !sameBits(property.New(got), property.New(want)) {
			t.Errorf("% x is %v, and in messages %v", data, got, want)
		}
		if err == nil {
			checkPack(t, got)
		}
	}
}

// sameBits is Equals in which a NaN is itself.
func sameBits(a, b property.Value) bool {
	one, err := pvalue.EncodeValue(a, pvalue.Everything())
	if err != nil {
		return false
	}
	other, err := pvalue.EncodeValue(b, pvalue.Everything())
	return err == nil && proto.Equal(one, other)
}

func checkPack(t *testing.T, properties property.Map) {
	t.Helper()
	for _, opts := range allOptions() {
		message, err := pvalue.Pack(properties, opts)
		want, wantErr := pvalue.Encode(properties, opts)
		if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("%v gives %v, and in messages %v", properties, err, wantErr)
		}
		if err != nil {
			continue
		}
		data, err := proto.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		var got structpb.Struct
		if err := proto.Unmarshal(data, &got); err != nil || !proto.Equal(&got, want) {
			t.Errorf("%v is packed as %v, and written as %v: %v", properties, &got, want, err)
		}
	}
}

// TestPacked packs every kind of value, in values of every length.
func TestPacked(t *testing.T) {
	t.Parallel()
	for name, pair := range pairs() {
		for _, deep := range []property.Value{
			pair.value, property.New([]property.Value{pair.value, pair.value}), property.New(map[string]property.Value{"k": pair.value}), property.New("x"),
		} {
			data, err := proto.Marshal(must(pvalue.Encode(property.NewMap(map[string]property.Value{name: deep}), pvalue.Everything())))
			if err != nil {
				t.Fatal(err)
			}
			checkPacked(t, data)
		}
	}
	for _, length := range []int{0, 1, 100, 120, 127, 128, 129, 1 << 14, 1<<14 + 1, 1 << 21} {
		text := property.New(string(make([]byte, length)))
		checkPack(t, property.NewMap(map[string]property.Value{"a": text.WithSecret(true), "b": property.New([]property.Value{text})}))
	}
}

func must(message *structpb.Struct, err error) *structpb.Struct {
	if err != nil {
		panic(err)
	}
	return message
}

// TestUsualIsPacked holds that usual values stay without messages.
func TestUsualIsPacked(t *testing.T) {
	t.Parallel()
	usual := property.NewMap(map[string]property.Value{
		"s": property.New("x"), "n": property.New(1.5), "b": property.New(true), "null": {}, "unknown": computed(),
		"secret": property.New([]property.Value{property.New("x")}).WithSecret(true), "map": property.New(map[string]property.Value{"k": property.New("v").WithSecret(true)}),
	})
	message, err := pvalue.Pack(usual, pvalue.Everything())
	if err != nil || len(message.GetFields()) > 0 || len(message.ProtoReflect().GetUnknown()) == 0 {
		t.Errorf("got %v, %v", message, err)
	}
	if back, err := pvalue.Decode(message, pvalue.Everything()); err != nil || !property.New(back).Equals(property.New(usual)) {
		t.Errorf("got %v, %v", back, err)
	}
}

// FuzzPacked reads arbitrary bytes.
func FuzzPacked(f *testing.F) {
	for name, pair := range pairs() {
		message, err := pvalue.Encode(property.NewMap(map[string]property.Value{name: pair.value}), pvalue.Everything())
		if err != nil {
			f.Fatal(err)
		}
		data, err := proto.Marshal(message)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("\x0a\x07\x0a\x01a\x12\x02\x08\x01"))
	f.Add([]byte("\x0a\x07\x0a\x01a\x12\x02\x20\x02\x0a\x07\x0a\x01a\x12\x02\x20\x01"))
	f.Add([]byte("\x0a\x2a\x0a\x20" + sig.Key + "\x12\x06\x1a\x04none"))
	f.Fuzz(func(t *testing.T, data []byte) { checkPacked(t, data) })
}
