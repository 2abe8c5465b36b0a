package lifecycle_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

const leaseToken = "test:index/getEphemeralLease:getEphemeralLease"

// leased makes a fake whose leases are called a, b, …, each to be renewed
// after a minute so many times.
func leased(f *fake, renewals int, log *[]string) {
	value := cty.ObjectVal(map[string]cty.Value{"value": cty.StringVal("v")})
	opened := 0
	f.opened = func() (tfprovider.EphemeralResponse, diag.List) {
		opened++
		return tfprovider.EphemeralResponse{
			Result: value, Private: []byte{byte('a' + opened - 1)}, RenewAt: time.Now().Add(time.Minute),
		}, nil
	}
	f.renewed = func(private []byte) (tfprovider.EphemeralResponse, diag.List) {
		f.mu.Lock()
		defer f.mu.Unlock()
		*log = append(*log, string(private))
		resp := tfprovider.EphemeralResponse{Private: append(private, '+')}
		if len(resp.Private) <= renewals {
			resp.RenewAt = time.Now().Add(time.Minute)
		}
		return resp, nil
	}
}

// TestEphemeralLease keeps ephemeral resources open until the end, and
// renews them when they are due.
func TestEphemeralLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var renewed []string
		f := newFake()
		leased(f, 3, &renewed)
		w := faked(t, f)
		for range 2 {
			got, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: leaseToken})
			if err != nil || !got.Return.Equals(props(object{"value": secret("v")})) {
				t.Errorf("got %#v, %v", got, err)
			}
			time.Sleep(30 * time.Second)
		}
		time.Sleep(time.Hour)
		must(t, w.Close(t.Context()))
		must(t, w.Close(t.Context()))
		if d := cmp.Diff([]string{"a", "b", "a+", "b+", "a++", "b++"}, renewed); d != "" {
			t.Errorf("renewed (-want +got):\n%s", d)
		}
		if d := cmp.Diff([]string{"a+++", "b+++"}, f.closed); d != "" {
			t.Errorf("closed (-want +got):\n%s", d)
		}
		if _, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: leaseToken}); code(err) != "LC0001" {
			t.Errorf("after the end: %v", err)
		}
		if !slices.Contains(f.closed, "c") {
			t.Error("what was opened too late stays open")
		}
	})
}

// TestEphemeralFaults warns of a lease that runs out, and passes on others.
func TestEphemeralFaults(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var renewed []string
		f := newFake()
		leased(f, 3, &renewed)
		f.renewed = func([]byte) (tfprovider.EphemeralResponse, diag.List) { return tfprovider.EphemeralResponse{}, said() }
		w := faked(t, f)
		_, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: leaseToken})
		must(t, err)
		time.Sleep(time.Hour)
		if d := cmp.Diff([]string{"LC0002"}, w.log.codes()); d != "" {
			t.Errorf("warnings (-want +got):\n%s", d)
		}
		must(t, w.Close(t.Context()))
		f.opened = func() (tfprovider.EphemeralResponse, diag.List) { return tfprovider.EphemeralResponse{}, said() }
		if _, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: leaseToken}); code(err) != tfprovider.CodeProvider {
			t.Errorf("got %v", err)
		}
		f.opened = func() (tfprovider.EphemeralResponse, diag.List) {
			return tfprovider.EphemeralResponse{Deferred: tfprovider.DeferredProviderConfig}, nil
		}
		if _, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: leaseToken}); code(err) != "LC0006" {
			t.Errorf("got %v", err)
		}
	})
}

// TestConfigure configures once, and names what is missing.
func TestConfigure(t *testing.T) {
	t.Parallel()
	w := faked(t, newFake())
	checked, err := w.CheckConfig(t.Context(), lifecycle.ConfigRequest{News: props(object{"name": p("engine's own")})})
	must(t, err)
	refused(t, checked.Failures, "region", "pulumi config set test:region VALUE")
	err = w.Configure(t.Context(), props(object{"tags": p(`{"a": "b"}`)}))
	missing, ok := err.(*lifecycle.MissingKeysError) //nolint:errorlint // it is not wrapped
	if !ok || len(missing.Keys) != 1 || missing.Keys[0].Name != "region" {
		t.Errorf("got %v", err)
	}
	if _, err := w.Call(t.Context(), lifecycle.CallRequest{Token: "pulumi:providers:test/terraformConfig"}); code(err) != "LC0018" {
		t.Errorf("got %v", err)
	}
	must(t, w.Configure(t.Context(), props(object{"region": p("r"), "tags": p(`{"a": {"4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", "value": "b"}}`)})))
	resp, err := w.Call(t.Context(), lifecycle.CallRequest{Token: "pulumi:providers:test/terraformConfig"})
	must(t, err)
	want := props(object{"result": p(object{"region": secret("r"), "tags": secret(property.NewMap(object{"a": p("b")}))})})
	if !resp.Return.Equals(want) {
		t.Errorf("got %#v", resp.Return)
	}
	must(t, w.Cancel(t.Context()))
}
