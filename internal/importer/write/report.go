package write

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// ReportVersion is the version of the format below. Members may be added
// under the same version; none is removed or changes its meaning.
const ReportVersion = 1

// Report is what report.json says. It has no secrets and, but for Timings,
// is the same for the same work. Lists are never null. Paths are written as
// in HCL (`rule[0].port`), types and addresses as in configuration.
type Report struct {
	Version  int            `json:"version"`
	Provider ReportProvider `json:"provider"`
	// Handover says how what exists is handed over: "tfstate",
	// "import-blocks" or "both".
	Handover string `json:"handover"`
	// Summary counts what the lists below hold. [Module.FinalReport] fills it in.
	Summary   Summary          `json:"summary"`
	Resources []ResourceReport `json:"resources"`
	Variables []VariableReport `json:"variables"`
	Types     TypesReport      `json:"types"`
	// Diagnostics are those that concern no single resource.
	Diagnostics diag.List `json:"diagnostics"`
	// Files has the SHA-256 in hex of the files that were written with the
	// report, but for those that may hold secrets, and for the lock file, which
	// is others' as well. A copy of the directory is known by them. That of the
	// report itself is of its text with zeros in its place.
	Files map[string]string `json:"files,omitempty"`
	// Timings are wall-clock seconds by stage. They differ on every run, so
	// they are left out unless somebody asks.
	Timings map[string]float64 `json:"timings,omitempty"`
}

// ReportProvider says which provider was used.
type ReportProvider struct {
	Source  string `json:"source"`            // host/namespace/type
	Version string `json:"version,omitempty"` // absent for a local binary
}

// Summary counts resources, unless a member says otherwise.
type Summary struct {
	Found    int `json:"found"`
	Imported int `json:"imported"`
	// NoOp are the imported ones whose plan was proven to change nothing.
	NoOp   int `json:"no_op"`
	Failed int `json:"failed"`
	// Managed were left out, since files of the user's own manage them.
	Managed int `json:"managed"`
	// Settled counts attributes, Links references, Variables variables, and
	// NotEnumerable resource types.
	Settled       int `json:"settled_attributes"`
	Links         int `json:"links"`
	Variables     int `json:"variables"`
	NotEnumerable int `json:"types_not_enumerable"`
}

// Outcome says what became of a resource that was found.
type Outcome string

// The outcomes. Gone is one that was listed or named, and not there when read;
// Managed one that a file of the user's own, beside the import's, manages.
const (
	Imported Outcome = "imported"
	Failed   Outcome = "failed"
	Gone     Outcome = "gone"
	Managed  Outcome = "managed"
)

// ResourceReport is one resource that was found.
type ResourceReport struct {
	Type string `json:"type"`
	// Address is what it is called in the configuration; absent unless it
	// was imported, or is managed already.
	Address string `json:"address,omitempty"`
	// ID, or the parts of the identity, is what it was imported by. Where one
	// tells a secret of the resource, the beginning of its digest stands in its
	// place: "sha256:" and eight hexadecimal digits.
	ID       string          `json:"id,omitempty"`
	Identity json.RawMessage `json:"identity,omitempty"`
	// DisplayName is what the provider calls it, unless that tells a secret.
	DisplayName string `json:"display_name,omitempty"`
	// Source says which source found it.
	Source  string  `json:"source"`
	Outcome Outcome `json:"outcome"`
	// NoOp says that the plan for it was proven to change nothing.
	NoOp bool `json:"no_op"`
	// ManagedBy is the file that has it, where it is managed already.
	ManagedBy string `json:"managed_by,omitempty"`
	// Reason says in one line why it was not imported, or is no no-op.
	Reason string `json:"reason,omitempty"`
	// Settled are attributes that the provider never reads, written into the
	// state with the values that it plans.
	Settled []string `json:"settled,omitempty"`
	// LeftOut are attributes that are not written, and that the object may
	// have another value of when it is made anew.
	LeftOut []string `json:"left_out,omitempty"`
	// Ignored are attributes in ignore_changes.
	Ignored []string `json:"ignored,omitempty"`
	// Wavering are those of Ignored that the provider reads otherwise each time.
	Wavering []string     `json:"wavering,omitempty"`
	Links    []LinkReport `json:"links,omitempty"`
	// Unlinked are values that a rule speaks of and that stayed literals.
	Unlinked []UnlinkedReport `json:"unlinked,omitempty"`
	// Diagnostics are what was said about it.
	Diagnostics diag.List `json:"diagnostics,omitempty"`
}

// Why is the reason with what the provider said of it, in one line; "" where
// there is none. Secrets that it may hold are only known as a whole: ask it of
// a [Module.FinalReport].
func (r ResourceReport) Why() string {
	why := whyFailed(r.Diagnostics)
	if r.Outcome == Gone || !strings.HasPrefix(why, r.Reason) { // what is gone is gone for one reason
		return r.Reason
	}
	return why
}

// whyFailed tells of the first error; "" where there is none.
func whyFailed(diags diag.List) string {
	for _, d := range diags.Errors() {
		return d.Brief()
	}
	return ""
}

// LinkReport is one reference that took the place of a literal.
type LinkReport struct {
	Path   string `json:"path"`
	Target string `json:"target"` // such as "aws_iam_role.admin.arn"
	Rule   string `json:"rule,omitempty"`
}

// UnlinkedReport is one literal that a rule speaks of.
type UnlinkedReport struct {
	Path string `json:"path"`
	// Kind is the reason in a word: not-found, ambiguous, itself, cycle,
	// secret or unreferable.
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
	Rule   string `json:"rule"`
}

