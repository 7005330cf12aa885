package console_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
	"godot-mcp/server/approval/console"
)

// TestGuards takes requests that would pass and spoils one thing of each.
func TestGuards(t *testing.T) {
	host := func(h string) func(*http.Request) { return func(r *http.Request) { r.Host = h } }
	set := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	drop := func(name string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(name) } }
	cookie := func(value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Cookie", "godot_mcp_console_4711="+value) }
	}
	for name, c := range map[string]struct {
		spoil func(*http.Request)
		want  console.Problem
		post  bool // spoils posts only; the same reads pass
	}{
		"rebound host":               {host("evil.example:4711"), console.WrongHost, false},
		"host without its port":      {host("127.0.0.1"), console.WrongHost, false},
		"host with another port":     {host("127.0.0.1:4712"), console.WrongHost, false},
		"host that ends like ours":   {host("evil-localhost:4711"), console.WrongHost, false},
		"host that begins like ours": {host("127.0.0.1.nip.io:4711"), console.WrongHost, false},
		"other loopback address":     {host("127.0.0.2:4711"), console.WrongHost, false},
		"no host":                    {host(""), console.WrongHost, false},
		"foreign origin":             {set("Origin", "https://evil.example"), console.WrongOrigin, false},
		"null origin":                {set("Origin", "null"), console.WrongOrigin, false},
		"empty origin":               {set("Origin", ""), console.WrongOrigin, false},
		"origin of another port":     {set("Origin", "http://127.0.0.1:8080"), console.WrongOrigin, false},
		"origin of another name":     {set("Origin", "http://localhost:4711"), console.WrongOrigin, false},
		"origin of https":            {set("Origin", "https://127.0.0.1:4711"), console.WrongOrigin, false},
		"two origins":                {func(r *http.Request) { r.Header["Origin"] = []string{origin, origin} }, console.WrongOrigin, false},
		"missing origin":             {drop("Origin"), console.WrongOrigin, true},
		"another site":               {set("Sec-Fetch-Site", "cross-site"), console.WrongOrigin, false},
		"same site, other origin":    {set("Sec-Fetch-Site", "same-site"), console.WrongOrigin, false},
		"typed address":              {set("Sec-Fetch-Site", "none"), console.WrongOrigin, false},
		"no cookie":                  {drop("Cookie"), console.NotSignedIn, false},
		"wrong cookie":               {cookie("AAAA"), console.NotSignedIn, false},
		"empty cookie":               {cookie(""), console.NotSignedIn, false},
		"no key":                     {drop(console.KeyHeader), console.NotSignedIn, false},
		"wrong key":                  {set(console.KeyHeader, "AAAA"), console.NotSignedIn, false},
		"long key":                   {set(console.KeyHeader, strings.Repeat("A", 9000)), console.NotSignedIn, false},
		"form":                       {set("Content-Type", "application/x-www-form-urlencoded"), console.NotJSON, true},
		"plain text":                 {set("Content-Type", "text/plain"), console.NotJSON, true},
		"no type":                    {drop("Content-Type"), console.NotJSON, true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t).signIn()
			got := b.ask(t.Context(), approval.Question{ID: "q", Tool: "t", Class: "mutating"})
			post := b.post("/decide", console.Answer{ID: "q", Approve: true})
			c.spoil(post)
			w := b.do(post)
			assert.Equal(t, c.want, problem(t, w))
			assert.GreaterOrEqual(t, w.Code, 400)
			assert.Empty(t, got, "the call is decided although the request is refused")

			get := b.get("/question?id=q")
			c.spoil(get)
			w = b.do(get)
			if c.post {
				assert.Equal(t, http.StatusOK, w.Code)
			} else {
				assert.Equal(t, c.want, problem(t, w))
			}

			require.Equal(t, http.StatusOK, b.do(b.post("/decide", console.Answer{ID: "q", Approve: true})).Code)
			assert.True(t, (<-got).Approved, "the unspoilt request")
		})
	}
}

// TestNamesOfTheMachine: the page may be opened under every loopback name; the
// origin must then be of that name.
func TestNamesOfTheMachine(t *testing.T) {
	b := newBench(t).signIn()
	for _, name := range []string{"127.0.0.1:4711", "localhost:4711", "[::1]:4711"} {
		r := b.post("/link", "{}")
		r.Host = name
		r.Header.Set("Origin", "http://"+name)
		w := b.do(r)
		assert.Equal(t, http.StatusOK, w.Code, name)
		assert.Contains(t, w.Body.String(), "http://"+name+"/#")
	}
}

// TestPairOfProofs: cookie and key of two sessions do not make one.
func TestPairOfProofs(t *testing.T) {
	b := newBench(t).signIn()
	first := b.key
	b.cookie = nil
	b.signIn()
	assert.NotEqual(t, first, b.key)
	b.key = first
	assert.Equal(t, console.NotSignedIn, problem(t, b.do(b.get("/question?id=q"))))
}

