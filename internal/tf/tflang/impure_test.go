package tflang

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

func TestClockFunctions(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 5, 6, 9, 8, 9, 0, time.FixedZone("", 7200))
	ctx := testContext(t, NewHost(moduleDir, at))
	for _, src := range []string{"plantimestamp()", "timestamp()", "core::timestamp()"} {
		v, ok := evalText(t, ctx, src)
		if got := render(t, v, ok); got != `"2024-05-06T07:08:09Z"` {
			t.Errorf("%s = %s", src, got)
		}
	}
}

func TestProofLeavesImpureUnknown(t *testing.T) {
	t.Parallel()
	h := NewHost(moduleDir, time.Time{})
	h.Proof = true
	ctx := testContext(t, h)
	for _, src := range []string{"plantimestamp()", "timestamp()", "uuid()", `bcrypt("x")`, "core::uuid()", `"a-${uuid()}"`} {
		v, ok := evalText(t, ctx, src)
		if !ok || v.IsKnown() || v.Type() != cty.String {
			t.Errorf("%s = %#v, %t; want an unknown string", src, v, ok)
		}
	}
}

// TestProofHasATime: within one plan plantimestamp is known.
func TestProofHasATime(t *testing.T) {
	t.Parallel()
	h := NewHost(moduleDir, time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC))
	h.Proof = true
	v, ok := evalText(t, testContext(t, h), "plantimestamp()")
	if got := render(t, v, ok); got != `"2024-05-06T07:08:09Z"` {
		t.Error(got)
	}
}

func TestRSADecrypt(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	cipher, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte("secret words")) //nolint:staticcheck // what rsadecrypt decrypts
	if err != nil {
		t.Fatal(err)
	}
	text := cty.StringVal(base64.StdEncoding.EncodeToString(cipher))
	private := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	f := Functions(Host{})["rsadecrypt"]
	got, err := f.Call([]cty.Value{text, cty.StringVal(string(private)).Mark(Sensitive)})
	if err != nil || !got.RawEquals(cty.StringVal("secret words").Mark(Sensitive)) {
		t.Errorf("rsadecrypt = %#v, %v", got, err)
	}
	for _, bad := range [][]cty.Value{
		{cty.StringVal("%"), cty.StringVal(string(private))},
		{text, cty.StringVal("no key at all")},
		{cty.StringVal("aGk="), cty.StringVal(string(private))},
	} {
		_, err := f.Call(bad)
		if err == nil || strings.Contains(err.Error(), "PRIVATE") || strings.Contains(err.Error(), "no key at all") {
			t.Errorf("error = %v; want one that quotes no key", err)
		}
	}
}

func TestMarksReachResults(t *testing.T) {
	t.Parallel()
	ctx := testContext(t, NewHost(moduleDir, time.Now()))
	for src, sensitive := range map[string]bool{
		`upper(sensitive("a"))`:                              true,
		`"x${sensitive("a")}"`:                               true,
		`lookup({ a = sensitive("s"), b = "t" }, "b")`:       false,
		`lookup({ a = sensitive("s"), b = "t" }, "a")`:       true,
		`lookup(sensitive({ b = "t" }), "b")`:                true,
		`length([sensitive("a")])`:                           false,
		`length(sensitive(["a"]))`:                           true,
		`nonsensitive(sensitive("a"))`:                       false,
		`tomap({ a = sensitive("s") })`:                      true,
		`templatestring("$${a}", { a = sensitive("s") })`:    true,
		`sensitive(true) ? 1 : 2`:                            true,
		`file(sensitive("sub/a.txt"))`:                       true,
		`cidrhost(sensitive("10.0.0.0/8"), 1)`:               true,
		`try(sensitive("a"), "b")`:                           true,
		`jsonencode({ a = sensitive("s") })`:                 true,
		`[for x in [sensitive("a"), "b"] : x][1]`:            false,
		`ephemeralasnull(sensitive("a"))`:                    true,
		`core::templatestring("$${a}", { a = sensitive(1)})`: true,
	} {
		v, ok := evalText(t, ctx, src)
		if !ok || Has(v, Sensitive) != sensitive {
			t.Errorf("%s: ok %t, sensitive %t; want %t", src, ok, Has(v, Sensitive), sensitive)
		}
	}
}

