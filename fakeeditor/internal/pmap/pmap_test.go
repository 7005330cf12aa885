package pmap

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// key collides often, so that lists of equal hashes and deep splits are met.
type key uint32

func (k key) Hash() uint32 { return uint32(k) % 7 * 0x08000001 }

func contents(m Map[key, int]) map[key]int {
	out := map[key]int{}
	m.Each(func(k key, v int) bool { out[k] = v; return true })
	return out
}

// Every version of the map keeps its own contents whatever is done to the others.
func TestVersionsAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type version struct {
			m    Map[key, int]
			want map[key]int
		}
		all := []version{{want: map[key]int{}}}
		for range rapid.IntRange(1, 80).Draw(t, "writes") {
			i := rapid.IntRange(0, len(all)-1).Draw(t, "of")
			next := version{m: all[i].m, want: map[key]int{}}
			for k, v := range all[i].want {
				next.want[k] = v
			}
			k := key(rapid.IntRange(0, 40).Draw(t, "key"))
			if rapid.Bool().Draw(t, "delete") {
				next.m.Delete(k, nil)
				delete(next.want, k)
			} else {
				v := rapid.IntRange(0, 9).Draw(t, "value")
				next.m.Set(k, v, nil)
				next.want[k] = v
			}
			all = append(all, next)
		}
		for _, v := range all {
			require.Equal(t, v.want, contents(v.m))
			require.Equal(t, len(v.want), v.m.Len())
			for k, x := range v.want {
				got, ok := v.m.Get(k)
				require.True(t, ok)
				require.Equal(t, x, got)
			}
		}
	})
}

// A writer with a token works in place; what was frozen before its token stays.
func TestOwnedWritesLeaveFrozenMapsAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Map[key, int]
		want := map[key]int{}
		for range rapid.IntRange(1, 6).Draw(t, "rounds") {
			frozen, frozenWant := m, contents(m)
			owner := new(Owner)
			for range rapid.IntRange(0, 30).Draw(t, "writes") {
				k := key(rapid.IntRange(0, 40).Draw(t, "key"))
				if rapid.Bool().Draw(t, "delete") {
					m.Delete(k, owner)
					delete(want, k)
				} else {
					v := rapid.IntRange(0, 9).Draw(t, "value")
					m.Set(k, v, owner)
					want[k] = v
				}
			}
			require.Equal(t, frozenWant, contents(frozen))
			require.Equal(t, want, contents(m))
		}
	})
}
