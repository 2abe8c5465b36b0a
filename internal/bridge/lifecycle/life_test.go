package lifecycle_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// The tokens of the estate's types, which are the same over both protocols.
const (
	networkToken  = "test:index/network:Network"
	subnetToken   = "test:index/subnet:Subnet"
	groupToken    = "test:index/securityGroup:SecurityGroup"
	instanceToken = "test:index/instance:Instance"
	userToken     = "test:index/dbUser:DbUser"
	bucketToken   = "test:index/bucket:Bucket"
	recordToken   = "test:index/dnsRecord:DnsRecord"
)

// kinds of difference, for tables.
const (
	add     = lifecycle.DiffAdd
	remove  = lifecycle.DiffDelete
	update  = lifecycle.DiffUpdate
	replace = lifecycle.DiffUpdateReplace
)

func kinds(diff lifecycle.DiffResponse) map[string]lifecycle.DiffKind {
	out := map[string]lifecycle.DiffKind{}
	for path, d := range diff.Detailed {
		out[path] = d.Kind
	}
	return out
}

// TestLife takes a resource of each protocol through all that the engine asks
// for.
func TestLife(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, name, estate.Options{})
			net := w.create(t, networkToken, object{"cidr": p("10.0.0.0/8"), "tags": p(object{"a": p("1"), "b": p("2")})})
			if text(net.inputs.Get("name")) == "" || net.id == "" {
				t.Fatalf("got %+v", net)
			}
			w.unchanged(t, net)
			net = w.update(t, net, object{"cidr": p("10.0.0.0/8"), "mtu": p(9000.0), "tags": p(object{"a": p("3")})})
			if got := net.outputs.Get("mtu"); !got.Equals(p(9000.0)) {
				t.Errorf("mtu is %#v", got)
			}
			w.unchanged(t, net)

			_, diff := w.diff(t, net, object{"cidr": p("10.1.0.0/16"), "tags": p(object{"a": p("3"), "c": p("4")})})
			want := map[string]lifecycle.DiffKind{"cidr": replace, "mtu": remove, "tags.c": add}
			if d := cmp.Diff(want, kinds(diff)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if d := cmp.Diff([]string{"cidr"}, diff.Replaces); d != "" {
				t.Errorf("replaces (-want +got):\n%s", d)
			}

			again, there := w.refresh(t, net)
			if !there || !again.inputs.Equals(net.inputs) || !again.outputs.Equals(net.outputs) {
				t.Errorf("a refresh changed %#v\ninto %#v", net, again)
			}
			w.unchanged(t, w.imported(t, net.Token, net.id))
			w.delete(t, net)
			if _, there := w.refresh(t, net); there {
				t.Error("a deleted network is still there")
			}
		})
	}
}

