package report

import (
	"html"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/run"
)

// fill puts the text into every text that a value holds, and something into all else.
func fill(v reflect.Value, text string, depth int) {
	if depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, depth)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), text, depth-1)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, text, depth-1)
		fill(value, text, depth-1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text, depth-1)
			}
		}
	}
}

// filled is a page all of whose texts are one.
func filled(text string) string {
	var d pageData
	fill(reflect.ValueOf(&d).Elem(), text, 9)
	scored, infra, alone := &d.Trials[0], &d.Trials[1], &d.Wrong[1]
	scored.Record.Outcome = run.Scored
	scored.Events[1].Call, infra.Events[1].Call = nil, nil
	infra.Events[1].Effect.Call = 0
	scored.Events[0].Call.Refused, scored.Events[0].Call.IsError = "", false
	infra.Failed[1].Severity, alone.Severity = "", ""
	d.Linked = map[string]bool{d.Wrong[0].First.Key(): true}
	alone.First.Trial = 8
	d.Agents[0].Infra = 0
	d.Rows[0].Cells[0][1].Linked = false
	var p page
	p.document(d)
	return p.String()
}

// No text of a run, whoever wrote it, is markup, leaves its attribute or is taken
// for a format.
func TestTextsOfARunAreNoMarkup(t *testing.T) {
	for _, hostile := range []string{
		`"><img src=x onerror=a()>`, `' onload='a()`, `</script><script>a()</script>`, `</style>`, `<!--`, `javascript:a()`, `%d%[9]s%!s`, "a\n\x00\tb", `&lt;&#34;`, "\u2028é",
	} {
		page, plain := filled(hostile), filled("W")
		require.NotContains(t, plain, "%!")
		page = strings.ReplaceAll(page, html.EscapeString(url.PathEscape(hostile)), "W")
		page = strings.ReplaceAll(page, html.EscapeString(hostile), "W")
		assert.Equal(t, plain, page, hostile)
	}
}
