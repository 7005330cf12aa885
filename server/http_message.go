package server

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"godot-mcp/server/httpguard"
	"godot-mcp/server/safety"
)

const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"

	metaVersion = "io.modelcontextprotocol/protocolVersion"
	metaClient  = "io.modelcontextprotocol/clientInfo"

	methodListen    = "subscriptions/listen"
	methodCancelled = "notifications/cancelled"

	// codeHeaderMismatch is the newest revision's error for headers that are
	// missing, malformed or differ from the body.
	codeHeaderMismatch = -32020
	// maxBatch bounds the messages of a batch, which only the oldest revisions have.
	maxBatch = 64
)

type era string

const (
	modernEra era = "modern"
	legacyEra era = "legacy"
)

// webMessage is a request that passed the guards, with what of its body decides
// where it goes.
type webMessage struct {
	r       *http.Request
	era     era
	method  string // JSON-RPC; empty for GET, DELETE and batches
	client  string // as the client calls itself
	stream  bool   // stays open for news
	fault   *webFault
	release func()
}

// webFault is a JSON-RPC error that is answered before any session sees the request.
type webFault struct {
	id      json.RawMessage
	code    int
	message string
}

func (f *webFault) write(w http.ResponseWriter) {
	if f.id == nil {
		f.id = json.RawMessage("null")
	}
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": f.id, "error": map[string]any{"code": f.code, "message": f.message}})
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = w.Write(body)
}

// read reads the body of a request and finds its era.
func (h *HTTPHandler) read(w http.ResponseWriter, r *http.Request) (*webMessage, *httpguard.Refusal) {
	m := &webMessage{r: r.Clone(r.Context()), era: legacyEra, release: func() {}}
	if r.Header.Get(headerVersion) >= modernProtocol {
		m.era = modernEra
		// Older clients' headers mean nothing here.
		m.r.Header.Del(headerSession)
		m.r.Header.Del("Last-Event-Id")
	}
	if name := twice(r.Header); name != "" {
		m.fail(nil, codeHeaderMismatch, "the header "+name+" stands twice")
		return m, nil
	}
	if r.Method != http.MethodPost {
		if r.ContentLength != 0 {
			return m, &httpguard.Refusal{Status: http.StatusBadRequest, Text: r.Method + " takes no body"}
		}
		if m.era == modernEra {
			return m, &httpguard.Refusal{Status: http.StatusMethodNotAllowed, Text: "this revision has only POST", Allow: "POST"}
		}
		m.stream = r.Method == http.MethodGet
		return m, nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return m, &httpguard.Refusal{Status: http.StatusUnsupportedMediaType, Text: "Content-Type must be application/json"}
	}
	body, release, f := h.body.Read(w, r)
	m.release = release
	if f != nil {
		return m, f
	}
	m.r.Body, m.r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	m.look(body)
	return m, nil
}

// twice names a header of which only one may be sent.
func twice(h http.Header) string {
	for _, name := range []string{headerVersion, headerSession, headerMethod, headerName, "Content-Type"} {
		if len(h.Values(name)) > 1 {
			return name
		}
	}
	return ""
}

func (m *webMessage) fail(id json.RawMessage, code int, message string) {
	if m.era == legacyEra && code == codeHeaderMismatch {
		code = -32600
	}
	m.fault = &webFault{id: id, code: code, message: message}
}

// look reads of the body what decides where it goes; the protocol library
// checks the rest.
func (m *webMessage) look(body []byte) {
	if !json.Valid(body) || !utf8.Valid(body) {
		m.fail(nil, -32700, "the body is not valid JSON")
		return
	}
	if err := safety.StrictJSON(body); err != nil {
		m.fail(idOf(body), -32600, err.Error())
		return
	}
	if first := bytes.TrimLeft(body, " \t\r\n"); first[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(body, &list) != nil || len(list) == 0 || len(list) > maxBatch {
			m.fail(nil, -32600, "a batch has 1 to "+strconv.Itoa(maxBatch)+" messages")
			return
		}
		for _, one := range list {
			if !exactIDs(one) {
				m.fail(nil, -32600, badID)
				return
			}
		}
		return
	}
	if !exactIDs(body) {
		m.fail(idOf(body), -32600, badID)
		return
	}
	// Letter case counts, as it does for the library: what is looked at here must
	// be what it reads. Parts of another shape are the library's to refuse.
	head := members(body)
	meta := members(members(head["params"])["_meta"])
	_ = json.Unmarshal(head["method"], &m.method)
	m.stream = m.era == modernEra && m.method == methodListen
	if _, modern := meta[metaVersion]; modern && m.era == legacyEra {
		m.era = modernEra
		m.fail(idOf(body), codeHeaderMismatch, "the header "+headerVersion+" is missing or differs from the body")
		return
	}
	var name, version string
	info := members(meta[metaClient])
	_ = json.Unmarshal(info["name"], &name)
	_ = json.Unmarshal(info["version"], &version)
	m.client = clientName(name, version)
	if m.era == modernEra {
		m.plainName(body)
	}
}

// clientName is how a client calls itself, in one line of bounded length.
func clientName(name, version string) string {
	line := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, strings.TrimSpace(name+" "+version))
	if line == "" {
		return "unnamed"
	}
	return short(line)
}

// plainName decodes the form that names take which a header cannot hold.
func (m *webMessage) plainName(body []byte) {
	coded, ok := strings.CutPrefix(m.r.Header.Get(headerName), "=?base64?")
	if !ok {
		return
	}
	coded, ok = strings.CutSuffix(coded, "?=")
	name, err := base64.StdEncoding.DecodeString(coded)
	if !ok || err != nil || !utf8.Valid(name) {
		m.fail(idOf(body), codeHeaderMismatch, "the header "+headerName+" is not in the marked Base64 form")
		return
	}
	m.r.Header.Set(headerName, string(name))
}
