package files

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A table behaves as a map, old copies stay as they were, and a difference is
// exactly what differs.
func TestTableIsAPersistentMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[a-d/]{0,4}`)
		var now table[int]
		model := map[string]int{}
		type version struct {
			t table[int]
			m map[string]int
		}
		versions := []version{{now, maps.Clone(model)}}
		for range rapid.IntRange(1, 60).Draw(t, "writes") {
			k := key.Draw(t, "key")
			if rapid.Bool().Draw(t, "set") {
				v := rapid.IntRange(0, 3).Draw(t, "value")
				now, model[k] = now.Set(k, v), v
			} else {
				now = now.Delete(k)
				delete(model, k)
			}
			versions = append(versions, version{now, maps.Clone(model)})
		}
		for _, v := range versions {
			require.Equal(t, len(v.m), v.t.Len())
			var order []string
			v.t.From("b", func(k string, n int) bool {
				require.Equal(t, v.m[k], n)
				order = append(order, k)
				return true
			})
			want := slices.Sorted(maps.Keys(v.m))
			want = slices.DeleteFunc(want, func(k string) bool { return k < "b" })
			require.True(t, slices.Equal(want, order), "want %v, got %v", want, order)
		}
		a, b := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "a")], versions[len(versions)-1]
		got := maps.Clone(a.m)
		diff(a.t.root, b.t.root, func(k string, o, n int, was, is bool) {
			old, had := got[k]
			require.Equal(t, had, was)
			require.Equal(t, old, o)
			if is {
				got[k] = n
			} else {
				delete(got, k)
			}
		})
		require.Equal(t, b.m, got)
	})
}
