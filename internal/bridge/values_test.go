package bridge

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
)

func TestTimeout(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[float64]time.Duration{
		0: 0, -1: 0, 1.5: 1500 * time.Millisecond, 1e300: math.MaxInt64, math.Inf(1): math.MaxInt64, math.Inf(-1): 0,
	} {
		if got := timeout(seconds); got != want {
			t.Errorf("%g s is %s, want %s", seconds, got, want)
		}
	}
	if got := timeout(math.NaN()); got != 0 {
		t.Errorf("NaN is %s", got)
	}
}

func TestResource(t *testing.T) {
	t.Parallel()
	for urn, want := range map[string]lifecycle.Resource{
		"urn:pulumi:dev::test::time:index/sleep:Sleep::wait":                {Token: "time:index/sleep:Sleep", Name: "wait"},
		"urn:pulumi:dev::test::my:index:Part$time:index/sleep:Sleep::a::b$": {Token: "time:index/sleep:Sleep", Name: "a::b$"},
		"urn:pulumi:dev::test": {},
		"":                     {},
	} {
		want.URN = urn
		if diff := cmp.Diff(want, resource(&pulumirpc.CheckRequest{Urn: urn})); diff != "" {
			t.Error(diff)
		}
	}
	said := &pulumirpc.CheckRequest{Urn: "urn:pulumi:dev::test::a:b:C::d", Type: "e:f:G", Name: "h"}
	if diff := cmp.Diff(lifecycle.Resource{URN: said.GetUrn(), Token: "e:f:G", Name: "h"}, resource(said)); diff != "" {
		t.Error(diff)
	}
}

// TestErrors turns every kind of error into what the engine understands.
func TestErrors(t *testing.T) {
	t.Parallel()
	b := &bridge{engine: &pserve.Host{}}
	outputs := property.NewMap(map[string]property.Value{"password": property.New("x").WithSecret(true)})
	failure := diag.Errorf("XX0001", "It failed", "For a reason")
	for name, test := range map[string]struct {
		err  error
		code codes.Code
		text string
	}{
		"diagnostic":      {failure, codes.FailedPrecondition, "It failed: For a reason"},
		"several":         {errors.Join(failure, failure), codes.FailedPrecondition, "It failed: For a reason\nIt failed: For a reason"},
		"plain":           {errors.New("disk full"), codes.FailedPrecondition, "The bridge failed: disk full"},
		"unknown outcome": {&lifecycle.UnknownOutcomeError{Err: failure}, codes.Unknown, "It failed: For a reason"},
		"unknown type":    {&mapping.UnknownTokenError{Package: "p", What: "resource", Token: "a", Near: []string{"b"}}, codes.NotFound, `package "p" has no resource "a". Did you mean "b"?`},
		"unknown method":  {&lifecycle.UnknownTokenError{What: "method", Token: "a"}, codes.NotFound, `The package has no method "a".`},
		"missing keys":    {&lifecycle.MissingKeysError{Keys: []lifecycle.MissingKey{{Name: "region"}}}, codes.InvalidArgument, "The provider's configuration lacks region."},
		"init failed":     {&lifecycle.InitFailedError{ID: "i", Outputs: outputs, Reasons: []string{"late", "wrong"}}, codes.Unknown, "late\nwrong"},
	} {
		got := status.Convert(b.failed(test.err))
		if got.Code() != test.code || got.Message() != test.text {
			t.Errorf("%s: got %s: %q", name, got.Code(), got.Message())
		}
	}
	if err := b.failed(nil); err != nil {
		t.Errorf("got %v", err)
	}
}

// TestErrorDetails has the engine ask for configuration, and keep a resource
// that failed on its way.
func TestErrorDetails(t *testing.T) {
	t.Parallel()
	b := &bridge{engine: &pserve.Host{}}
	secret := property.NewMap(map[string]property.Value{"password": property.New("x").WithSecret(true)})
	encoded, err := pvalue.Encode(secret, pvalue.Everything())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		err  error
		want proto.Message
	}{
		{
			&lifecycle.MissingKeysError{Keys: []lifecycle.MissingKey{{Name: "region", Description: "Where."}}},
			&pulumirpc.ConfigureErrorMissingKeys{MissingKeys: []*pulumirpc.ConfigureErrorMissingKeys_MissingKey{{Name: "region", Description: "Where."}}},
		},
		{
			&lifecycle.InitFailedError{ID: "i", Outputs: secret, Inputs: secret, Reasons: []string{"late", "wrong"}},
			&pulumirpc.ErrorResourceInitFailed{Id: "i", Properties: encoded, Inputs: encoded, Reasons: []string{"late", "wrong"}},
		},
	} {
		details := status.Convert(b.failed(test.err)).Details()
		if len(details) != 1 {
			t.Fatalf("%d details", len(details))
		}
		if diff := cmp.Diff(test.want, details[0], protocmp.Transform()); diff != "" {
			t.Error(diff)
		}
	}
}

// TestPlainSecrets answers an engine that takes no secrets.
func TestPlainSecrets(t *testing.T) {
	t.Parallel()
	b := &bridge{engine: &pserve.Host{}}
	b.plain.Store(true)
	message, err := b.encode(property.NewMap(map[string]property.Value{"password": property.New("x").WithSecret(true)}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := pvalue.Decode(message, pvalue.Everything())
	if v := got.Get("password"); err != nil || v.Secret() || v.AsString() != "x" {
		t.Errorf("got %v, %v", got, err)
	}
	_, err = b.encode(property.NewMap(map[string]property.Value{"bytes": property.New("\xff")}))
	if status.Code(err) != codes.Unknown {
		t.Errorf("got %v", err)
	}
}
