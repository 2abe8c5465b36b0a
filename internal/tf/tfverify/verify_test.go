package tfverify

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
)

func TestVerdicts(t *testing.T) {
	t.Parallel()
	ownState := func(r *Request) { r.StatePath = filepath.Join(r.Dir, "terraform.tfstate") }
	emptyState := func(r *Request) {
		if err := os.WriteFile(filepath.Join(r.Dir, "terraform.tfstate"), nil, 0o600); err != nil {
			t.Error(err)
		}
	}
	for name, c := range map[string]struct {
		files   string
		objects []string // address name
		change  func(*Request)
		want    string
	}{
		"no-op": {`resource "mem_thing" "a" { name = "x" }`, []string{"mem_thing.a x"}, nil, "no-op mem_thing.a; proven"},
		"a name from a variable": {"variable \"n\" {}\nresource \"mem_thing\" \"a\" { name = var.n }", []string{"mem_thing.a x"},
			func(r *Request) { r.Env = []string{"TF_VAR_n=x", "TF_VAR_other=y"} }, "no-op mem_thing.a; proven"},
		"-var wins": {"variable \"n\" {}\nresource \"mem_thing\" \"a\" { name = var.n }", []string{"mem_thing.a x"},
			func(r *Request) { r.Env, r.Vars = []string{"TF_VAR_n=y"}, map[string]string{"n": "x"} }, "no-op mem_thing.a; proven"},
		"a list from text": {"variable \"n\" { type = list(string) }\nresource \"mem_thing\" \"a\" { name = var.n[1] }", []string{"mem_thing.a x"},
			func(r *Request) { r.Vars = map[string]string{"n": `["y", "x"]`} }, "no-op mem_thing.a; proven"},
		"text that is no list": {"variable \"n\" { type = list(string) }", nil,
			func(r *Request) { r.Vars = map[string]string{"n": `[`} }, "error TV0008; error TV0009"},
		"undeclared -var":  {`locals { a = 1 }`, nil, func(r *Request) { r.Vars = map[string]string{"n": "x"} }, "error TV0006"},
		"create":           {`resource "mem_thing" "a" { name = "x" }`, nil, nil, "create mem_thing.a"},
		"orphan":           {`locals { a = 1 }`, []string{"mem_thing.a x"}, nil, "delete mem_thing.a"},
		"orphan module":    {`locals { a = 1 }`, []string{`module.m["k"].mem_thing.a x`}, nil, `delete module.m["k"].mem_thing.a`},
		"count":            {"resource \"mem_thing\" \"a\" {\n count = 2\n name = \"n${count.index}\"\n}", []string{"mem_thing.a[0] n0", "mem_thing.a[1] n1", "mem_thing.a[2] n2"}, nil, "no-op mem_thing.a[0]; no-op mem_thing.a[1]; delete mem_thing.a[2]"},
		"count taken away": {`resource "mem_thing" "a" { name = "x" }`, []string{"mem_thing.a[0] x"}, nil, "move mem_thing.a"},
		"count added":      {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n count = 1\n}", []string{"mem_thing.a x"}, nil, "move mem_thing.a[0]"},
		"enabled":          {"resource \"mem_thing\" \"a\" {\n name = \"x\"\n lifecycle {\n enabled = false\n}\n}", []string{"mem_thing.a x"}, nil, "delete mem_thing.a"},
		"unknown count": {"resource \"mem_thing\" \"a\" {}\nresource \"mem_thing\" \"b\" {\n count = length(mem_thing.a.id)\n}", []string{"mem_thing.b[0] x"}, nil,
			"create mem_thing.a; unevaluated mem_thing.b TV0014; unevaluated mem_thing.b[0] TV0035"},
		"sensitive for_each": {"resource \"mem_thing\" \"b\" {\n for_each = sensitive(toset([\"a\"]))\n}", nil, nil, "unevaluated mem_thing.b TV0014"},
		"for_each of a list": {"resource \"mem_thing\" \"b\" {\n for_each = [\"a\"]\n}", nil, nil, "unevaluated mem_thing.b TV0014"},
		"half a count":       {"resource \"mem_thing\" \"b\" {\n count = 1.5\n}", nil, nil, "unevaluated mem_thing.b TV0014"},
		"remote module": {"module \"m\" { source = \"ns/name/x\" }\nresource \"mem_thing\" \"a\" { name = module.m.out }", []string{"mem_thing.a x", "module.m.mem_thing.b y"}, nil,
			"unevaluated mem_thing.a TC0116; unevaluated module.m.mem_thing.b TV0035; error TC0116"},
		"what a gap reaches": {"module \"m\" { source = \"ns/name/x\" }\nlocals { l = \"a${module.m.out}\" }\nresource \"mem_thing\" \"a\" { name = local.l }\nresource \"mem_thing\" \"b\" { name = mem_thing.a.name }\noutput \"o\" { value = mem_thing.b.id }",
			[]string{"mem_thing.a x", "mem_thing.b x"}, nil, "unevaluated mem_thing.a TC0116; unevaluated mem_thing.b TC0116; unevaluated output.o; error TC0116"},
		"try may swallow a gap, which stays in the report": {"module \"m\" { source = \"ns/name/x\" }\nresource \"mem_thing\" \"a\" { name = try(module.m.out, \"x\") }", []string{"mem_thing.a x"}, nil,
			"update mem_thing.a; error TC0116"},
		"ephemeral": {"ephemeral \"mem_thing\" \"e\" {}\nprovider \"mem\" { token = ephemeral.mem_thing.e.id }\nresource \"mem_thing\" \"a\" { name = \"x\" }", []string{"mem_thing.a x"}, nil,
			"unevaluated mem_thing.a TV0016; error TV0016"},
		"no such provider":              {`resource "other_thing" "a" {}`, []string{"mem_thing.a x"}, nil, "delete mem_thing.a; failed other_thing.a X0001"},
		"no such type":                  {`resource "mem_other" "a" {}`, nil, nil, "failed mem_other.a TV0024"},
		"no such alias":                 {"resource \"mem_thing\" \"a\" {\n provider = mem.west\n}", nil, nil, "failed mem_thing.a TV0021"},
		"cycle":                         {"locals {\n a = local.b\n b = local.a\n}", nil, nil, "error TV0003"},
		"self":                          {`resource "mem_thing" "a" { name = mem_thing.a.id }`, nil, nil, "error TV0003"},
		"attribute as blocks":           {"resource \"mem_thing\" \"a\" {\n things {\n a = \"x\"\n }\n dynamic \"things\" {\n for_each = [1]\n content {\n b = things.value\n }\n }\n}", nil, nil, "create mem_thing.a"},
		"unknown argument":              {`resource "mem_thing" "a" { nope = 1 }`, nil, nil, "failed mem_thing.a TL0001"},
		"missing in block":              {"resource \"mem_thing\" \"a\" {\n rule {}\n}", nil, nil, "failed mem_thing.a TL0001"},
		"unused variable without value": {`variable "n" {}`, nil, nil, "error TV0009"},
		"remote backend":                {"terraform {\n backend \"s3\" {}\n}", nil, nil, "error TV0030"},
		"encryption":                    {"terraform {\n encryption {}\n}", nil, nil, "error TV0121"},
		"encryption, with a state":      {"terraform {\n encryption {}\n}", nil, ownState, "proven"},
		"broken backend":                {"terraform {\n backend \"local\" {\n path = $x\n}\n}", nil, nil, "error TC0101; error TC0101"},
		"unknown backend":               {"terraform {\n backend \"nope\" {}\n}", nil, nil, "error TV0117"},
		"unknown backend, with a state": {"terraform {\n backend \"nope\" {}\n}", nil, ownState, "error TV0117"},
		"local backend, with a state":   {"terraform {\n backend \"local\" {\n pth = \"x\"\n}\n}", nil, ownState, "error TL0001"},
		"remote backend, with a state":  {"terraform {\n backend \"s3\" {}\n}", nil, ownState, "proven"},
		"local backend":                 {"terraform {\n backend \"local\" {\n path = \"other.tfstate\"\n }\n}\nresource \"mem_thing\" \"a\" { name = \"x\" }", []string{"mem_thing.a x"}, nil, "create mem_thing.a"},
		"state without a byte":          {thingA, []string{"mem_thing.a x"}, emptyState, "create mem_thing.a"},
		"state that is not there":       {`locals { a = 1 }`, nil, func(r *Request) { r.StatePath = filepath.Join(r.Dir, "gone.tfstate") }, "error TV0002"},
		"import":                        {"import {\n to = mem_thing.a[\"k\"]\n id = \"x\"\n}\nresource \"mem_thing\" \"a\" {\n for_each = toset([\"k\", \"l\"])\n}", nil, nil, `import mem_thing.a["k"]; create mem_thing.a["l"]`},
		"imports":                       {"import {\n for_each = toset([\"k\"])\n to = mem_thing.a[each.key]\n id = each.value\n}\nresource \"mem_thing\" \"a\" {\n for_each = toset([\"k\"])\n}", nil, nil, `import mem_thing.a["k"]`},
		"import without block":          {"import {\n to = mem_thing.a\n id = \"x\"\n}", nil, nil, "error TV0033"},
		"moved to another type":         {"moved {\n from = mem_thing.a\n to = mem_other.a\n}", []string{"mem_thing.a x"}, nil, "delete mem_thing.a; error TV0034"},
		"chain of moves":                {"moved {\n from = mem_thing.b\n to = mem_thing.c\n}\nmoved {\n from = mem_thing.a\n to = mem_thing.b\n}\nresource \"mem_thing\" \"c\" { name = \"x\" }", []string{"mem_thing.a x"}, nil, "move mem_thing.c"},
		"data":                          {"data \"mem_thing\" \"d\" { name = \"x\" }\nresource \"mem_thing\" \"a\" { name = data.mem_thing.d.name }", []string{"mem_thing.a x"}, nil, "no-op mem_thing.a; proven"},
		"cycle through a trigger":       {"resource \"mem_thing\" \"a\" {\n lifecycle {\n replace_triggered_by = [mem_thing.b]\n}\n}\nresource \"mem_thing\" \"b\" { name = mem_thing.a.id }", nil, nil, "error TV0003"},
		"cycle through a postcondition": {"resource \"mem_thing\" \"a\" {\n lifecycle {\n postcondition {\n condition = mem_thing.b.id == \"\"\n error_message = \"m\"\n}\n}\n}\nresource \"mem_thing\" \"b\" { name = mem_thing.a.id }", nil, nil, "error TV0003"},
		"cycle through a module":        {"module \"m\" {\n source = \"./m\"\n in = data.mem_thing.d.id\n}\ndata \"mem_thing\" \"d\" { depends_on = [module.m] }\n-- m/main.tf --\nvariable \"in\" {}\nresource \"mem_thing\" \"a\" { name = var.in }", nil, nil, "error TV0003"},
		"data in a module that waits":   {"module \"m\" {\n source = \"./m\"\n depends_on = [mem_thing.a]\n}\nresource \"mem_thing\" \"a\" { name = \"new\" }\n-- m/main.tf --\ndata \"mem_thing\" \"d\" {}", []string{"mem_thing.a old"}, nil, "update mem_thing.a; read module.m.data.mem_thing.d"},
		"remote state":                  {"data \"terraform_remote_state\" \"r\" {\n backend = \"http\"\n}", nil, nil, "unevaluated data.terraform_remote_state.r TV0022"},
		"each outside":                  {`resource "mem_thing" "a" { name = each.key }`, nil, nil, "failed mem_thing.a TV0013"},
		"undeclared input":              {"module \"m\" {\n source = \"./m\"\n nope = 1\n}\n-- m/main.tf --\nlocals { a = 1 }", nil, nil, "error TV0011"},
		"undeclared output":             {"module \"m\" { source = \"./m\" }\noutput \"o\" { value = module.m.nope }\n-- m/main.tf --\nlocals { a = 1 }", nil, nil, "unevaluated output.o; error TV0012"},
		"crossing modules": {"module \"m\" {\n source = \"./m\"\n in = mem_thing.a.id\n}\nresource \"mem_thing\" \"a\" { name = module.m.fixed }\noutput \"o\" { value = module.m.out }\n-- m/main.tf --\nvariable \"in\" {}\noutput \"fixed\" { value = \"x\" }\noutput \"out\" { value = var.in == \"\" ? null : null }",
			[]string{"mem_thing.a x"}, nil, "no-op mem_thing.a; no-op output.o; proven"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, header+"-- main.tf --\n"+c.files+"\n")
			for _, o := range c.objects {
				address, objectName, _ := strings.Cut(o, " ")
				s.object(t, address, objectName)
			}
			report, diags := s.verify(t, c.change)
			if diff := cmp.Diff(c.want, outcome(report, diags)); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, diags.Err())
			}
			for _, d := range append(append(diag.List{}, diags...), report.Gaps...) {
				if d.Detail == "" || d.Summary == "" {
					t.Errorf("half a diagnostic: %+v", d)
				}
			}
		})
	}
}

