package toolsets

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/wire"
)

// room is what an answer may use for lists and values; the rest is kept for
// its other fields.
const room = catalog.MaxAnswer - 1_500

// orEmpty gives lists their JSON form [] instead of null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// pageFrom shows the part of a complete list that begins at offset.
func pageFrom[T any](all []T, offset int) ([]T, catalog.Page) {
	offset = min(offset, len(all))
	return catalog.Paged(all[offset:], offset, len(all), room)
}

// encodeText is the JSON that clients get: <, > and & as they are.
func encodeText(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// fromWire is a failure that the server finds before it asks the editor, with
// the reason that the editor would give.
func fromWire(r wire.Reason, details ...any) *answer.Failure {
	return answer.FromWire(wire.Fail(r, details...), false)
}

// wantExtension refuses a file path with another ending than those wanted.
func wantExtension(file string, want ...string) error {
	if slices.Contains(want, strings.ToLower(path.Ext(file))) {
		return nil
	}
	return fromWire(wire.ReasonBadExtension, "path", file, "want", want)
}
