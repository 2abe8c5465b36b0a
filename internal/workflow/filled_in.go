package workflow

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
	"github.com/formation-iac/formation/internal/importer/write"
)

// secretsFile is the file of private values as it stands in the directory.
type secretsFile struct {
	path   string
	text   []byte // nil where there is none
	edited bool   // since it was written
	values map[string]cty.Value
	at     map[string]hcl.Range
}

// parse reads the values, which are literals. Diagnostics never quote the
// text, nor does the library's wording, which may.
func (s *secretsFile) parse() diag.List {
	s.values, s.at = map[string]cty.Value{}, map[string]hcl.Range{}
	if s.text == nil {
		return nil
	}
	file, faults := hcltext.ParseConfig(s.text, s.path)
	if faults.HasErrors() {
		return diag.List{badSecrets(s.path, placeOf(faults), "it is no HCL")}
	}
	attrs, faults := file.Body.JustAttributes()
	if faults.HasErrors() {
		return diag.List{badSecrets(s.path, placeOf(faults), "it has a block")}
	}
	var diags diag.List
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		v, faults := attrs[name].Expr.Value(nil)
		if faults.HasErrors() {
			diags = append(diags, badSecrets(s.path, attrs[name].NameRange, name+" has a value that is no literal"))
			continue
		}
		s.values[name], s.at[name] = v, attrs[name].NameRange
	}
	return diags
}

func placeOf(faults hcl.Diagnostics) hcl.Range {
	for _, f := range faults {
		if f.Severity == hcl.DiagError && f.Subject != nil {
			return *f.Subject
		}
	}
	return hcl.Range{Start: hcl.InitialPos}
}

// fillIn gives the variables that the provider cannot read the values that
// the user gave them. What else the user wrote into the file, and what has no
// variable any more, would be lost, and is an error; prune lets go of what
// the earlier import asked for.
func (e earlier) fillIn(module *write.Module, prune bool) diag.List {
	var diags diag.List
	var changed []string
	stray := maps.Clone(e.secrets.values)
	module.Variables = slices.Clone(module.Variables)
	for i := range module.Variables {
		v := &module.Variables[i]
		given, ok := e.secrets.values[v.Name]
		delete(stray, v.Name)
		if !ok || !e.users(v.Name) {
			continue
		}
		given, err := convert.Convert(given, v.Type)
		if err != nil {
			diags = append(diags, badSecrets(e.secrets.path, e.secrets.at[v.Name], v.Name+" has a value of another type than its variable"))
			continue
		}
		switch {
		case v.Value != cty.NilVal && given.RawEquals(v.Value):
		case v.StandIn || v.Value == cty.NilVal:
			v.Value, v.FilledIn = given, true
		default:
			changed = append(changed, v.Name)
		}
	}
	if len(changed) > 0 {
		diags = append(diags, overriddenValues(e.secrets.path, slices.Sorted(slices.Values(changed))))
	}
	maps.DeleteFunc(stray, func(name string, _ cty.Value) bool { return !e.users(name) || prune && e.hadVariable(name) })
	if len(stray) > 0 {
		diags = append(diags, strayValues(e.secrets.path, slices.Sorted(maps.Keys(stray))))
	}
	return diags
}

// users reports whether the value of that variable may be the user's: the
// file was edited, or an import kept it before.
func (e earlier) users(name string) bool {
	if e.secrets.edited || e.report == nil {
		return true
	}
	return slices.ContainsFunc(e.report.Variables, func(v write.VariableReport) bool { return v.Name == name && v.FilledIn })
}

func (e earlier) hadVariable(name string) bool {
	return e.report != nil && slices.ContainsFunc(e.report.Variables, func(v write.VariableReport) bool { return v.Name == name })
}
