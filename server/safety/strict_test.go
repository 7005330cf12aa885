package safety

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStrictJSON(t *testing.T) {
	for _, good := range []string{
		`{}`, `[1,"a",null]`, `{"a":{"a":1},"b":{"a":1}}`, `{"a":[{"a":1},{"a":2}]}`, `"\ud83d\ude00"`, `"ä"`,
		strings.Repeat("[", 256) + strings.Repeat("]", 256),
	} {
		assert.NoError(t, StrictJSON([]byte(good)), good)
	}
	for bad, says := range map[string]string{
		`{"confirm":false,"confirm":true}`: `"/confirm" is given twice`,
		`{"a":{"b":[{"c":1,"c":1}]}}`:      `"/a/b/0/c" is given twice`,
		`{"a":1,"\u0061":2}`:               `"/a" is given twice`,
		`{"` + strings.Repeat("x", 500) + `":1,"` + strings.Repeat("x", 500) + `":1}`: "…",
		`"\ud800"`:    "not valid JSON",
		"\"\xff\"":    "not valid JSON",
		`{"a":1`:      "not valid JSON",
		`{} {"a":1,}`: "not valid JSON",
		strings.Repeat("[", 257) + strings.Repeat("]", 257): "deeper than 256",
	} {
		err := StrictJSON([]byte(bad))
		if assert.Error(t, err, bad) {
			assert.Contains(t, err.Error(), says)
			assert.Less(t, len(err.Error()), 200)
		}
	}
}
