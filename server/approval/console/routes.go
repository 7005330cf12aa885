package console

import (
	"bytes"
	"embed"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"godot-mcp/server/safety"
)

//go:embed page
var files embed.FS

// maxReason bounds a reason, in bytes.
const maxReason = 4000

// sessionAge is how long a browser keeps its cookie. The session ends with the
// server in any case.
const sessionAge = 7 * 24 * time.Hour

func (c *Console) table() map[string]route {
	t := map[string]route{
		"/session":  {method: http.MethodPost, serve: c.serveEnter, api: true},
		"/stream":   {method: http.MethodGet, serve: c.serveStream, api: true, signedIn: true},
		"/question": {method: http.MethodGet, serve: c.serveQuestion, api: true, signedIn: true},
		"/decide":   {method: http.MethodPost, serve: c.serveDecide, api: true, signedIn: true},
		"/link":     {method: http.MethodPost, serve: c.serveLink, api: true, signedIn: true},
	}
	for path, kind := range map[string]string{
		"/": "text/html", "/app.css": "text/css", "/icon.svg": "image/svg+xml",
		"/app.js": "text/javascript", "/render.js": "text/javascript", "/text.js": "text/javascript", "/stream.js": "text/javascript",
	} {
		t[path] = route{method: http.MethodGet, serve: static(path, kind)}
	}
	return t
}

func static(path, kind string) http.HandlerFunc {
	name := "page" + path
	if path == "/" {
		name = "page/index.html"
	}
	text, err := files.ReadFile(name)
	if err != nil {
		panic("console: " + err.Error()) // a file is missing in the program itself
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	}
}

func (c *Console) serveEnter(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Token string `json:"token"`
	}
	if p := read(r, &in); p != "" {
		refuse(w, p)
		return
	}
	cookie, key, p := c.doors.enter(in.Token)
	if p != "" {
		refuse(w, p)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: c.cookie, Value: cookie, Path: "/", MaxAge: int(sessionAge.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	answer(w, http.StatusOK, map[string]string{"key": key})
}

func (c *Console) serveQuestion(w http.ResponseWriter, r *http.Request) {
	it := c.queue.find(r.URL.Query().Get("id"))
	if it == nil {
		refuse(w, UnknownQuestion)
		return
	}
	answer(w, http.StatusOK, describe(it))
}

func (c *Console) serveDecide(w http.ResponseWriter, r *http.Request) {
	var in Answer
	if p := read(r, &in); p != "" {
		refuse(w, p)
		return
	}
	in.Reason = strings.TrimSpace(in.Reason)
	if len(in.Reason) > maxReason || !utf8.ValidString(in.Reason) {
		refuse(w, BadBody)
		return
	}
	if p := c.queue.Decide(in); p != "" {
		refuse(w, p)
		return
	}
	answer(w, http.StatusOK, map[string]bool{"approved": in.Approve})
}

// serveLink makes a link with which another browser of the same person signs in.
func (c *Console) serveLink(w http.ResponseWriter, r *http.Request) {
	if p := read(r, &struct{}{}); p != "" {
		refuse(w, p)
		return
	}
	link, err := c.newLink("http://" + r.Host)
	if err != nil {
		refuse(w, NotSignedIn)
		return
	}
	answer(w, http.StatusOK, map[string]string{"link": link})
}

// read decodes a body that must be exactly one JSON object with known fields.
func read(r *http.Request, v any) Problem {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return NotJSON
	}
	raw, err := io.ReadAll(r.Body)
	if long := (*http.MaxBytesError)(nil); errors.As(err, &long) {
		return TooLarge
	}
	// Package encoding/json takes "APPROVE" for "approve", and the last of two; this
	// one takes names letter by letter, and nothing behind the object.
	if err != nil || !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) || safety.StrictJSON(raw) != nil || json.Unmarshal(raw, v, json.RejectUnknownMembers(true)) != nil {
		return BadBody
	}
	return ""
}