func TestReportHidesSecrets(t *testing.T) {
	t.Parallel()
	s := newSetting(t, header+`-- main.tf --
variable "p" {
  default   = "hunter2"
  sensitive = true
}
resource "mem_thing" "a" {
  name   = "n-${var.p}"
  secret = "hunter3"
}
output "o" {
  value     = var.p
  sensitive = true
}
`).object(t, "mem_thing.a", "hunter1")
	report, diags := s.verify(t, nil)
	raw, err := json.Marshal(report)
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	if strings.Contains(string(raw), "hunter") {
		t.Errorf("the report has a secret: %s", raw)
	}
	if got := outcome(report, diags); got != "update mem_thing.a; create output.o" {
		t.Error(got)
	}
}

func TestDataWaitsForDependsOn(t *testing.T) {
	t.Parallel()
	s := newSetting(t, header+`-- main.tf --
resource "mem_thing" "a" { name = "new" }
data "mem_thing" "d" {
  name       = "x"
  depends_on = [mem_thing.a]
}
resource "mem_thing" "b" { name = data.mem_thing.d.id }
`).object(t, "mem_thing.a", "old").object(t, "mem_thing.b", "data")
	report, diags := s.verify(t, nil)
	if got := outcome(report, diags); got != "read data.mem_thing.d; update mem_thing.a; update mem_thing.b" {
		t.Error(got)
	}
}

