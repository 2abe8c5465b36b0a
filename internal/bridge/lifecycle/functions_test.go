package lifecycle_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/testkit/estate"
)

func (w world) invoke(t testing.TB, token string, args object) lifecycle.InvokeResponse {
	t.Helper()
	resp, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: token, Args: wired(t, props(args))})
	must(t, err)
	resp.Return = wired(t, resp.Return)
	return resp
}

func TestDataSource(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const token = "test:index/getNetwork:getNetwork"
			w := start(t, name, estate.Options{})
			net := w.create(t, networkToken, object{"name": p("n"), "cidr": p("10.0.0.0/8")})
			got := w.invoke(t, token, object{"name": secret("n")}).Return
			if !got.Get("id").Equals(p(net.id)) || !got.Get("cidr").Equals(p("10.0.0.0/8")) || !got.Get("name").Equals(secret("n")) {
				t.Errorf("got %#v", got)
			}
			got = w.invoke(t, token, object{"name": unknown().WithSecret(true)}).Return
			if !got.Get("cidr").IsComputed() || got.Get("cidr").Secret() || !got.Get("name").Secret() {
				t.Errorf("of an unknown name: %#v", got)
			}
			failures := w.invoke(t, token, object{"nam": p("n")}).Failures
			refused(t, failures, "nam", `Did you mean "name"?`, "name", "Missing required property.")
			_, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: token, Args: props(object{"name": p("another")})})
			if err == nil || !strings.Contains(err.Error(), "another") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestProviderFunctions(t *testing.T) {
	t.Parallel()
	const parse, build = "test:index/arnParse:arnParse", "test:index/arnBuild:arnBuild"
	w := start(t, "estate", estate.Options{})
	got := w.invoke(t, parse, object{"arn": p("arn:a:b:c:d:e:f")}).Return
	want := object{"partition": p("a"), "service": p("b"), "region": p("c"), "account": p("d"), "resource": p("e:f")}
	if !got.Equals(props(want)) {
		t.Errorf("got %#v", got)
	}
	if got := w.invoke(t, parse, object{"arn": unknown()}).Return; !got.Get("region").IsComputed() || got.HasSecrets() {
		t.Errorf("of an unknown: %#v", got)
	}
	if got := w.invoke(t, parse, object{"arn": unknown().WithSecret(true)}).Return; !got.Get("region").IsComputed() || !got.Get("region").Secret() {
		t.Errorf("of an unknown secret: %#v", got)
	}
	got = w.invoke(t, build, object{"service": p("s"), "part": p(array{p("x"), {}, p("y")})}).Return
	if !got.Equals(props(object{"result": p("arn:estate:s:::x/y")})) {
		t.Errorf("got %#v", got)
	}
	got = w.invoke(t, build, object{"service": secret("s")}).Return
	if !got.Equals(props(object{"result": secret("arn:estate:s:::")})) {
		t.Errorf("got %#v", got)
	}
	_, err := w.Invoke(t.Context(), lifecycle.InvokeRequest{Token: parse, Args: props(object{"arn": p("x")})})
	if err == nil || !strings.HasPrefix(err.Error(), "arn: Function arn_parse failed: not an ARN") {
		t.Errorf("got %v", err)
	}
	if got := w.invoke(t, build, object{}).Failures; len(got) != 1 || got[0].Property != "service" {
		t.Errorf("got %+v", got)
	}
}

func TestEphemeral(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	got := w.invoke(t, "test:index/getEphemeralToken:getEphemeralToken", object{"audience": p("a")}).Return
	unknown := w.invoke(t, "test:index/getEphemeralToken:getEphemeralToken", object{"audience": unknown()}).Return
	for name, v := range got.All {
		if again := unknown.Get(name); !v.Secret() || !again.Secret() || !again.IsComputed() {
			t.Errorf("%s is not secret: %#v, and unknown %#v", name, v, again)
		}
	}
	if text(got.Get("token")) == "" || got.Len() != 3 {
		t.Errorf("got %#v", got)
	}
}

func TestTerraformConfig(t *testing.T) {
	t.Parallel()
	w := start(t, "classic", estate.Options{})
	resp, err := w.Call(t.Context(), lifecycle.CallRequest{Token: "pulumi:providers:test/terraformConfig"})
	must(t, err)
	if !resp.Return.Equals(props(object{"result": p(object{})})) {
		t.Errorf("got %#v", resp.Return)
	}
	_, err = w.Call(t.Context(), lifecycle.CallRequest{Token: "pulumi:providers:test/terraformConfi"})
	if err == nil || !strings.Contains(err.Error(), `Did you mean "pulumi:providers:test/terraformConfig"?`) {
		t.Errorf("got %v", err)
	}
}

