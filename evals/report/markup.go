package report

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
)

// markup is text that is HTML already.
type markup string

// page collects HTML. What is put into it is escaped for text and for quoted
// attributes, unless it is markup.
//
// There is no html/template here on purpose: the linker would keep every method
// of every type for it, and the server is the same program (see server/bench,
// TestNoMethodIsLookedUpByName).
type page struct{ bytes.Buffer }

// put formats as fmt does.
func (p *page) put(format string, values ...any) {
	safe := make([]any, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case markup:
			safe[i] = string(v)
		case int, float64:
			safe[i] = v
		default:
			safe[i] = html.EscapeString(fmt.Sprint(v))
		}
	}
	fmt.Fprintf(&p.Buffer, format, safe...)
}

// fragment is the part of a URL that leads to an id of the page.
func fragment(id string) string { return "#" + url.PathEscape(id) }

// choose is the one text or the other.
func choose(is bool, yes, no markup) markup {
	if is {
		return yes
	}
	return no
}