// TestDrift refreshes what others have changed: inputs follow where they are
// the program's, and the next difference undoes it.
func TestDrift(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	program := object{"name": p("n"), "cidr": p("10.0.0.0/8"), "tags": p(object{"a": p("1")})}
	net := w.create(t, networkToken, program)
	drifted, err := w.estate.Store.Get("networks", net.id)
	must(t, err)
	for _, computed := range []string{"id", "arn", "created_at"} {
		delete(drifted, computed)
	}
	drifted["mtu"], drifted["tags"] = 1400.0, estate.Object{"a": "2", "b": "3"}
	_, err = w.estate.Store.Update("networks", net.id, drifted)
	must(t, err)
	net, _ = w.refresh(t, net)
	want := object{"name": p("n"), "cidr": p("10.0.0.0/8"), "tags": p(object{"a": p("2"), "b": p("3")})}
	if !net.inputs.Equals(props(want)) {
		t.Errorf("inputs are %#v", net.inputs)
	}
	_, diff := w.diff(t, net, program)
	if d := cmp.Diff(map[string]lifecycle.DiffKind{"mtu": update, "tags.a": update, "tags.b": remove}, kinds(diff)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestSecrets keeps what is secret by its schema, and what the program says
// is, and shows no write-only value.
func TestSecrets(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	user := w.create(t, userToken, object{
		"name": p("u"), "passwordWo": p("write only"), "passwordWoVersion": p(1.0),
		"settings": p(object{"role": secret("keeper"), "zone": p("a")}),
	})
	if !user.inputs.Get("passwordWo").Secret() {
		t.Error("the write-only input is not secret")
	}
	if _, ok := user.outputs.GetOk("passwordWo"); ok {
		t.Error("the write-only value is among the outputs")
	}
	settings := user.outputs.Get("settings")
	if settings.IsMap() && !settings.Secret() && (!settings.AsMap().Get("role").Secret() || settings.AsMap().Get("zone").Secret()) {
		t.Errorf("settings are %#v", settings)
	}
	// No longer secret is no difference, nor is another write-only value.
	program := user.inputs.AsMap()
	program["settings"] = p(object{"role": p("keeper"), "zone": p("a")})
	program["passwordWo"] = p("another one")
	if _, diff := w.diff(t, user, program); len(diff.Detailed) > 0 {
		t.Errorf("differs: %+v", diff)
	}
	program["passwordWoVersion"] = p(2.0)
	user = w.update(t, user, program)
	if again, _ := w.refresh(t, user); !again.inputs.Equals(user.inputs) || !again.outputs.Equals(user.outputs) {
		t.Errorf("a refresh changed %#v into %#v", user, again)
	}
}

// TestInstance keeps private state, dynamic values and what the provider
// chooses inside of nested objects.
func TestInstance(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	net := w.create(t, networkToken, object{"cidr": p("10.0.0.0/8")})
	subnet := w.create(t, subnetToken, object{"networkId": p(net.id), "cidr": p("10.1.0.0/16"), "zone": p("a")})
	program := object{
		"image": p("linux"), "subnetId": p(subnet.id), "apiToken": p("t"), "cpuRatio": p(0.1),
		"disks":    p(object{"a disk": p(object{"sizeGb": p(10.0)})}),
		"metadata": p(object{"list": p(array{p("a"), p("b")}), "n": p(1.5)}),
		"mounts":   p(array{}),
	}
	it := w.create(t, instanceToken, program)
	w.unchanged(t, it)
	it, _ = w.refresh(t, it)
	w.unchanged(t, it)
	if !it.outputs.Get("apiToken").Secret() {
		t.Error("the token is not secret")
	}
	program["disks"] = p(object{"a disk": p(object{"sizeGb": p(20.0)}), "b": p(object{"sizeGb": p(1.0), "type": p("hdd")})})
	_, diff := w.diff(t, it, program)
	want := map[string]lifecycle.DiffKind{`disks["a disk"].sizeGb`: update, "disks.b": add}
	if d := cmp.Diff(want, kinds(diff)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	program["disks"] = p(object{"a disk": p(object{"sizeGb": p(20.0)})})
	it = w.update(t, it, program)
	w.unchanged(t, it)
	if codes := w.log.codes(); len(codes) > 0 {
		t.Errorf("warnings: %v %v", codes, w.log.warnings[0])
	}
	w.delete(t, it)
}

// TestSets compares sets by element, where the engine finds them.
func TestSets(t *testing.T) {
	t.Parallel()
	rule := func(port float64, cidrs ...property.Value) property.Value {
		return p(object{"protocol": p("tcp"), "fromPort": p(port), "toPort": p(port), "cidrs": p(cidrs)})
	}
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, name, estate.Options{})
			net := w.create(t, networkToken, object{"cidr": p("10.0.0.0/8")})
			program := func(rules ...property.Value) object {
				return object{"networkId": p(net.id), "ingresses": p(rules)}
			}
			group := w.create(t, groupToken, program(rule(1, p("a"), p("b")), rule(2), rule(3)))
			w.unchanged(t, group)
			if _, diff := w.diff(t, group, program(rule(3), rule(1, p("b"), p("a")), rule(2))); len(diff.Detailed) > 0 {
				t.Errorf("another order differs: %v", kinds(diff))
			}
			for label, test := range map[string]struct {
				rules []property.Value
				want  map[string]lifecycle.DiffKind
			}{
				"gone":    {array{rule(2), rule(3)}, map[string]lifecycle.DiffKind{at(group, 1): remove}},
				"new":     {array{rule(4), rule(3), rule(1, p("b"), p("a")), rule(2)}, map[string]lifecycle.DiffKind{"ingresses[0]": add}},
				"none":    {nil, map[string]lifecycle.DiffKind{at(group, 1): remove, at(group, 2): remove, at(group, 3): remove}},
				"unknown": {array{rule(1, unknown()), rule(2), rule(3)}, nil},
			} {
				_, diff := w.diff(t, group, program(test.rules...))
				if test.want == nil {
					if len(diff.Detailed) == 0 {
						t.Errorf("%s: no difference", label)
					}
					continue
				}
				if d := cmp.Diff(test.want, kinds(diff)); d != "" {
					t.Errorf("%s (-want +got):\n%s", label, d)
				}
			}
		})
	}
}