// TestList pages through what exists, whether the list still stands or is
// begun anew, and imports what it finds.
func TestList(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{Seed: estate.SeedOptions{Objects: 100}})
	list := func(req lifecycle.ListRequest) lifecycle.ListResponse {
		t.Helper()
		resp, err := w.List(t.Context(), req)
		must(t, err)
		return resp
	}
	all := list(lifecycle.ListRequest{Token: subnetToken, PageSize: 1000})
	if len(all.Results) < 5 || all.Continuation != "" || len(all.Results) != w.estate.Store.Count("subnets") {
		t.Fatalf("got %+v", all)
	}
	var got []lifecycle.Listed
	req := lifecycle.ListRequest{Token: subnetToken, PageSize: 2}
	for {
		one := list(req)
		if again := list(req); !cmp.Equal(one, again) { // the list is gone: it begins anew
			t.Errorf("a page again (-first +second):\n%s", cmp.Diff(one, again))
		}
		if got = append(got, one.Results...); one.Continuation == "" {
			break
		}
		req.Continuation = one.Continuation
	}
	if d := cmp.Diff(all.Results, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	limited := list(lifecycle.ListRequest{Token: subnetToken, PageSize: 2, Limit: 3})
	for _, limit := range []int64{3, 1, 0} { // pulumi counts down
		rest := list(lifecycle.ListRequest{Token: subnetToken, PageSize: 2, Limit: limit, Continuation: limited.Continuation})
		if len(limited.Results) != 2 || len(rest.Results) != 1 || rest.Continuation != "" {
			t.Errorf("limited: %+v and %+v", limited, rest)
		}
	}
	w.unchanged(t, w.imported(t, subnetToken, all.Results[0].ID))

	query := props(object{"networkId": p("none")})
	if got := list(lifecycle.ListRequest{Token: subnetToken, Query: query}); len(got.Results) > 0 {
		t.Errorf("got %+v", got)
	}
	if got := list(lifecycle.ListRequest{Token: subnetToken, Query: props(object{"networkId": unknown()})}); !got.Computed {
		t.Errorf("got %+v", got)
	}
	for want, req := range map[string]lifecycle.ListRequest{
		"LC0015": {Token: userToken},
		"LC0016": {Token: subnetToken, Query: query, Continuation: limited.Continuation},
		"LC0021": {Token: subnetToken, Query: props(object{"network": p("none")})},
	} {
		if _, err := w.List(t.Context(), req); code(err) != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestImportIDs imports by plain, composite and identity IDs.
func TestImportIDs(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	record := w.create(t, recordToken, object{
		"zone": p("z"), "name": p("n"), "type": p("A"), "values": p(array{p("1.2.3.4")}),
	})
	for _, id := range []string{record.id, `{"zone":"z", "name":"n", "type":"A"}`} {
		got := w.imported(t, recordToken, id)
		if got.id != record.id {
			t.Errorf("%s became %s", id, got.id)
		}
		w.unchanged(t, got)
	}
	for id, want := range map[string]string{`{"zone":"z"}`: "LC0014", `{"zone":"z","name":"n","type":1,"x":2}`: "LC0014"} {
		_, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: resource(recordToken), ID: id})
		if code(err) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
	gone, err := w.Read(t.Context(), lifecycle.ReadRequest{Resource: resource(networkToken), ID: "nobody"})
	if err != nil || gone.ID != "" {
		t.Errorf("got %+v, %v", gone, err)
	}
}

func TestConfig(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	news := props(object{
		"token": p("t"), "maxRetries": p("3"), "version": p("1.0.0"), "endpoint": property.New(property.Computed),
	})
	checked, err := w.CheckConfig(t.Context(), lifecycle.ConfigRequest{News: news})
	must(t, err)
	want := props(object{
		"token": secret("t"), "maxRetries": p("3"), "version": p("1.0.0"), "endpoint": unknown(),
	})
	if !checked.Inputs.Equals(want) || len(checked.Failures) > 0 {
		t.Errorf("got %#v", checked)
	}
	for value, want := range map[string][2]string{
		`{"tokn": "t"}`:         {"tokn", `Did you mean "token"?`},
		`{"maxRetries": "{"}`:   {"maxRetries", "Expected a number, got a string that is none."},
		`{"maxRetries": "[1]"}`: {"maxRetries", "Expected a number, got an array."},
	} {
		checked, err := w.CheckConfig(t.Context(), lifecycle.ConfigRequest{News: fromJSON(t, value)})
		must(t, err)
		refused(t, checked.Failures, want[0], want[1])
	}
	for want, a := range map[string]*asset.Asset{"a/b": {Path: "a/b", Hash: "x"}, "/assets/text": {Text: "text"}} {
		checked, err := w.CheckConfig(t.Context(), lifecycle.ConfigRequest{News: props(object{"token": property.New(a)})})
		if err != nil || !checked.Inputs.Get("token").Equals(secret(want)) {
			t.Errorf("got %#v, %v", checked, err)
		}
	}
	checked, err = w.CheckConfig(t.Context(), lifecycle.ConfigRequest{News: props(object{"token": property.New(&archive.Archive{})})})
	must(t, err)
	refused(t, checked.Failures, "token", "cannot be made one: no room.")
	diff, err := w.DiffConfig(t.Context(), lifecycle.ConfigRequest{
		Olds: props(object{"token": p("t"), "maxRetries": p("3"), "version": p("1")}),
		News: props(object{"token": secret("t"), "maxRetries": p("4"), "endpoint": p("e"), "version": p("2")}),
	})
	must(t, err)
	wantDiff := lifecycle.DiffResponse{
		Changed:  []string{"endpoint", "maxRetries"},
		Detailed: map[string]lifecycle.PropertyDiff{"endpoint": {Kind: add, Input: true}, "maxRetries": {Kind: update, Input: true}},
	}
	if d := cmp.Diff(wantDiff, diff); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := w.Configure(t.Context(), property.Map{}); code(err) != "LC0017" {
		t.Errorf("configured twice: %v", err)
	}
}
