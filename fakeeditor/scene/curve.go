package scene

import (
	"slices"

	"godot-mcp/server/godot/variant"
)

// The limits of a curve are one property in files, and four in old files and for
// everybody else.
const curveLimits = "_limits"

var limitNames = []string{"min_value", "max_value", "min_domain", "max_domain"}

// withLimits gives the values of a curve with one of its limits, or all, changed.
func (e Env) withLimits(o object, name string, v variant.Value) Props {
	all := []float64{0, 1, 0, 1}
	if now, ok := o.props.Get(curveLimits); ok {
		readLimits(all, now)
	}
	if i := slices.Index(limitNames, name); i >= 0 {
		all[i], _ = v.Number()
	} else {
		readLimits(all, v)
	}
	items := make([]variant.Value, len(all))
	props := o.props
	c := classOf(o.class)
	for i, f := range all {
		items[i] = variant.Float(f)
		if c.fresh(limitNames[i]).Equal(items[i]) {
			props = props.Without(limitNames[i])
		} else {
			props = props.With(limitNames[i], items[i])
		}
	}
	if all[0] == 0 && all[1] == 1 && all[2] == 0 && all[3] == 1 {
		return props.Without(curveLimits)
	}
	return props.With(curveLimits, variant.NewArray(items...))
}

func readLimits(all []float64, v variant.Value) {
	list, ok := v.Array()
	if !ok || list.Len() != len(all) {
		return
	}
	for i, item := range list.Items() {
		all[i], _ = item.Number()
	}
}