// at is the path of the rule for a port in the outputs.
func at(group state, port float64) string {
	i := slices.IndexFunc(group.outputs.Get("ingresses").AsArray().AsSlice(), func(v property.Value) bool {
		return v.AsMap().Get("fromPort").Equals(p(port))
	})
	return map[int]string{0: "ingresses[0]", 1: "ingresses[1]", 2: "ingresses[2]"}[i]
}

// TestIgnoreChanges leaves alone what a pattern leads to, in a set too.
func TestIgnoreChanges(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	net := w.create(t, networkToken, object{"cidr": p("10.0.0.0/8"), "tags": p(object{"a": p("1")})})
	tagged := p(object{"a": p("2"), "b": p("3")})
	changed := object{"cidr": p("10.0.0.0/8"), "mtu": p(9000.0), "tags": tagged}
	for pattern, want := range map[string]map[string]lifecycle.DiffKind{
		"mtu":       {"tags.a": update, "tags.b": add},
		"tags.a":    {"mtu": update, "tags.b": add},
		"tags[*]":   {"mtu": update},
		"tags":      {"mtu": update},
		"*":         {},
		"nonsense":  {"mtu": update, "tags.a": update, "tags.b": add},
		`tags["a"]`: {"mtu": update, "tags.b": add},
	} {
		if _, diff := w.diff(t, net, changed, pattern); !cmp.Equal(want, kinds(diff)) {
			t.Errorf("%s (-want +got):\n%s", pattern, cmp.Diff(want, kinds(diff)))
		}
	}
	moved := object{"cidr": p("10.1.0.0/16"), "mtu": p(9000.0), "tags": tagged}
	net = w.update(t, net, moved, "cidr", "tags[*]")
	if !net.outputs.Get("cidr").Equals(p("10.0.0.0/8")) || !net.outputs.Get("tags").Equals(p(object{"a": p("1")})) {
		t.Errorf("outputs are %#v", net.outputs)
	}
	_, err := w.Diff(t.Context(), lifecycle.DiffRequest{
		Resource: net.Resource, Olds: net.outputs, News: net.inputs, IgnoreChanges: []string{"a["},
	})
	if code(err) != "LC0020" {
		t.Errorf("got %v", err)
	}

	rule := func(port float64, description string) property.Value {
		return p(object{"protocol": p("tcp"), "fromPort": p(port), "toPort": p(port), "description": p(description)})
	}
	group := w.create(t, groupToken, object{"networkId": p(net.id), "ingresses": p(array{rule(1, "a"), rule(2, "b")})})
	reworded := object{"networkId": p(net.id), "ingresses": p(array{rule(2, "x"), rule(1, "y"), rule(3, "z")})}
	_, diff := w.diff(t, group, reworded, "ingresses[*].description")
	if d := cmp.Diff(map[string]lifecycle.DiffKind{"ingresses[2]": add}, kinds(diff)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestFailedCreate keeps what a failed create left behind.
func TestFailedCreate(t *testing.T) {
	t.Parallel()
	w := start(t, "classic", estate.Options{})
	net := w.create(t, networkToken, object{"cidr": p("10.0.0.0/8")})
	subnet := w.create(t, subnetToken, object{"networkId": p(net.id), "cidr": p("10.1.0.0/16"), "zone": p("a")})
	it := resource(instanceToken)
	inputs := w.check(t, it, property.Map{}, props(object{
		"image": p("linux"), "subnetId": p(subnet.id), "expectState": p("asleep"), "apiToken": secret("t"),
	}))
	_, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: it, Inputs: inputs})
	var failed *lifecycle.InitFailedError
	if !errors.As(err, &failed) || failed.ID == "" || len(failed.Reasons) != 1 || w.estate.Store.Count("instances") != 1 {
		t.Fatalf("got %#v", err)
	}
	// The next update mends it.
	s := state{Resource: it, id: failed.ID, inputs: failed.Inputs, outputs: wired(t, failed.Outputs)}
	program := inputs.AsMap()
	program["expectState"] = p("running")
	s = w.update(t, s, program)
	w.delete(t, s)
}

