package discover

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
)

// TestAhead reads inventories before they are asked for: they say the same as
// those that are read when they are asked for.
func TestAhead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"objects": "{\"type\":\"x_role\",\"id\":\"a\"}\n{\"type\":\"x_key\",\"id\":\"b\"}\n",
		"faults":  "{\"type\":\"x_role\",\"id\":\"a\"}\n{\"type\":\"x_roll\",\"id\":\"b\"}\n{}\n",
		"nothing": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inventory := Inventory{Path: writeFile(t, "i.jsonl", text)}
			want, wantOutcome, wantDiags := discoverAll(t, inventory, estateScope())
			source := inventory.Ahead(t.Context(), estateScope())
			got, outcome, diags := discoverAll(t, source, estateScope())
			if source.Name() != inventory.Name() {
				t.Error("called", source.Name())
			}
			if diff := cmp.Diff(keys(want), keys(got)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(wantOutcome, outcome, cmp.Comparer(cty.Value.RawEquals)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(wantDiags, diags); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func keys(found []Found) (out []string) {
	for _, f := range found {
		out = append(out, f.Key())
	}
	return out
}

// TestAheadEnds where nobody wants to know any more.
func TestAheadEnds(t *testing.T) {
	t.Parallel()
	source := Inventory{Path: writeFile(t, "i.jsonl", "{\"type\":\"x_role\",\"id\":\"a\"}\n")}.Ahead(t.Context(), estateScope())
	enough := errors.New("enough")
	_, diags := source.Discover(t.Context(), estateScope(), func(Found) error { return enough })
	wantInterrupted(t, diags)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	late := Inventory{Path: writeFile(t, "i.jsonl", "{\"type\":\"x_role\",\"id\":\"a\"}\n")}.Ahead(ctx, estateScope())
	_, diags = late.Discover(t.Context(), estateScope(), func(Found) error { return nil })
	wantInterrupted(t, diags)
}

func wantInterrupted(t *testing.T, diags diag.List) {
	t.Helper()
	if len(diags) != 1 || diags[0].Code != "DI0007" {
		t.Error("it says", diags.Err())
	}
}
