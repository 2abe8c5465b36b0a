package workflow

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/importer/link"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfhost"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// loadRules reads files of link rules and merges them. The sources quote them
// in diagnostics. The rules are nil beside errors.
func loadRules(ctx context.Context, files []string) (*link.Rules, diag.Sources, diag.List) {
	sources := diag.Sources{}
	var all []*link.Rules
	var diags diag.List
	for _, path := range files {
		src, more := unlessInterrupted(ctx, func() ([]byte, diag.List) { return readRules(path) })
		if diags = append(diags, more...); more.HasErrors() {
			continue
		}
		rules, more := link.ParseRules(path, src)
		sources[path], all, diags = src, append(all, rules), append(diags, more...)
	}
	if diags.HasErrors() {
		return nil, sources, diags
	}
	return link.Merge(all...), sources, diags
}

func readRules(path string) ([]byte, diag.List) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.List{unreadableRules(path, err)}
	}
	return src, nil
}

// CheckRules holds rule files to a provider's schema.
func CheckRules(ctx context.Context, env tfhost.Environment, provider tfregistry.Request, files []string) (diag.Sources, diag.List) {
	rules, sources, diags := loadRules(ctx, files)
	if diags.HasErrors() {
		return sources, diags
	}
	env.Kept = tfprovider.KeptHere
	host, more := tfhost.New(env)
	if diags = append(diags, more...); diags.HasErrors() {
		return sources, diags
	}
	defer host.Close()
	opened, more := host.Open(ctx, provider)
	if diags = append(diags, more...); diags.HasErrors() {
		return sources, diags
	}
	catalog, more := opened.Schema(ctx)
	if diags = append(diags, more...); diags.HasErrors() {
		return sources, diags
	}
	return sources, append(diags, link.Check(rules, catalog)...)
}

// ExplainedLink says why one value became a reference, or did not.
type ExplainedLink struct {
	Address string `json:"address"`
	Path    string `json:"path"`
	// Target is what is referred to; "" where there is no link, and Reason
	// says why.
	Target string `json:"target,omitempty"`
	Reason string `json:"reason,omitempty"`
	Rule   string `json:"rule"`
}

// ExplainLinks reads the report of an import in dir. An address narrows it
// to one resource.
func ExplainLinks(dir, address string) ([]ExplainedLink, diag.List) {
	path := filepath.Join(dir, write.ReportFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.List{noReport(path, err)}
	}
	var report write.Report
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, diag.List{noReport(path, err)}
	}
	out := []ExplainedLink{}
	var addresses []string
	found := address == ""
	for _, r := range report.Resources {
		addresses = append(addresses, r.Address)
		if address != "" && r.Address != address {
			continue
		}
		found = true
		for _, l := range r.Links {
			out = append(out, ExplainedLink{Address: r.Address, Path: l.Path, Target: l.Target, Rule: l.Rule})
		}
		for _, u := range r.Unlinked {
			out = append(out, ExplainedLink{Address: r.Address, Path: u.Path, Reason: u.Reason, Rule: u.Rule})
		}
	}
	if !found {
		return nil, diag.List{noSuchAddress(address, path, suggest.DidYouMean(address, addresses))}
	}
	return out, nil
}
