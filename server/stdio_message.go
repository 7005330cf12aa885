package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"godot-mcp/server/safety"
)

// parse reads a line as one message. A fault is answered with id, as far as
// there is one. The decoder of the SDK would do it too, at 64 kB of garbage a
// line: half of all that a small call leaves.
func parse(line []byte) (msg jsonrpc.Message, id json.RawMessage, fault *jsonrpc.Error) {
	invalid := func(text string) (jsonrpc.Message, json.RawMessage, *jsonrpc.Error) {
		return nil, plainID(id), &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: text}
	}
	if !json.Valid(line) {
		return nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is not valid JSON"}
	}
	if err := safety.StrictJSON(line); err != nil {
		id = idOf(line)
		return invalid(err.Error())
	}
	m := members(line)
	id = m["id"]
	msg, err := messageOf(m)
	if err != nil {
		return invalid("the line is not one JSON-RPC 2.0 message")
	}
	switch r := msg.(type) {
	case *jsonrpc.Request:
		if !exact(id) {
			return invalid(badID)
		}
	case *jsonrpc.Response:
		if !exact(id) {
			return invalid(badID)
		}
		if r.Error == nil && len(r.Result) == 0 {
			return invalid("the line has no method, no result and no error")
		}
	}
	return msg, id, nil
}

// members are those of a JSON object; none for anything else.
func members(text []byte) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	return m
}

var errNoMessage = errors.New("not a JSON-RPC 2.0 message")

func messageOf(m map[string]json.RawMessage) (jsonrpc.Message, error) {
	var version, method string
	if json.Unmarshal(m["jsonrpc"], &version) != nil || version != "2.0" {
		return nil, errNoMessage
	}
	var anyID any
	if raw, ok := m["id"]; ok && json.Unmarshal(raw, &anyID) != nil {
		return nil, errNoMessage
	}
	id, err := jsonrpc.MakeID(anyID)
	if err != nil {
		return nil, err
	}
	if raw, ok := m["method"]; ok {
		if raw[0] != '"' || json.Unmarshal(raw, &method) != nil {
			return nil, errNoMessage
		}
		return &jsonrpc.Request{ID: id, Method: method, Params: m["params"]}, nil
	}
	if !id.IsValid() {
		return nil, errNoMessage
	}
	r := &jsonrpc.Response{ID: id, Result: m["result"]}
	if raw, ok := m["error"]; ok {
		var e *jsonrpc.Error
		if json.Unmarshal(raw, &e) != nil {
			return nil, errNoMessage
		}
		if e != nil { // a nil of a type is no nil error
			r.Error = e
		}
	}
	return r, nil
}

// idOf finds the id of a message that is otherwise wrong; nil when it has none,
// or two of which nobody knows which is meant.
func idOf(text []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	if first, err := d.Token(); err != nil || first != json.Delim('{') {
		return nil
	}
	var id json.RawMessage
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if d.Decode(&value) != nil || name == "id" && id != nil {
			return nil
		}
		if name == "id" {
			id = value
		}
	}
	return plainID(id)
}

// plainID is nil for what can be no id, and for one that would come back as text
// that is none: half a surrogate pair, bytes that are not UTF-8.
func plainID(id json.RawMessage) json.RawMessage {
	if len(id) == 0 || id[0] == '{' || id[0] == '[' || safety.StrictJSON(id) != nil {
		return nil
	}
	return id
}

const badID = "the id of a message must be a string or a whole number of at most 53 bits"

// exactIDs says whether the id of a message, and the one that a cancellation names,
// are kept as they were sent. Others would be rounded, and so answer or cancel a
// request that nobody meant: the SDK takes 7.5 for 7.
func exactIDs(text []byte) bool {
	m := members(text)
	var method string
	_ = json.Unmarshal(m["method"], &method)
	return exact(m["id"]) && exactCancellation(method, m["params"])
}

func exactCancellation(method string, params json.RawMessage) bool {
	return method != methodCancelled || exact(members(params)["requestId"])
}

func exact(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' {
		return true
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && n > -1<<53 && n < 1<<53
}
