package read_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// TestReadFilled reads the first objects of a type as they are imported, and
// the others with what those agree on.
func TestReadFilled(t *testing.T) {
	t.Parallel()
	refused := diag.Errorf(tfprovider.CodeProvider, "No", "")
	for name, test := range map[string]struct {
		reads func(n int, state feed) (feed, diag.List)
		says  func(id string) string
		want  []string
		calls int
	}{
		"left as it is": {
			reads: func(_ int, state feed) (feed, diag.List) { return state, nil },
			want:  []string{"a ", "b ", "c kept [name]", "d kept [name]", "other "}, calls: 5,
		},
		"not the same for all": {
			reads: func(_ int, state feed) (feed, diag.List) { return state, nil },
			says:  func(id string) string { return "of " + id },
			want:  []string{"a ", "b ", "c ", "d ", "other "}, calls: 5,
		},
		"read after all": {
			reads: func(_ int, state feed) (feed, diag.List) { return feed{state.ID, "read"}, nil },
			want:  []string{"a read", "b read", "c read", "d read", "other read"}, calls: 5,
		},
		"not found": {
			reads: func(_ int, state feed) (feed, diag.List) {
				if state.Name != "" {
					return feed{}, nil
				}
				return state, nil
			},
			want: []string{"a ", "b ", "c ", "d ", "other "}, calls: 7,
		},
		"refused": {
			reads: func(_ int, state feed) (feed, diag.List) {
				if state.Name != "" {
					return feed{}, diag.List{refused}
				}
				return state, nil
			},
			want: []string{"a ", "b ", "c ", "d ", "other "}, calls: 7,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &script{reads: test.reads}
			found := []discover.Found{{Type: "x_feed", ID: "a"}, {Type: "x_feed", ID: "b"}, {Type: "x_feed", ID: "c"}, {Type: "x_feed", ID: "d"}, {Type: "x_feed_a", ID: "other"}}
			var asked sync.Map
			outcomes, _ := read.ReadRising(t.Context(), provider, found, read.Rising{Concurrency: 1, Fills: func(_ context.Context, o read.Object) map[string]cty.Value {
				asked.Store(o.Found.ID, true)
				says := "kept"
				if test.says != nil {
					says = test.says(o.Found.ID)
				}
				return map[string]cty.Value{"name": cty.StringVal(says), "no such": cty.True}
			}})
			var got []string
			for _, o := range outcomes {
				for _, object := range o.Objects {
					state := feedOf(object.State)
					text := state.ID + " " + state.Name
					if len(object.Filled) > 0 {
						text += fmt.Sprint(" ", object.Filled)
					}
					if unfilled := feedOf(object.Unfilled().State); len(object.Filled) > 0 && unfilled != (feed{ID: state.ID}) {
						t.Errorf("unfilled is %v", unfilled)
					}
					got = append(got, text)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, f := range found {
				if _, ok := asked.Load(f.ID); ok != (f.ID == "a" || f.ID == "b") {
					t.Errorf("asked about %s: %t", f.ID, ok)
				}
			}
			if provider.calls != test.calls {
				t.Errorf("%d reads, want %d", provider.calls, test.calls)
			}
		})
	}
}