func TestLinkWorksOnce(t *testing.T) {
	b := newBench(t)
	token := b.token()
	assert.Equal(t, console.LinkUsed, problem(t, b.do(b.post("/session", map[string]string{"token": token + "A"}))), "a wrong token")
	assert.Equal(t, console.LinkUsed, problem(t, b.do(b.post("/session", map[string]string{"token": ""}))), "no token")
	w := b.do(b.post("/session", map[string]string{"token": token}))
	require.Equal(t, http.StatusOK, w.Code)
	c := w.Result().Cookies()[0]
	assert.True(t, c.HttpOnly)
	assert.Equal(t, http.SameSiteStrictMode, c.SameSite)
	assert.Equal(t, "/", c.Path)
	assert.Empty(t, c.Domain)
	assert.NotContains(t, w.Body.String(), c.Value, "the cookie is nothing that a script sees")
	assert.NotContains(t, w.Body.String()+c.Value, token)

	w = b.do(b.post("/session", map[string]string{"token": token}))
	assert.Equal(t, console.LinkUsed, problem(t, w))
	assert.Equal(t, http.StatusForbidden, w.Code)
	assert.Empty(t, w.Result().Cookies())
}

// TestLinksAreFew: of many unused links the newest work.
func TestLinksAreFew(t *testing.T) {
	b := newBench(t)
	first := b.token()
	var last string
	for range 4 {
		last = b.token()
	}
	assert.Equal(t, http.StatusForbidden, b.do(b.post("/session", map[string]string{"token": first})).Code)
	assert.Equal(t, http.StatusOK, b.do(b.post("/session", map[string]string{"token": last})).Code)
}

// TestSessionsAreFew: a ninth session ends the first.
func TestSessionsAreFew(t *testing.T) {
	b := newBench(t).signIn()
	old := b.get("/question?id=q")
	for range 7 {
		b.cookie = nil
		b.signIn()
	}
	assert.Equal(t, console.UnknownQuestion, problem(t, b.do(old)), "eight sessions")
	b.cookie = nil
	b.signIn()
	assert.Equal(t, console.NotSignedIn, problem(t, b.do(old)), "nine sessions")
}

// TestHeaders: every answer carries them, refusals too.
func TestHeaders(t *testing.T) {
	b := newBench(t).signIn()
	foreign := b.get("/")
	foreign.Host = "evil.example"
	for name, r := range map[string]*http.Request{
		"page": b.get("/"), "script": b.get("/app.js"), "style": b.get("/app.css"), "api": b.post("/link", "{}"),
		"nothing": b.get("/nothing"), "refused": foreign, "method": b.post("/", "{}"),
	} {
		h := b.do(r).Header()
		assert.Equal(t, "DENY", h.Get("X-Frame-Options"), name)
		assert.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), name)
		assert.Equal(t, "no-store", h.Get("Cache-Control"), name)
		assert.Equal(t, "no-referrer", h.Get("Referrer-Policy"), name)
		assert.Equal(t, "same-origin", h.Get("Cross-Origin-Opener-Policy"), name)
		assert.Equal(t, "same-origin", h.Get("Cross-Origin-Resource-Policy"), name)
		csp := h.Get("Content-Security-Policy")
		assert.Contains(t, csp, "default-src 'none'", name)
		assert.Contains(t, csp, "frame-ancestors 'none'", name)
		assert.NotContains(t, csp, "unsafe", name)
		assert.NotContains(t, csp, "http", name)
		assert.Empty(t, h.Values("Access-Control-Allow-Origin"), name)
	}
}

// TestPageIsSelfContained: what the page loads is its own, and no markup holds
// code or style, which the policy would stop.
func TestPageIsSelfContained(t *testing.T) {
	b := newBench(t)
	page := b.do(b.get("/")).Body.String()
	for _, bad := range []string{"http:", "https:", "//", " style=", " onclick=", "<script>", "javascript:"} {
		assert.NotContains(t, page, bad)
	}
	for _, path := range []string{"/app.js", "/render.js", "/text.js", "/stream.js"} {
		script := b.do(b.get(path)).Body.String()
		for _, bad := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http:", "https:"} {
			assert.NotContains(t, script, bad, path)
		}
	}
}

func TestMethods(t *testing.T) {
	b := newBench(t).signIn()
	for _, path := range []string{"/", "/app.js", "/session", "/stream", "/question", "/decide", "/link"} {
		for _, method := range []string{"HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "BREW"} {
			r := b.post(path, "{}")
			r.Method = method
			w := b.do(r)
			if static := path == "/" || path == "/app.js"; static && method == "HEAD" {
				assert.Equal(t, http.StatusOK, w.Code)
				continue
			}
			assert.Equal(t, http.StatusMethodNotAllowed, w.Code, "%s %s", method, path)
			assert.NotEmpty(t, w.Header().Get("Allow"))
			assert.Empty(t, w.Header().Values("Access-Control-Allow-Methods"))
		}
	}
	assert.Equal(t, http.StatusMethodNotAllowed, b.do(b.get("/decide")).Code)
	assert.Equal(t, http.StatusMethodNotAllowed, b.do(b.post("/question?id=q", "{}")).Code)
	preflight := b.post("/decide", "")
	preflight.Method = http.MethodOptions
	preflight.Header.Set("Access-Control-Request-Method", "POST")
	preflight.Header.Set("Access-Control-Request-Headers", console.KeyHeader)
	assert.Empty(t, b.do(preflight).Header().Values("Access-Control-Allow-Headers"))
}

