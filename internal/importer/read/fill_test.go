package read_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// TestReadFilled reads the first object of a type as it is imported, and the
// others with what that one taught.
func TestReadFilled(t *testing.T) {
	t.Parallel()
	refused := diag.Errorf(tfprovider.CodeProvider, "No", "")
	for name, test := range map[string]struct {
		reads func(n int, state feed) (feed, diag.List)
		want  []string
		calls int
	}{
		"left as it is": {
			reads: func(_ int, state feed) (feed, diag.List) { return state, nil },
			want:  []string{"a ", "b kept [name]", "c kept [name]", "other "}, calls: 4,
		},
		"read after all": {
			reads: func(_ int, state feed) (feed, diag.List) { return feed{state.ID, "read"}, nil },
			want:  []string{"a read", "b read", "c read", "other read"}, calls: 4,
		},
		"refused": {
			reads: func(_ int, state feed) (feed, diag.List) {
				if state.Name != "" {
					return feed{}, diag.List{refused}
				}
				return state, nil
			},
			want: []string{"a ", "b ", "c ", "other "}, calls: 6,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &script{reads: test.reads}
			found := []discover.Found{{Type: "x_feed", ID: "a"}, {Type: "x_feed", ID: "b"}, {Type: "x_feed", ID: "c"}, {Type: "x_feed_a", ID: "other"}}
			var asked []string
			outcomes, _ := read.ReadRising(t.Context(), provider, found, read.Rising{Concurrency: 2, Fills: func(_ context.Context, o read.Object) map[string]cty.Value {
				asked = append(asked, o.Found.ID)
				return map[string]cty.Value{"name": cty.StringVal("kept"), "no such": cty.True}
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
			if diff := cmp.Diff([]string{"a"}, asked); diff != "" || provider.calls != test.calls {
				t.Errorf("asked about %v; %d reads, want %d", asked, provider.calls, test.calls)
			}
		})
	}
}