func TestCallsAreBoundedAndConcurrent(t *testing.T) {
	t.Parallel()
	s := newSetting(t, header+"-- main.tf --\nresource \"mem_thing\" \"a\" {\n count = 40\n name = \"x\"\n}\n")
	s.memory.delay = 5 * time.Millisecond
	report, diags := s.verify(t, func(r *Request) { r.Parallel = 4 })
	if report.Counts[Create] != 40 || diags.HasErrors() {
		t.Fatal(outcome(report, diags))
	}
	if most := s.memory.most.Load(); most < 2 || most > 4 {
		t.Errorf("%d calls at one time, want 2 to 4", most)
	}
}

func TestCancelEndsTheRun(t *testing.T) {
	t.Parallel()
	s := newSetting(t, header+"-- main.tf --\nresource \"mem_thing\" \"a\" {\n count = 400\n name = \"x\"\n}\n")
	s.memory.delay = 5 * time.Millisecond
	launch := func(r *Request) { r.Parallel = 2 }
	s.verify(t, launch) // writes the state
	calls := s.memory.calls.Load()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	var req Request
	s.verify(t, func(r *Request) { launch(r); req = *r; r.Launch = nil; r.Dir = filepath.Join(r.Dir, "none") })
	report, diags := Verify(ctx, req)
	if report.Proven || !diags.HasErrors() || s.memory.calls.Load()-calls > 200 {
		t.Errorf("proven %t, %d calls, %v", report.Proven, s.memory.calls.Load()-calls, diags)
	}
}

