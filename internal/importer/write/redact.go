package write

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/secret"
)

// secrets are what the messages of m's report must not hold: [Module.Secrets]
// and the values of sensitive and guarded variables.
func (m Module) secrets() []string {
	out := slices.Clone(m.Secrets)
	for _, v := range m.Variables {
		if (v.FilledIn || v.Sensitive && !v.StandIn || v.Guarded) && v.Value != cty.NilVal {
			out = append(out, stringsIn(v.Value)...)
		}
	}
	return out
}

// redacted returns r with secrets taken out of its messages, which providers
// word as they like: as they are, and as they are quoted.
func (r Report) redacted(secrets []string) Report {
	var values []string
	for _, s := range secrets {
		if len(s) < secret.Shortest {
			continue
		}
		values = append(values, s)
		if quoted := strconv.Quote(s); quoted != `"`+s+`"` {
			values = append(values, quoted[1:len(quoted)-1])
		}
	}
	if len(values) == 0 {
		return r
	}
	slices.SortFunc(values, func(a, b string) int { // a secret may hold another
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	var pairs []string
	for _, v := range slices.Compact(values) {
		pairs = append(pairs, v, secret.Placeholder)
	}
	replace := strings.NewReplacer(pairs...)
	r.Diagnostics = redactList(r.Diagnostics, replace)
	r.Resources = slices.Clone(r.Resources)
	for i := range r.Resources {
		r.Resources[i].Reason = replace.Replace(r.Resources[i].Reason)
		r.Resources[i].Diagnostics = redactList(r.Resources[i].Diagnostics, replace)
	}
	r.Types.Failed = slices.Clone(r.Types.Failed)
	for i := range r.Types.Failed {
		r.Types.Failed[i].Diagnostics = redactList(r.Types.Failed[i].Diagnostics, replace)
	}
	return r
}

func redactList(list diag.List, replace *strings.Replacer) diag.List {
	if list == nil {
		return nil
	}
	out := make(diag.List, len(list))
	for i, d := range list {
		copied := *d
		copied.Summary, copied.Detail = replace.Replace(d.Summary), replace.Replace(d.Detail)
		out[i] = &copied
	}
	return out
}

// stringsIn lists the strings inside a value.
func stringsIn(v cty.Value) []string {
	var out []string
	v = ctyx.Unmark(v)
	_ = cty.Walk(v, func(_ cty.Path, v cty.Value) (bool, error) {
		if v.Type() == cty.String && v.IsKnown() && !v.IsNull() {
			out = append(out, v.AsString())
		}
		return true, nil
	})
	return out
}
