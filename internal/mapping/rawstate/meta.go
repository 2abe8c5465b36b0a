package rawstate

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
)

// Meta is what Terraform keeps with an object beside its attributes.
type Meta struct {
	// SchemaVersion is that of the schema under which the state was written.
	SchemaVersion int64
	// Private is the provider's own.
	Private []byte
	// Identity is a JSON object under the identity schema of that version;
	// nil where the provider gave none. Pulumi's own bridge passes over it.
	Identity        json.RawMessage
	IdentityVersion int64
}

// metaText is the JSON in the string under MetaKey. Versions are strings of
// decimal digits, and a version of 0 is left out.
type metaText struct {
	// Fields in the order of their names, in which others write them.
	Identity        json.RawMessage `json:"identity,omitempty"`
	IdentityVersion string          `json:"identity_schema_version,omitempty"`
	Private         string          `json:"private_state,omitempty"`
	SchemaVersion   string          `json:"schema_version,omitempty"`
}

// text is "" where there is nothing to say.
func (m Meta) text() string {
	t := metaText{
		Identity: m.Identity, IdentityVersion: formatVersion(m.IdentityVersion),
		Private: base64.StdEncoding.EncodeToString(m.Private), SchemaVersion: formatVersion(m.SchemaVersion),
	}
	data, err := json.Marshal(t)
	if err != nil || string(data) == "{}" { // only an identity that is no JSON gives an error
		return ""
	}
	return string(data)
}

func formatVersion(version int64) string {
	if version == 0 {
		return ""
	}
	return strconv.FormatInt(version, 10)
}

// parseMeta reads the value under MetaKey; null is the zero Meta.
func parseMeta(v property.Value) (Meta, error) {
	if v.IsNull() {
		return Meta{}, nil
	}
	if !v.IsString() {
		return Meta{}, errors.New("it is no string")
	}
	var t metaText
	if err := json.Unmarshal([]byte(v.AsString()), &t); err != nil {
		return Meta{}, errors.New("the string is not the JSON that is expected") // the error may hold private bytes
	}
	return t.meta()
}

func (t metaText) meta() (Meta, error) {
	version, err := parseVersion(t.SchemaVersion)
	if err != nil {
		return Meta{}, fmt.Errorf("schema_version is %w", err)
	}
	identityVersion, err := parseVersion(t.IdentityVersion)
	if err != nil {
		return Meta{}, fmt.Errorf("identity_schema_version is %w", err)
	}
	private, err := base64.StdEncoding.DecodeString(t.Private)
	if err != nil {
		return Meta{}, errors.New("private_state is not in base64")
	}
	if len(private) == 0 {
		private = nil
	}
	if string(t.Identity) == "null" {
		t.Identity = nil
	}
	return Meta{SchemaVersion: version, Private: private, Identity: t.Identity, IdentityVersion: identityVersion}, nil
}

func parseVersion(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	version, err := strconv.ParseInt(text, 10, 64)
	if err != nil || version < 0 {
		return 0, errors.New("no version")
	}
	return version, nil
}