func TestBodies(t *testing.T) {
	b := newBench(t).signIn()
	got := b.ask(t.Context(), approval.Question{ID: "q", Tool: "t", Class: "mutating"})
	for name, c := range map[string]struct {
		body string
		want console.Problem
	}{
		"giant":         {`{"id":"q","approve":true,"reason":"` + strings.Repeat("a", 1<<20) + `"}`, console.TooLarge},
		"giant spaces":  {`{"id":"q","approve":true}` + strings.Repeat(" ", 1<<20), console.TooLarge},
		"long reason":   {`{"id":"q","approve":true,"reason":"` + strings.Repeat("a", 5000) + `"}`, console.BadBody},
		"empty":         {``, console.BadBody},
		"half":          {`{"id":"q","approve":tr`, console.BadBody},
		"list":          {`[{"id":"q","approve":true}]`, console.BadBody},
		"two objects":   {`{"id":"q","approve":true}{}`, console.BadBody},
		"unknown field": {`{"id":"q","approve":true,"all":true}`, console.BadBody},
		"twice":         {`{"id":"q","approve":false,"approve":true}`, console.BadBody},
		"two ids":       {`{"id":"p","approve":true,"id":"q"}`, console.BadBody},
		"another case":  {`{"id":"q","Approve":true}`, console.BadBody},
		"both cases":    {`{"id":"q","approve":false,"APPROVE":true}`, console.BadBody},
		"text behind":   {`{"id":"q","approve":true} x`, console.BadBody},
		"no UTF-8":      {"{\"id\":\"q\",\"approve\":true,\"reason\":\"\xff\"}", console.BadBody},
		"null":          {`null`, console.BadBody},
		"wrong type":    {`{"id":"q","approve":"true"}`, console.BadBody},
		"deep":          {strings.Repeat(`[`, 15000), console.BadBody},
		"unknown call":  {`{"id":"p","approve":true}`, console.UnknownQuestion},
		"no call":       {`{"approve":true}`, console.UnknownQuestion},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, problem(t, b.do(b.post("/decide", c.body))))
			assert.Empty(t, got)
		})
	}
}

func TestAddresses(t *testing.T) {
	for _, good := range []string{"127.0.0.1:0", "127.0.0.1:8080", "127.9.9.9:1", "[::1]:0", "localhost:0"} {
		assert.NoError(t, console.CheckAddress(good), good)
	}
	for _, bad := range []string{
		"", "127.0.0.1", ":8080", "0.0.0.0:0", "[::]:0", "192.168.0.1:80", "10.0.0.1:0", "example.com:80", "127.0.0.1:", "127.0.0.1:99999",
		"[::ffff:10.0.0.1]:0", "169.254.0.1:0", "127.1:0", "[fe80::1%lo]:0", "127.0.0.1:0:0",
	} {
		assert.Error(t, console.CheckAddress(bad), bad)
		_, err := console.Start(console.Config{Address: bad}, console.NewQueue())
		if bad != "" { // the zero value is the default
			assert.Error(t, err, bad)
		}
	}
}

// TestNameThatLeadsAway: localhost that is not loopback is refused after the
// listener says where it is.
func TestNameThatLeadsAway(t *testing.T) {
	l := &elsewhere{newMemory()}
	_, err := console.Start(console.Config{Address: "localhost:0", Listen: func(string, string) (net.Listener, error) { return l, nil }}, console.NewQueue())
	assert.ErrorContains(t, err, "not a loopback address")
	_, err = l.Accept()
	assert.ErrorIs(t, err, net.ErrClosed)
}

type elsewhere struct{ *memory }

func (*elsewhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(10, 0, 0, 1), Port: 80} }

type dry struct{}

func (dry) Read([]byte) (int, error) { return 0, errors.New("dry") }

// TestNoRandomBytes: without them there are no links, and no panic.
func TestNoRandomBytes(t *testing.T) {
	c, err := console.Start(console.Config{Random: dry{}}, console.NewQueue())
	require.NoError(t, err)
	_, err = c.Link()
	assert.ErrorContains(t, err, "no random bytes")
	require.NoError(t, c.Close())
}

// TestRealListener: the page on a real port, once.
func TestRealListener(t *testing.T) {
	c, err := console.Start(console.Config{}, console.NewQueue())
	require.NoError(t, err)
	link, err := c.Link()
	require.NoError(t, err)
	at, _, _ := strings.Cut(link, "#")
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, at, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	require.NoError(t, answer.Body.Close())
	require.NoError(t, c.Close())
}
