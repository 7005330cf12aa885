package report

import (
	"fmt"
	"html"
	"strings"
)

const barLength = 90.0

// bar draws an estimate: its value as a bar, its interval as a line, and the
// number.
func bar(e Estimate, color string) markup {
	if !e.Known {
		return `<span class="dim">—</span>`
	}
	return markup(fmt.Sprintf(`<span class="bar"><svg width="92" height="14" role="img" aria-label="%[5]s"><rect x="1" y="2" width="%.1[1]f" height="10" fill="var(--soft)"/>`+
		`<rect x="1" y="2" width="%.1[2]f" height="10" rx="2" fill="var(--%[6]s)"/><path d="M%.1[3]f 3v8M%.1[3]f 7H%.1[4]fM%.1[4]f 3v8" stroke="currentColor" fill="none"/></svg>%.2[7]f</span>`,
		barLength, barLength*e.Value, 1+barLength*e.Low, 1+barLength*e.High, e.String(), color, e.Value))
}

// The colours of agents in the curve, far apart for any eyes, then again.
var lineColors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98"}

const (
	curveWidth, curveHeight = 460.0, 220.0
	curveLeft, curveBottom  = 36.0, 24.0
)

// curve draws trusted^k of each agent over k.
func curve(agents []Agent) markup {
	var b strings.Builder
	top := 0
	for _, a := range agents {
		top = max(top, len(a.Curve))
	}
	x := func(i int) float64 {
		return curveLeft + (curveWidth-curveLeft-10)*float64(i)/float64(max(1, top-1))
	}
	y := func(v float64) float64 { return 8 + (curveHeight-curveBottom-8)*(1-v) }
	fmt.Fprintf(&b, `<svg viewBox="0 0 %g %g" width="%g" role="img" aria-label="trusted^k over k" style="max-width:100%%">`, curveWidth, curveHeight, curveWidth)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(&b, `<path d="M%g %.1f H%g" stroke="var(--line)"/><text x="%g" y="%.1f" font-size="11" fill="var(--dim)" text-anchor="end">%g</text>`, curveLeft, y(v), curveWidth-10, curveLeft-6, y(v)+4, v)
	}
	for i := range top {
		fmt.Fprintf(&b, `<text x="%.1f" y="%g" font-size="11" fill="var(--dim)" text-anchor="middle">k=%d</text>`, x(i), curveHeight-6, i+1)
	}
	var legend strings.Builder
	for n, a := range agents {
		color := lineColors[n%len(lineColors)]
		var points []string
		for i, e := range a.Curve {
			if e.Known {
				points = append(points, fmt.Sprintf("%.1f,%.1f", x(i), y(e.Value)))
			}
		}
		name := html.EscapeString(a.Name)
		if len(points) > 0 && !a.TooMuchInfra() {
			fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"><title>%s</title></polyline>`, strings.Join(points, " "), color, name)
			fmt.Fprintf(&legend, `<span><svg width="18" height="8"><path d="M0 4H18" stroke="%s" stroke-width="3"/></svg> %s</span> `, color, name)
		}
	}
	b.WriteString(`</svg>`)
	return markup(b.String() + `<p class="legend">` + legend.String() + `</p>`)
}
