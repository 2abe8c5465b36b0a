package workflow

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

func imported(address, id, identity string) write.ResourceReport {
	resourceType, _, _ := strings.Cut(address, ".")
	r := write.ResourceReport{Type: resourceType, Address: address, ID: id, Outcome: write.Imported}
	if identity != "" {
		r.Identity = json.RawMessage(identity)
	}
	return r
}

func reportOf(resources ...write.ResourceReport) write.Report {
	return write.Report{Resources: resources}
}

func stateOf(resourceType, name, attributes, identity string) *tfstate.State {
	instance := tfstate.Instance{Attributes: json.RawMessage(attributes)}
	if identity != "" {
		instance.Identity = &tfstate.Identity{JSON: json.RawMessage(identity)}
	}
	return &tfstate.State{Resources: []tfstate.Resource{{
		Addr:      tfaddr.Resource{Mode: tfaddr.Managed, Type: resourceType, Name: name},
		Instances: []tfstate.Instance{instance},
	}}}
}

func TestLosses(t *testing.T) {
	t.Parallel()
	failed := write.ResourceReport{Type: "x_a", ID: "1", Outcome: write.Failed, Reason: "no configuration is a no-op"}
	broken := write.FailedType{Type: "x_a", Diagnostics: diag.List{diag.Errorf("E1", "No answer", "Wait.")}}
	for name, test := range map[string]struct {
		report *write.Report
		state  *tfstate.State
		now    write.Module
		want   []string
	}{
		"first import": {now: write.Module{Report: reportOf(imported("x_a.n", "1", ""))}},
		"the same": {
			report: new(reportOf(imported("x_a.n", "1", ""))), now: write.Module{Report: reportOf(imported("x_a.n", "1", ""))},
		},
		"renamed": {
			report: new(reportOf(imported("x_a.n", "", `{"b":1,"a":"q","c":null}`))),
			now:    write.Module{Report: reportOf(imported("x_a.m", "", `{ "a": "q", "b": 1 }`))},
		},
		"of another type": {
			report: new(reportOf(imported("x_a.n", "1", ""))),
			now:    write.Module{Report: reportOf(imported("x_b.n", "1", ""))},
			want:   []string{"x_a.n: its type was left out"},
		},
		"its name taken": {
			report: new(reportOf(imported("x_a.n", "1", ""))),
			now:    write.Module{Report: write.Report{Resources: []write.ResourceReport{imported("x_a.n", "2", "")}, Types: write.TypesReport{Enumerated: []string{"x_a"}}}},
			want:   []string{"x_a.n: no longer found"},
		},
		"no longer in the inventory": {
			report: new(reportOf(imported("x_a.n", "1", ""))),
			now:    write.Module{Report: write.Report{Resources: []write.ResourceReport{imported("x_a.m", "2", "")}, Types: write.TypesReport{NamedOnly: []string{"x_a"}}}},
			want:   []string{"x_a.n: its type was not listed, and nothing else names it"},
		},
		"by identity, then by id": {
			report: new(reportOf(imported("x_a.n", "", `{"a":"q"}`))),
			now:    write.Module{Report: reportOf(imported("x_a.m", "1", "")), State: stateOf("x_a", "m", `{"id":"1"}`, `{"a":"q"}`)},
		},
		"by id, then by identity, under one name": {
			report: new(reportOf(imported("x_a.n", "eu/1", ""))), now: write.Module{Report: reportOf(imported("x_a.n", "", `{"a":"q"}`))},
		},
		"an id that says nothing": {
			report: new(reportOf(imported("x_a.n", "1", ""), imported("x_a.m", "2", ""))),
			state:  stateOf("x_a", "n", `{"id":"none"}`, ""),
			now:    write.Module{Report: reportOf(imported("x_a.m", "2", "")), State: stateOf("x_a", "m", `{"id":"none"}`, "")},
			want:   []string{"x_a.n: its type was left out"},
		},
		"failed": {
			report: new(reportOf(imported("x_a.n", "1", ""))), now: write.Module{Report: reportOf(failed)},
			want: []string{"x_a.n: no configuration is a no-op"},
		},
		"its list failed": {
			report: new(reportOf(imported("x_a.n", "1", ""))),
			now:    write.Module{Report: write.Report{Types: write.TypesReport{Failed: []write.FailedType{broken}, Enumerated: []string{"x_a"}}}},
			want:   []string{"x_a.n: the list of its type failed: No answer: Wait."},
		},
		"its list cut short": {
			report: new(reportOf(imported("x_a.n", "1", ""))),
			now:    write.Module{Report: write.Report{Types: write.TypesReport{Truncated: []string{"x_a"}, Enumerated: []string{"x_a"}}}},
			want:   []string{"x_a.n: the list of its type was cut short by a limit"},
		},
		"known by the state alone": {
			state: stateOf("x_b", "n", `{"id":"1"}`, ""), now: write.Module{Report: reportOf(imported("x_a.m", "2", ""))},
			want: []string{"x_b.n: its type was left out"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := earlier{report: test.report, state: test.state}.losses(test.now)
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFillIn(t *testing.T) {
	t.Parallel()
	variables := []write.Variable{
		{Name: "asked", Type: cty.String, Sensitive: true, StandIn: true, Value: cty.StringVal("stand-in")},
		{Name: "read", Type: cty.String, Sensitive: true, Value: cty.StringVal("live")},
		{Name: "port", Type: cty.Number, StandIn: true, Value: cty.Zero},
	}
	kept := &write.Report{Variables: []write.VariableReport{{Name: "asked", FilledIn: true}, {Name: "gone", FilledIn: true}, {Name: "read"}}}
	for name, test := range map[string]struct {
		text          string
		edited, prune bool
		report        *write.Report
		want          map[string]cty.Value // of those filled in
		errors        []string
	}{
		"nothing":            {report: kept, want: map[string]cty.Value{}},
		"untouched":          {text: `asked = "old stand-in"`, report: &write.Report{}, want: map[string]cty.Value{}},
		"filled in":          {text: `asked = "mine"`, edited: true, report: &write.Report{}, want: map[string]cty.Value{"asked": cty.StringVal("mine")}},
		"kept":               {text: "asked = \"mine\"\nread = \"before\"", report: kept, want: map[string]cty.Value{"asked": cty.StringVal("mine")}},
		"the stand-in":       {text: `asked = "stand-in"`, edited: true, want: map[string]cty.Value{}},
		"converted":          {text: `port = "12"`, edited: true, want: map[string]cty.Value{"port": cty.NumberIntVal(12)}},
		"of another type":    {text: `port = "TOPSECRET"`, edited: true, errors: []string{"WF0022"}},
		"read, and changed":  {text: `read = "TOPSECRET"`, edited: true, errors: []string{"WF0024"}},
		"read, and the same": {text: `read = "live"`, edited: true, want: map[string]cty.Value{}},
		"gone":               {text: `gone = "TOPSECRET"`, report: kept, errors: []string{"WF0023"}},
		"gone, let go":       {text: `gone = "TOPSECRET"`, report: kept, prune: true, want: map[string]cty.Value{}},
		"never asked for":    {text: `foreign = "TOPSECRET"`, edited: true, report: kept, prune: true, errors: []string{"WF0023"}},
		"malformed":          {text: `asked = "TOPSECRET`, edited: true, errors: []string{"WF0022"}},
		"a block":            {text: `asked { a = "TOPSECRET" }`, edited: true, errors: []string{"WF0022"}},
		"no literal":         {text: `asked = TOPSECRET`, edited: true, errors: []string{"WF0022"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := earlier{report: test.report, secrets: secretsFile{path: "s.tfvars", text: []byte(test.text), edited: test.edited}}
			module := write.Module{Variables: variables}
			diags := e.secrets.parse()
			if !diags.HasErrors() {
				diags = e.fillIn(&module, test.prune)
			}
			var codes []string
			for _, d := range diags {
				codes = append(codes, d.Code)
				if strings.Contains(d.Error(), "TOPSECRET") || strings.Contains(d.Detail, "TOPSECRET") {
					t.Errorf("it tells the value: %s", d.Detail)
				}
			}
			if d := cmp.Diff(test.errors, codes); d != "" || codes != nil {
				if d != "" {
					t.Error(d)
				}
				return
			}
			got := map[string]cty.Value{}
			for _, v := range module.Variables {
				if v.FilledIn {
					got[v.Name] = v.Value
				}
			}
			if d := cmp.Diff(test.want, got, cmp.Comparer(func(a, b cty.Value) bool { return a.RawEquals(b) })); d != "" {
				t.Error(d)
			}
			if variables[0].FilledIn {
				t.Error("the caller's list was changed")
			}
		})
	}
}

func TestLockedVersion(t *testing.T) {
	t.Parallel()
	p := tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "a", Type: "b"}
	e := earlier{lock: lockFile{LockFile: tfregistry.LockFile{Providers: map[tfaddr.Provider]tfregistry.Lock{p: {Version: "1.2.3", Hashes: []string{"h1:x"}}}}}}
	other := tfaddr.Provider{Host: tfaddr.DefaultHost, Namespace: "a", Type: "c"}
	for _, test := range []struct{ asked, want tfregistry.Request }{
		{tfregistry.Request{Provider: p}, tfregistry.Request{Provider: p, Constraint: "1.2.3", Hashes: []string{"h1:x"}}},
		{tfregistry.Request{Provider: p, Constraint: "~> 2.0"}, tfregistry.Request{Provider: p, Constraint: "~> 2.0"}},
		{tfregistry.Request{Provider: p, LocalPath: "/b"}, tfregistry.Request{Provider: p, LocalPath: "/b"}},
		{tfregistry.Request{Provider: other}, tfregistry.Request{Provider: other}},
	} {
		if d := cmp.Diff(test.want, e.lockedVersion(test.asked)); d != "" {
			t.Error(d)
		}
	}
}
