package tfcli_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
)

// TestDecodePlan tells what a plan changes, and what it may change, from what it
// leaves.
func TestDecodePlan(t *testing.T) {
	t.Parallel()
	changes, err := tfcli.DecodePlan([]byte(`{"resource_changes": [
		{"address": "a.whole", "change": {"actions": ["update"], "before": {"x": null, "y": 1}, "after": {"x": 1}, "after_unknown": {"y": true}, "importing": {"id": "i"}}},
		{"address": "a.part", "change": {"actions": ["update"], "before": {"x": [{"y": 1}]}, "after": {"x": [{}]}, "after_unknown": {"x": [{"y": true}]}}},
		{"address": "a.known", "change": {"actions": ["update"], "before": {"x": 1, "y": [1]}, "after": {"x": 2, "y": [1]}, "after_unknown": {"y": [false]}}},
		{"address": "a.none", "change": {"actions": ["no-op"], "before": {"x": 1}, "after": {"x": 1}, "after_unknown": {}, "importing": {}}},
		{"address": "a.other", "change": {"actions": ["delete", "create"], "before": {"id": "1"}, "after": {}, "after_unknown": {"id": true}}}
	]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, c.String())
	}
	want := []string{
		"a.known update x",
		"a.none import",
		"a.other delete+create id (known after apply)",
		"a.part update x",
		"a.whole import update x,y (known after apply)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := tfcli.DecodePlan([]byte("{")); err == nil {
		t.Error("half a plan was read")
	}
}