// VariableReport is one variable that took the place of a value.
type VariableReport struct {
	Name string `json:"name"`
	// Owner and Path say which attribute it is for. Sensitive says that its value
	// is a secret.
	Owner     string `json:"owner"`
	Path      string `json:"path"`
	Sensitive bool   `json:"sensitive"`
	// StandIn says that its value only holds a place.
	StandIn bool `json:"stand_in"`
	// Import says that it is for the import block of its owner, where the tools
	// refuse variables that are declared sensitive.
	Import bool `json:"import,omitempty"`
	// Guarded says that a secret of another owner's is in its value.
	Guarded bool `json:"guarded,omitempty"`
	// FilledIn says that the user has put another value in its place, which
	// imports into the same directory keep.
	FilledIn bool `json:"filled_in,omitempty"`
}

// TypesReport says which resource types of the provider were looked at. The
// lists are sorted.
type TypesReport struct {
	Enumerated []string `json:"enumerated"`
	// NamedOnly types are known only by the objects that the user named.
	NamedOnly []string `json:"named_only"`
	// Truncated types have more objects than a limit let through.
	Truncated []string `json:"truncated"`
	// NeedConfig types can be listed with a query file.
	NeedConfig    []string     `json:"need_configuration"`
	NotEnumerable []string     `json:"not_enumerable"`
	Failed        []FailedType `json:"failed"`
	// Excluded counts objects that the user left out.
	Excluded int `json:"excluded_objects"`
}

// FailedType is a type that could not be listed.
type FailedType struct {
	Type        string    `json:"type"`
	Diagnostics diag.List `json:"diagnostics"`
}

// Why is the reason in one line; "" where none is told. As with that of a
// resource, ask it of a [Module.FinalReport].
func (f FailedType) Why() string { return whyFailed(f.Diagnostics) }

// Encode writes r as indented JSON, ending with a newline.
func (r Report) Encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(r)
	return b.Bytes(), err
}

// FinalReport is m's report as it may be shown: sorted, counted, with its
// provider filled in, and without secrets in its messages.
func (m Module) FinalReport() Report {
	r := m.Report
	r.Provider = ReportProvider{Source: m.Provider.String(), Version: m.Version}
	r.Handover = m.handover()
	r.Variables = slices.Clone(r.Variables)
	for i := range r.Variables {
		v := &r.Variables[i]
		v.FilledIn = slices.ContainsFunc(m.Variables, func(of Variable) bool { return of.Name == v.Name && of.FilledIn })
	}
	return r.Sorted().redacted(m.secrets())
}

// The ways to hand over what exists.
const (
	HandoverState  = "tfstate"
	HandoverBlocks = "import-blocks"
	HandoverBoth   = "both"
)

func (m Module) handover() string {
	switch {
	case m.State == nil:
		return HandoverBlocks
	case len(m.Imports) > 0:
		return HandoverBoth
	default:
		return HandoverState
	}
}

// Sorted returns r with its lists in order, its version and its summary
// filled in. It shares nothing with r that it changes.
func (r Report) Sorted() Report {
	r.Version = ReportVersion
	r.Resources = inOrder(r.Resources, compareResources)
	for i := range r.Resources {
		res := &r.Resources[i]
		res.Settled = inOrder(res.Settled, strings.Compare)
		res.Ignored = inOrder(res.Ignored, strings.Compare)
		res.Wavering = inOrder(res.Wavering, strings.Compare)
		res.Links = inOrder(res.Links, func(a, b LinkReport) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Target, b.Target))
		})
	}
	r.Variables = inOrder(r.Variables, func(a, b VariableReport) int { return strings.Compare(a.Name, b.Name) })
	for _, list := range []*[]string{&r.Types.Enumerated, &r.Types.NamedOnly, &r.Types.Truncated, &r.Types.NeedConfig, &r.Types.NotEnumerable} {
		*list = orEmpty(inOrder(*list, strings.Compare))
	}
	r.Types.Failed = orEmpty(inOrder(r.Types.Failed, func(a, b FailedType) int { return strings.Compare(a.Type, b.Type) }))
	r.Resources, r.Variables, r.Diagnostics = orEmpty(r.Resources), orEmpty(r.Variables), orEmpty(r.Diagnostics)
	r.Summary = r.count()
	return r
}

// inOrder is a sorted copy of a list.
func inOrder[S ~[]E, E any](list S, compare func(a, b E) int) S {
	out := slices.Clone(list)
	slices.SortStableFunc(out, compare)
	return out
}

func compareResources(a, b ResourceReport) int {
	return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Address, b.Address),
		strings.Compare(a.ID, b.ID), bytes.Compare(a.Identity, b.Identity))
}

// orEmpty keeps lists from being null in JSON.
func orEmpty[S ~[]E, E any](list S) S {
	if list == nil {
		return S{}
	}
	return list
}

func (r Report) count() Summary {
	s := Summary{Found: len(r.Resources), Variables: len(r.Variables), NotEnumerable: len(r.Types.NotEnumerable)}
	for _, res := range r.Resources {
		switch res.Outcome {
		case Imported:
			s.Imported++
		case Failed:
			s.Failed++
		case Managed:
			s.Managed++
		}
		if res.NoOp {
			s.NoOp++
		}
		s.Settled += len(res.Settled)
		s.Links += len(res.Links)
	}
	return s
}
