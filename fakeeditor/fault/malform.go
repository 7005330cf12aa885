package fault

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/coder/websocket"
)

// malformations turn a good reply into a bad message.
var malformations = map[string]func(reply []byte) (websocket.MessageType, []byte){
	"not-json":   text(func([]byte) []byte { return []byte("ERROR: out of memory") }),
	"truncated":  text(func(r []byte) []byte { return r[:len(r)/2] }),
	"empty":      text(func([]byte) []byte { return nil }),
	"array":      text(func(r []byte) []byte { return slices.Concat([]byte("["), r, []byte("]")) }),
	"null":       text(func([]byte) []byte { return []byte("null") }),
	"trailing":   text(func(r []byte) []byte { return slices.Concat(r, []byte("}")) }),
	"control":    text(func(r []byte) []byte { return bytes.Replace(r, []byte(`"ok"`), []byte("\"\x01\":1,\"ok\""), 1) }),
	"deep":       text(func(r []byte) []byte { return with(r, "result", deep) }),
	"no-id":      text(func(r []byte) []byte { return with(r, "id", nil) }),
	"unknown-id": text(func(r []byte) []byte { return with(r, "id", json.RawMessage(`"no such id"`)) }),
	"number-id":  text(func(r []byte) []byte { return bytes.Replace(r, []byte(`"id":"`), []byte(`"id":[1],"was":"`), 1) }),
	"no-ok":      text(func(r []byte) []byte { return with(r, "ok", nil) }),
	"ok-text":    text(func(r []byte) []byte { return with(r, "ok", json.RawMessage(`"yes"`)) }),
	"no-result":  text(func(r []byte) []byte { return with(r, "result", nil) }),
	"result-type": text(func(r []byte) []byte {
		return with(r, "result", json.RawMessage(`"done"`))
	}),
	"bad-code": text(func(r []byte) []byte {
		return with(with(with(r, "result", nil), "ok", json.RawMessage("false")), "error", json.RawMessage(`"NO_SUCH_CODE"`))
	}),
	"no-code": text(func(r []byte) []byte {
		return with(with(r, "result", nil), "ok", json.RawMessage("false"))
	}),
	"binary": func(r []byte) (websocket.MessageType, []byte) { return websocket.MessageBinary, r },
}

var deep = json.RawMessage(strings.Repeat("[", 9000) + strings.Repeat("]", 9000))

// Malformations lists what as= takes, sorted.
func Malformations() []string { return keys(malformations) }

func text(f func([]byte) []byte) func([]byte) (websocket.MessageType, []byte) {
	return func(r []byte) (websocket.MessageType, []byte) { return websocket.MessageText, f(r) }
}

// with replaces a member of a JSON object, or removes it (nil).
func with(object []byte, key string, value json.RawMessage) []byte {
	var m map[string]json.RawMessage
	if json.Unmarshal(object, &m) != nil {
		return object
	}
	if value == nil {
		delete(m, key)
	} else {
		m[key] = value
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range keys(m) {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(k)
		b.Write(name)
		b.WriteByte(':')
		b.Write(m[k])
	}
	b.WriteByte('}')
	return b.Bytes()
}
