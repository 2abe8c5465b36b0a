package lifecycle

import (
	"encoding/json"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

// The engine keeps a provider's configuration as strings: what is no string
// by its type stands in one as JSON, and there is no secret inside of another
// value.

// engineKeys are the engine's own among a provider's configuration.
func engineKeys() []string {
	return []string{"version", "pluginDownloadURL", "name", "parameterization"}
}

// withoutEngineKeys drops what is the engine's, unless the provider has a
// property of that name.
func withoutEngineKeys(o *mapping.Object, config property.Map) property.Map {
	for _, key := range engineKeys() {
		if o.Property(key) == nil {
			config = config.Delete(key)
		}
	}
	return config
}

// unfold reads values out of the strings that they stand in. Failures are
// strings that hold something else.
func unfold(o *mapping.Object, config property.Map) (property.Map, []Failure) {
	var failures []Failure
	members := config.AsMap()
	for name, v := range config.AllStable {
		p := o.Property(name)
		if p == nil || !v.IsString() || p.Type.Kind == mapping.KindString {
			continue
		}
		inner, ok := unfoldValue(p.Type, v.AsString())
		switch {
		case !ok:
			failures = append(failures, failure(config, property.PathFromSegments(pvalue.Key(name)),
				"The value is not JSON, as it must be for an array, a map or an object."))
		case inner.IsNull():
			delete(members, name)
		default:
			members[name] = inner.WithSecret(inner.Secret() || v.Secret()).WithDependencies(v.Dependencies())
		}
	}
	return property.NewMap(members), failures
}

// unfoldValue reads the JSON in a string. An empty string is no value; other
// text may stand for itself, or is refused as the number or bool that it is
// not, where its type is known.
func unfoldValue(t *mapping.Type, text string) (property.Value, bool) {
	if text == "" {
		return property.Value{}, true
	}
	var message structpb.Value
	if err := protojson.Unmarshal([]byte(text), &message); err != nil {
		return property.New(text), t.Kind == mapping.KindAny || t.Kind == mapping.KindNumber || t.Kind == mapping.KindBool
	}
	v, err := pvalue.DecodeValue(&message, pvalue.Everything())
	return v, err == nil
}

// fold puts values into strings, as the engine keeps them.
func fold(o *mapping.Object, config property.Map) (property.Map, error) {
	members := config.AsMap()
	for name, v := range members {
		p := o.Property(name)
		if p == nil || p.Type.Kind == mapping.KindString && v.IsString() {
			continue
		}
		folded, err := foldValue(v)
		if err != nil {
			return property.Map{}, err
		}
		members[name] = folded.WithSecret(v.HasSecrets()).WithDependencies(v.Dependencies())
	}
	return property.NewMap(members), nil
}

func foldValue(v property.Value) (property.Value, error) {
	switch {
	case v.HasComputed():
		return property.New(property.Computed), nil
	case v.IsNull():
		return property.New(""), nil
	}
	message, err := pvalue.EncodeValue(plain(v), pvalue.Everything())
	if err != nil {
		return property.Value{}, err
	}
	text, err := json.Marshal(message.AsInterface())
	return property.New(string(text)), err
}