func TestSensitiveInputIsNotQuoted(t *testing.T) {
	t.Parallel()
	ctx := testContext(t, NewHost(moduleDir, time.Now()))
	for _, src := range []string{
		`tonumber(sensitive("hunter2"))`, `base64decode(sensitive("hunter2"))`, `file(sensitive("hunter2"))`,
		`lookup({ a = 1 }, sensitive("hunter2"))`, `lookup(tomap({ a = 1 }), sensitive("hunter2"))`,
		`filemd5(sensitive("hunter2"))`, `templatefile(sensitive("hunter2"), {})`, `jsondecode(sensitive("hunter2"))`,
		`fileexists(sensitive("~hunter2/x"))`, `parseint(sensitive("hunter2"), 10)`, `timeadd(sensitive("hunter2"), "1h")`,
		`cidrhost(sensitive("hunter2"), 1)`, `cidrnetmask(sensitive("hunter2"))`, `uuidv5(sensitive("hunter2"), "x")`,
		`timecmp(sensitive("hunter2"), "x")`, `urldecode(sensitive("%hunter2"))`, `yamldecode(sensitive("*hunter2"))`,
	} {
		expr := mustParse(t, src)
		_, diags := Eval(expr, ctx, cty.DynamicPseudoType)
		if !diags.HasErrors() || strings.Contains(diags.Err().Error(), "hunter2") {
			t.Errorf("%s: %v; want an error without the value", src, diags.Err())
		}
	}
}

func TestEphemeralAsNull(t *testing.T) {
	t.Parallel()
	in := cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x").Mark(Ephemeral), "b": cty.StringVal("y")})
	got, err := Functions(Host{})["ephemeralasnull"].Call([]cty.Value{in})
	want := cty.ObjectVal(map[string]cty.Value{"a": cty.NullVal(cty.String), "b": cty.StringVal("y")})
	if err != nil || !got.RawEquals(want) {
		t.Errorf("got %#v, %v", got, err)
	}
}

func TestProviderFunction(t *testing.T) {
	t.Parallel()
	sig := &tfschema.Function{
		Name: "join", Return: cty.String,
		Parameters: []*tfschema.Parameter{{Name: "sep", Type: cty.String}},
		Variadic:   &tfschema.Parameter{Name: "parts", Type: cty.String, AllowNull: true},
	}
	calls := 0
	f := LazyFunction(func() (function.Function, error) {
		calls++
		return ProviderFunction(sig, func(args []cty.Value) (cty.Value, error) {
			var parts []string
			for _, a := range args[1:] {
				if a.IsNull() {
					return cty.NilVal, function.NewArgErrorf(1, "null part")
				}
				parts = append(parts, a.AsString())
			}
			return cty.StringVal(strings.Join(parts, args[0].AsString())), nil
		}), nil
	})
	ctx := testContext(t, NewHost(moduleDir, time.Now()))
	ctx.Functions["provider::x::join"] = f
	ctx.Functions["provider::x::gone"] = LazyFunction(func() (function.Function, error) { return f, errors.New("no provider") })
	var got []string
	for _, src := range []string{
		`provider::x::join("-", "a", 1)`, `provider::x::join("-")`, `provider::x::join(null)`,
		`provider::x::join("-", null)`, `provider::x::gone("-")`, `provider::x::join("-", uuid())`,
	} {
		v, ok := evalText(t, ctx, src)
		if strings.Contains(src, "uuid") {
			v = cty.StringVal("called")
		}
		got = append(got, render(t, v, ok))
	}
	if diff := cmp.Diff([]string{`"a-1"`, `""`, "error", "error", "error", `"called"`}, got); diff != "" {
		t.Error(diff)
	}
	if v, ok := evalText(t, ctx, `provider::x::join("-", sensitive("a"))`); !ok || !Has(v, Sensitive) {
		t.Errorf("marks are lost: %#v", v)
	}
	if calls != 1 {
		t.Errorf("the signature was fetched %d times", calls)
	}
}
