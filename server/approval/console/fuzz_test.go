package console

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
)

// FuzzDescribe: whatever an agent or an editor sends, the page gets valid data
// and every argument.
func FuzzDescribe(f *testing.F) {
	f.Add([]byte(`{"script_path":"res://a.gd","content":"a\nb"}`), []byte(`{"written":false,"created":true}`))
	f.Add([]byte(`{"node_path":"P","value":{"x":1}}`), []byte(`{"previous":1,"value":2,"property":"p","removed":3,"persisted":false,"hint":"h"}`))
	f.Add([]byte(`[1]`), []byte(`{"applied":{},"property":"a","removed":"x","results":[{"scene":3}],"persistence":[1]}`))
	f.Add([]byte(`{"a":1,"a":2}`), []byte("{\"hint\":\"\xff\",\"results\":[{\"result\":1},{\"error\":{}}]}"))
	f.Add([]byte(`{"edits":[{"properties":[]}],"find":"","replace":"\n"}`), []byte(`{"edited":[],"replacements":-1,"old_name":1,"new_name":[]}`))
	f.Fuzz(func(t *testing.T, args, preview []byte) {
		q := approval.Question{ID: "q", Tool: "t", Class: "mutating", Arguments: args, Preview: preview}
		for range 2 {
			d := describe(&item{question: q})
			_, err := json.Marshal(d)
			require.NoError(t, err)
			if n := len(members(args)); n > 0 {
				require.Len(t, d.Parts[0].Arguments, n)
			}
			q.Entries = []approval.Entry{{Tool: "t", Arguments: args}}
		}
	})
}
