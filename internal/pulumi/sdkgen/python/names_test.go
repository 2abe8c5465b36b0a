package python

import (
	"testing"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{snake("publicKeyFingerprintMd5"), "public_key_fingerprint_md5"},
		{snake("baseRfc3339"), "base_rfc3339"},
		{snake("useHTTPServer"), "use_http_server"},
		{snake("ID"), "id"},
		{snake("from"), "from_"},
		{snake("a.b-c"), "a_b_c"},
		{snake("2fa"), "_2fa"},
		{snake("_private"), "_private"},
		{pascal("getCertificate"), "GetCertificate"},
		{pascal("None"), "None_"},
		{constant("Color", pschema.EnumValue{Value: "blue-green"}), "BLUE_GREEN"},
		{constant("Color", pschema.EnumValue{Name: "very  high!", Value: 1.0}), "VERY_HIGH"},
		{constant("Color", pschema.EnumValue{Value: "*"}), "ASTERISK"},
		{constant("Color", pschema.EnumValue{Value: ""}), "EMPTY"},
		{constant("Color", pschema.EnumValue{Value: -10.0}), "COLOR_10"},
		{constant("Color", pschema.EnumValue{Value: "##"}), "COLOR"},
		{quote("it's\na \\ tab\t\x7f"), `'it\'s\na \\ tab\x09\x7f'`},
		{pythonVersion("1.2.3-alpha.4"), "1.2.3a4"},
		{pythonVersion("1.2.3-rc.1+sha-1"), "1.2.3rc1+sha.1"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