// TestFailedDelete keeps a resource that could not be deleted.
func TestFailedDelete(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"estate", "classic"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, name, estate.Options{})
			net := w.create(t, networkToken, object{"cidr": p("10.0.0.0/8")})
			w.estate.SetFaults(estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpDelete}}}})
			err := w.Delete(t.Context(), lifecycle.DeleteRequest{Resource: net.Resource, ID: net.id, Outputs: net.outputs})
			var unclear *lifecycle.UnknownOutcomeError
			if code(err) != tfprovider.CodeProvider || errors.As(err, &unclear) {
				t.Errorf("got %v", err)
			}
			w.estate.SetFaults(estate.Faults{})
			w.delete(t, net)
		})
	}
}

// TestCrash says that nobody knows what a crashed apply did; the provider
// goes on in a new process.
func TestCrash(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	it := resource(networkToken)
	inputs := w.check(t, it, property.Map{}, props(object{"cidr": p("10.0.0.0/8")}))
	w.estate.SetFaults(estate.Faults{Crash: []estate.Crash{{Target: estate.Target{Op: estate.OpCreate}, Times: 1}}})
	_, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: it, Inputs: inputs})
	var unclear *lifecycle.UnknownOutcomeError
	if code(err) != tfprovider.CodeCrashed || !errors.As(err, &unclear) {
		t.Errorf("got %v", err)
	}
	if _, err := w.Create(t.Context(), lifecycle.CreateRequest{Resource: it, Inputs: inputs}); err != nil {
		t.Errorf("after the crash: %v", err)
	}
}

// TestCancel ends an apply that hangs, by its caller and by its timeout.
func TestCancel(t *testing.T) {
	t.Parallel()
	w := start(t, "estate", estate.Options{})
	it := resource(networkToken)
	inputs := w.check(t, it, property.Map{}, props(object{"cidr": p("10.0.0.0/8")}))
	w.estate.SetFaults(estate.Faults{LatencyMS: 1000})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err := w.Create(ctx, lifecycle.CreateRequest{Resource: it, Inputs: inputs})
	var unclear *lifecycle.UnknownOutcomeError
	if !errors.As(err, &unclear) {
		t.Errorf("cancelled: got %v", err)
	}
	_, err = w.Create(t.Context(), lifecycle.CreateRequest{Resource: it, Inputs: inputs, Timeout: 100 * time.Millisecond})
	if !errors.As(err, &unclear) { // whether the provider still answered is a matter of chance
		t.Errorf("timed out: got %v", err)
	}
}
