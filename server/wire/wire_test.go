package wire

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every Reason constant has a code, and no code is given twice.
func TestEveryReasonHasACode(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "errors.go", nil, 0)
	require.NoError(t, err)
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		v, ok := node.(*ast.ValueSpec)
		if !ok || v.Type == nil {
			return true
		}
		if id, ok := v.Type.(*ast.Ident); !ok || id.Name != "Reason" {
			return true
		}
		token := Reason(strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
		_, known := reasonCodes[token]
		assert.True(t, known, "%s has no code", v.Names[0].Name)
		n++
		return true
	})
	assert.Len(t, reasonCodes, n)
}

func TestReplyCrossesTheWireFlat(t *testing.T) {
	step := 2
	r := Reply{ID: "7", Error: Fail(ReasonNodeNotFound, "path", "A")}
	r.Step = &step
	b, err := json.Marshal(r)
	require.NoError(t, err)
	require.JSONEq(t, `{"id":"7","ok":false,"error":"RESOURCE_NOT_FOUND","reason":"node_not_found","details":{"path":"A"},"step":2}`, string(b))
	var back Reply
	require.NoError(t, json.Unmarshal(b, &back))
	require.Equal(t, r, back)

	ok, err := json.Marshal(Reply{ID: "8", OK: true, Result: json.RawMessage(`{}`)})
	require.NoError(t, err)
	require.JSONEq(t, `{"id":"8","ok":true,"result":{}}`, string(ok))
}

func TestDecodeParamsIsStrict(t *testing.T) {
	for _, bad := range []string{`{"node_path":1}`, `{"nope":1}`, `[]`, `{} {}`, `{`} {
		var p GetNode
		err := DecodeParams(json.RawMessage(bad), &p)
		require.Error(t, err, bad)
		require.Equal(t, ReasonBadParams, AsError(err).Reason)
	}
	var p GetNode
	require.NoError(t, DecodeParams(nil, &p))
}
