package read_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
)

// TestSteady holds that what was read is what a client reads as well, and that
// what no two reads agree on is named.
func TestSteady(t *testing.T) {
	t.Parallel()
	same := func(_ int, state feed) (feed, diag.List) { return feed{state.ID, "news"}, nil }
	type result struct {
		Name     string
		Wavering []string
	}
	for name, test := range map[string]struct {
		objects int
		reads   func(n int, state feed) (feed, diag.List)
		want    map[string]result // of what is not as it was read first
		most    int               // reads after the first of each object
	}{
		"all the same": {objects: 9, reads: same, most: read.Witnesses},
		"whole at the second read": {objects: 1, most: 5,
			reads: func(_ int, state feed) (feed, diag.List) {
				if state.Name == "" {
					return feed{state.ID, "new"}, nil
				}
				return feed{state.ID, "news"}, nil
			},
			want: map[string]result{"0": {Name: "news"}},
		},
		"another each time, of the object that says most": {objects: 9, most: 2 + 4*9,
			reads: func(n int, state feed) (feed, diag.List) {
				if state.ID == "7" {
					return feed{state.ID, fmt.Sprintf("long news %04d", n)}, nil
				}
				return same(n, state)
			},
			want: map[string]result{"7": {Wavering: []string{"name"}}},
		},
		"not to be had again": {objects: 1, most: 1,
			reads: func(n int, state feed) (feed, diag.List) {
				if n > 1 {
					return feed{}, nil
				}
				return same(n, state)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &script{reads: test.reads}
			var found []discover.Found
			for i := range test.objects {
				found = append(found, discover.Found{Type: "x_feed", ID: fmt.Sprint(i)})
			}
			first := read.Read(t.Context(), provider, found, 1)
			before := provider.calls
			var got map[string]result
			for i, o := range read.Steady(t.Context(), provider, first, 1) {
				state, was := o.Objects[0].State, first[i].Objects[0]
				if state.RawEquals(was.State) && o.Objects[0].Wavering == nil {
					continue
				}
				if got == nil {
					got = map[string]result{}
				}
				r := result{Wavering: o.Objects[0].Wavering}
				if r.Wavering == nil {
					r.Name = feedOf(state).Name
				}
				got[o.Found.ID] = r
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if more := provider.calls - before; more > test.most {
				t.Errorf("read %d times more, want at most %d", more, test.most)
			}
		})
	}
}