// TestLinear holds the memory asked for by eight times as many resources, each
// referring to the one before it, against eight times the memory.
func TestLinear(t *testing.T) {
	run := func(n int) uint64 {
		var b strings.Builder
		for i := range n {
			name := `"x"`
			if i > 0 {
				name = fmt.Sprintf("mem_thing.r%d.name", i-1)
			}
			fmt.Fprintf(&b, "resource \"mem_thing\" \"r%d\" { name = %s }\n", i, name)
		}
		s := newSetting(t, header+"-- main.tf --\n"+b.String())
		for i := range n {
			s.object(t, fmt.Sprintf("mem_thing.r%d", i), "x")
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		report, diags := s.verify(t, nil)
		if !report.Proven || report.Counts[NoOp] != n {
			t.Fatal(outcome(report, diags))
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	run(100)
	small, large := run(250), run(2000)
	if large > 8*2*small {
		t.Errorf("250 resources ask for %d bytes, 2000 for %d: not linear", small, large)
	}
}

// TestValuesAreNotQuoted: files of values hold secrets.
func TestValuesAreNotQuoted(t *testing.T) {
	t.Parallel()
	s := newSetting(t, header+"-- main.tf --\nvariable \"a\" {}\n-- terraform.tfvars --\na = 1\nb = 2\n-- x.auto.tfvars.json --\n{\"a\": [}\n")
	report, diags := s.verify(t, nil)
	if got := outcome(report, diags); !strings.Contains(got, "warning TV0007") || !strings.Contains(got, "error TV0001") {
		t.Error(got)
	}
	for name := range report.Sources {
		if strings.Contains(name, "tfvars") {
			t.Errorf("%s can be quoted", name)
		}
	}
	if _, err := os.Stat(s.dir); err != nil {
		t.Fatal(err)
	}
}
