package tfverify

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Verdict is what a plan would do to one resource object or output.
type Verdict string

// The verdicts. Move, Import and Forget change the state alone; Read is a data
// source that an apply would read. Unevaluated could not be worked out, and
// Failed would fail the plan.
const (
	NoOp        Verdict = "no-op"
	Create      Verdict = "create"
	Update      Verdict = "update"
	Replace     Verdict = "replace"
	Delete      Verdict = "delete"
	Move        Verdict = "move"
	Import      Verdict = "import"
	Forget      Verdict = "forget"
	Read        Verdict = "read"
	Unevaluated Verdict = "unevaluated"
	Failed      Verdict = "failed"
)

// Report is what Verify found. Its JSON form is stable, sorted, and free of
// sensitive values.
type Report struct {
	// Proven says that everything is a no-op and nothing was left out.
	Proven bool `json:"proven"`
	// Counts has the number of resource objects by verdict.
	Counts map[Verdict]int `json:"counts"`
	// Resources are all managed resource objects, by address, and the data
	// sources that could not be read.
	Resources []Resource `json:"resources"`
	// Outputs are those of the root module, by name.
	Outputs []Output `json:"outputs"`
	// Gaps are what else could not be evaluated: modules, import blocks.
	Gaps diag.List `json:"gaps"`
	// Sources are the files read, so that diagnostics can quote them.
	Sources diag.Sources `json:"-"`
}

// Resource is the verdict on one object.
type Resource struct {
	Address string  `json:"address"`
	Verdict Verdict `json:"verdict"`
	// From is the address that the state has, where it is another.
	From string `json:"from,omitempty"`
	// Deposed is the key of an object that a replacement left behind.
	Deposed string   `json:"deposed,omitempty"`
	Changes []Change `json:"changes,omitempty"`
	// RequiresReplace are the paths that force a replacement.
	RequiresReplace []string `json:"requires_replace,omitempty"`
	// Reasons say why it was not evaluated, why it failed, or more about the
	// verdict. Warnings of the provider are among them.
	Reasons diag.List  `json:"reasons,omitempty"`
	Range   *hcl.Range `json:"-"`
}

// Change is one attribute that would change.
type Change struct {
	// Path leads to it, as HCL writes a traversal.
	Path string `json:"path"`
	// Before and After are JSON values. A value that is not known before
	// apply is the string "(known after apply)", a sensitive one
	// "(sensitive value)".
	Before json.RawMessage `json:"before"`
	After  json.RawMessage `json:"after"`
	// Sensitivity says that only that changes: the value stays.
	Sensitivity bool `json:"sensitivity,omitempty"`
}

// Output is the verdict on one root module output.
type Output struct {
	Name    string          `json:"name"`
	Verdict Verdict         `json:"verdict"`
	Before  json.RawMessage `json:"before,omitempty"`
	After   json.RawMessage `json:"after,omitempty"`
	Reasons diag.List       `json:"reasons,omitempty"`
}

// NewReport is a report of nothing yet: its lists are there, and empty.
func NewReport(sources diag.Sources) Report {
	return Report{Counts: map[Verdict]int{}, Resources: []Resource{}, Outputs: []Output{}, Gaps: diag.List{}, Sources: sources}
}

// settle sorts, counts and decides.
func (r *Report) settle(diags diag.List) {
	slices.SortFunc(r.Resources, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Address, b.Address), cmp.Compare(a.Deposed, b.Deposed))
	})
	slices.SortFunc(r.Outputs, func(a, b Output) int { return cmp.Compare(a.Name, b.Name) })
	r.Proven = !diags.HasErrors() && len(r.Gaps) == 0
	for _, res := range r.Resources {
		r.Counts[res.Verdict]++
		r.Proven = r.Proven && res.Verdict == NoOp && !res.Reasons.HasErrors()
	}
	for _, out := range r.Outputs {
		r.Proven = r.Proven && out.Verdict == NoOp
	}
}
