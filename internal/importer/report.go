package importer

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/minimise"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/importer/write"
)

// report says what became of everything that was found. Whether the written
// module is a no-op is for whoever proves it to add.
func (r *run) report(discovered discover.Result, outcomes []read.Outcome, repeats []repeat, a *assembly, diags diag.List) write.Report {
	out := write.Report{
		Version:     write.ReportVersion,
		Provider:    write.ReportProvider{Source: r.req.Address.String(), Version: r.req.Version},
		Types:       typesReport(discovered.Coverage),
		Diagnostics: withoutQuotes(diags),
	}
	warnings := warningsByName(outcomes)
	addresses := map[string]string{}
	for i := range a.resources {
		resource := a.resources[i].report(a.secrets)
		resource.Diagnostics = append(slices.Clip(warnings[a.resources[i].Object.Found.Key()]), resource.Diagnostics...)
		addresses[a.resources[i].Object.Found.Key()] = resource.Address
		out.Resources = append(out.Resources, resource)
	}
	for _, again := range repeats {
		out.Resources = append(out.Resources, again.report(addresses[again.of.Key()], a.secrets))
	}
	for _, m := range a.failed {
		out.Resources = append(out.Resources, failureReport(m.Object.Found, write.Failed, m.Diagnostics, a.secrets))
	}
	for _, o := range outcomes {
		if len(o.Objects) == 0 || o.Diagnostics.HasErrors() {
			out.Resources = append(out.Resources, failureReport(o.Found, readOutcome(o.Diagnostics), o.Diagnostics, a.secrets))
		}
	}
	for _, rejected := range discovered.Rejected {
		out.Resources = append(out.Resources, failureReport(rejected.Found, write.Failed, rejected.Diagnostics, a.secrets))
	}
	for _, v := range a.variables {
		out.Variables = append(out.Variables, write.VariableReport{
			Name: v.Name, Owner: v.Owner, Path: v.Path, Sensitive: v.Sensitive, StandIn: v.StandIn, Import: v.Import, Guarded: v.Guarded,
		})
	}
	return out
}

// withoutQuotes leaves out what commands of the user's printed, which is not
// for files.
func withoutQuotes(diags diag.List) diag.List {
	out := slices.Clone(diags)
	for i, d := range out {
		if d.Code == discover.CodeComplaint {
			kept := *d
			kept.Detail = "What it printed on standard error is not kept."
			out[i] = &kept
		}
	}
	return out
}

// warningsByName are what reading said beside objects, by what the objects
// were found as.
func warningsByName(outcomes []read.Outcome) map[string]diag.List {
	out := map[string]diag.List{}
	for _, o := range outcomes {
		for _, d := range o.Diagnostics {
			if d.Severity == diag.Warning {
				out[o.Found.Key()] = append(out[o.Found.Key()], d)
			}
		}
	}
	return out
}

// report lists what was found a second time under the address of the first.
// Without one, the first has failed, and this has too.
func (again repeat) report(address string, s secrets) write.ResourceReport {
	if address == "" {
		return failureReport(again.found, write.Failed, diag.List{failedBefore()}, s)
	}
	out := foundReport(again.found, s)
	out.Address, out.Outcome = address, write.Imported
	out.Diagnostics = diag.List{foundBefore(address)}
	return out
}

func typesReport(c discover.Coverage) write.TypesReport {
	out := write.TypesReport{
		Enumerated: c.Enumerated, NamedOnly: c.NamedOnly, Truncated: c.Truncated, NeedConfig: c.NeedConfig,
		NotEnumerable: c.NotEnumerable, Excluded: c.Excluded,
	}
	for _, f := range c.Failed {
		out.Failed = append(out.Failed, write.FailedType{Type: f.Type, Diagnostics: f.Diagnostics})
	}
	return out
}

func (r *resource) report(s secrets) write.ResourceReport {
	out := foundReport(r.Object.Found, s)
	out.Type, out.Address, out.Outcome = r.Object.Type, r.addr.String(), write.Imported
	out.Diagnostics = r.Diagnostics
	for _, path := range r.Settled {
		out.Settled = append(out.Settled, ctyx.PathString(path))
	}
	for _, path := range r.ignored() {
		out.Ignored = append(out.Ignored, ctyx.PathString(path))
	}
	for _, path := range r.Wavering {
		out.Wavering = append(out.Wavering, ctyx.PathString(path))
		out.Diagnostics = append(out.Diagnostics, minimise.Wavers(path).For(r.addr.String()))
	}
	for _, path := range r.Conflicting {
		out.LeftOut = append(out.LeftOut, ctyx.PathString(path))
		out.Diagnostics = append(out.Diagnostics, minimise.LeftOut(path).For(r.addr.String()))
	}
	for _, path := range r.Chosen {
		out.LeftOut = append(out.LeftOut, ctyx.PathString(path))
		out.Diagnostics = append(out.Diagnostics, minimise.LeftToChance(path).For(r.addr.String()))
	}
	for _, l := range r.links {
		out.Links = append(out.Links, write.LinkReport{
			Path: l.Path, Target: l.To.String() + "." + l.Attribute, Rule: rulePlace(l.Rule),
		})
	}
	for _, skipped := range r.unlinked {
		out.Unlinked = append(out.Unlinked, write.UnlinkedReport{
			Path: skipped.Path, Kind: string(skipped.Reason), Reason: skipped.Why(), Rule: rulePlace(skipped.Rule),
		})
	}
	return out
}

func rulePlace(r hcl.Range) string { return fmt.Sprintf("%s:%d", r.Filename, r.Start.Line) }

// foundReport is what a report says of anything that was found, without the
// secrets that are in what it was found by.
func foundReport(found discover.Found, s secrets) write.ResourceReport {
	found = cover(found, s.of(found))
	return write.ResourceReport{Type: found.Type, ID: found.ID, Identity: identityText(found.Identity), DisplayName: found.DisplayName, Source: found.Source}
}

// cover covers what something was found by where that tells secrets.
func cover(found discover.Found, values []string) discover.Found {
	found.ID, found.Identity = secret.Cover(found.ID, values), secret.CoverIdentity(found.Identity, values)
	if secret.Tells(found.DisplayName, values) {
		found.DisplayName = secret.Placeholder
	}
	return found
}

func failureReport(found discover.Found, outcome write.Outcome, diags diag.List, s secrets) write.ResourceReport {
	out := foundReport(found, s)
	out.Outcome, out.Diagnostics = outcome, diags
	if errs := diags.Errors(); len(errs) > 0 {
		out.Reason = errs[0].Summary
	}
	return out
}

func readOutcome(diags diag.List) write.Outcome {
	for _, d := range diags.Errors() {
		if d.Code == read.CodeGone {
			return write.Gone
		}
	}
	return write.Failed
}
