package httpguard

import (
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func guard(t *testing.T, c Config) *Guard {
	t.Helper()
	g, err := New(c)
	require.NoError(t, err)
	return g
}

func request(host string, headers ...string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestOrigins(t *testing.T) {
	local := Config{}
	listed := Config{Origins: []string{"https://App.example"}, Hosts: []string{"godot.lan", "fd00::1"}}
	lan := Config{Bound: "192.168.1.2", Token: strings.Repeat("t", 16)}
	every := Config{Bound: "0.0.0.0", Token: strings.Repeat("t", 16)}
	for _, c := range []struct {
		name string
		cfg  Config
		r    *http.Request
		ok   bool
	}{
		{"loopback", local, request("127.0.0.1:9090"), true},
		{"another port, as behind a tunnel", local, request("127.0.0.1:1"), true},
		{"no port", local, request("localhost"), true},
		{"capitals", local, request("LOCALHOST:9090"), true},
		{"ipv6", local, request("[::1]:9090"), true},
		{"mapped", local, request("[::ffff:127.0.0.1]:9090"), true},
		{"rebinding", local, request("evil.example:9090"), false},
		{"begins like loopback", local, request("127.0.0.1.evil.example"), false},
		{"ends like loopback", local, request("evil.localhost"), false},
		{"trailing dot", local, request("localhost."), false},
		{"empty", local, request(""), false},
		{"only a port", local, request(":9090"), false},
		{"every address as a name", local, request("0.0.0.0:9090"), false},
		{"decimal address", local, request("2130706433:9090"), false},
		{"user part", local, request("localhost@evil.example"), false},
		{"listed host", listed, request("Godot.lan:9090"), true},
		{"listed ipv6", listed, request("[fd00::1]:9090"), true},
		{"below a listed host", listed, request("x.godot.lan"), false},
		{"bound host", lan, request("192.168.1.2:9090"), true},
		{"other host", lan, request("192.168.1.3:9090"), false},
		{"any address, literal", every, request("10.0.0.7:9090"), true},
		{"any address, name", every, request("evil.example:9090"), false},

		{"own origin", local, request("127.0.0.1:9090", "Origin", "http://127.0.0.1:9090"), true},
		{"own origin behind TLS", local, request("localhost:9090", "Origin", "https://localhost:9090"), true},
		{"another local page", local, request("127.0.0.1:9090", "Origin", "http://127.0.0.1:3000"), false},
		{"the other name of loopback", local, request("127.0.0.1:9090", "Origin", "http://localhost:9090"), false},
		{"foreign", local, request("127.0.0.1:9090", "Origin", "https://evil.example"), false},
		{"null", local, request("127.0.0.1:9090", "Origin", "null"), false},
		{"empty origin", local, request("127.0.0.1:9090", "Origin", ""), false},
		{"file", local, request("127.0.0.1:9090", "Origin", "file://"), false},
		{"extension", local, request("127.0.0.1:9090", "Origin", "chrome-extension://abc"), false},
		{"two origins", local, request("127.0.0.1:9090", "Origin", "http://127.0.0.1:9090", "Origin", "https://evil.example"), false},
		{"a list in one", local, request("127.0.0.1:9090", "Origin", "http://127.0.0.1:9090, https://evil.example"), false},
		{"rebinding with its own origin", local, request("evil.example", "Origin", "http://evil.example"), false},
		{"listed origin", listed, request("127.0.0.1:9090", "Origin", "https://app.example"), true},
		{"listed origin, other scheme", listed, request("127.0.0.1:9090", "Origin", "http://app.example"), false},
		{"listed origin, port", listed, request("127.0.0.1:9090", "Origin", "https://app.example:8443"), false},
		{"longer than a listed origin", listed, request("127.0.0.1:9090", "Origin", "https://app.example.evil"), false},

		{"typed address", local, request("127.0.0.1", "Sec-Fetch-Site", "none"), true},
		{"same origin", local, request("127.0.0.1", "Sec-Fetch-Site", "same-origin"), true},
		{"cross site without origin", local, request("127.0.0.1", "Sec-Fetch-Site", "cross-site"), false},
		{"same site", local, request("127.0.0.1", "Sec-Fetch-Site", "same-site"), false},
		{"two answers", local, request("127.0.0.1", "Sec-Fetch-Site", "none", "Sec-Fetch-Site", "cross-site"), false},
		{"cross site of a listed origin", listed, request("127.0.0.1", "Sec-Fetch-Site", "cross-site", "Origin", "https://app.example"), true},
	} {
		f := guard(t, c.cfg).Origin(c.r)
		assert.Equal(t, c.ok, f == nil, c.name)
		if f != nil {
			assert.Equal(t, http.StatusForbidden, f.Status, c.name)
		}
	}
}

func TestTokens(t *testing.T) {
	g := guard(t, Config{Token: "secret"})
	for header, ok := range map[string]bool{
		"Bearer secret": true, "bearer secret": true, "BEARER  secret ": true,
		"Bearer secre": false, "Bearer secrets": false, "Bearer Secret": false, "Bearer ": false, "Bearer": false, "": false,
		"Basic secret": false, "secret": false, "Bearer secret secret": false, "Bearer secret,": false,
	} {
		f := g.Token(request("localhost", "Authorization", header))
		assert.Equal(t, ok, f == nil, "%q", header)
		if f != nil {
			assert.Equal(t, http.StatusUnauthorized, f.Status)
			assert.Contains(t, f.Challenge, "invalid_token")
			assert.NotContains(t, f.Text+f.Challenge, "secret")
		}
	}
	f := g.Token(request("localhost"))
	require.NotNil(t, f)
	assert.Equal(t, `Bearer realm="godot-mcp"`, f.Challenge)
	assert.NotNil(t, g.Token(request("localhost", "Authorization", "Bearer secret", "Authorization", "Bearer other")), "which of the two counts is anybody's guess")
	open := guard(t, Config{})
	assert.Nil(t, open.Token(request("localhost")))
	assert.Nil(t, open.Token(request("localhost", "Authorization", "Bearer whatever")))
}

func TestConfigurations(t *testing.T) {
	long := strings.Repeat("x", 16)
	for name, c := range map[string]struct {
		cfg Config
		ok  bool
	}{
		"nothing":                 {Config{}, true},
		"loopback":                {Config{Bound: "127.0.0.1"}, true},
		"loopback, short token":   {Config{Bound: "127.0.0.1", Token: "x"}, true},
		"everywhere":              {Config{Bound: "0.0.0.0"}, false},
		"everywhere, ipv6":        {Config{Bound: "::"}, false},
		"a name":                  {Config{Bound: "godot.lan"}, false},
		"a name that begins well": {Config{Bound: "localhost.evil.example"}, false},
		"with a token":            {Config{Bound: "0.0.0.0", Token: long}, true},
		"with a short token":      {Config{Bound: "0.0.0.0", Token: long[1:]}, false},
		"token with a newline":    {Config{Token: long + "\n"}, false},
		"token with a space":      {Config{Token: long + " " + long}, false},
		"host with a port":        {Config{Hosts: []string{"a.example:80"}}, false},
		"host with a scheme":      {Config{Hosts: []string{"http://a.example"}}, false},
		"host pattern":            {Config{Hosts: []string{"*.example"}}, false},
		"origin without scheme":   {Config{Origins: []string{"a.example"}}, false},
		"origin with a path":      {Config{Origins: []string{"https://a.example/"}}, false},
		"origin null":             {Config{Origins: []string{"null"}}, false},
		"origin pattern":          {Config{Origins: []string{"*"}}, false},
	} {
		_, err := New(c.cfg)
		assert.Equal(t, c.ok, err == nil, "%s: %v", name, err)
		if err != nil && c.cfg.Token != "" {
			assert.NotContains(t, err.Error(), c.cfg.Token)
		}
	}
}

// Whatever a client presents, only the token itself is let through.
func TestOnlyTheTokenMatches(t *testing.T) {
	g := guard(t, Config{Token: "0123456789abcdef"})
	rapid.Check(t, func(t *rapid.T) {
		tok := rapid.StringMatching(`[0-9a-f]{0,40}`).Draw(t, "token")
		ok := g.Token(request("localhost", "Authorization", "Bearer "+tok)) == nil
		assert.Equal(t, tok == "0123456789abcdef", ok)
	})
}

// Tokens are compared in constant time: no other comparison of them is in the source.
func TestTheComparisonIsConstantTime(t *testing.T) {
	src, err := os.ReadFile("guard.go")
	require.NoError(t, err)
	f, err := parser.ParseFile(token.NewFileSet(), "guard.go", src, 0)
	require.NoError(t, err)
	var imports []string
	for _, i := range f.Imports {
		imports = append(imports, i.Path.Value)
	}
	assert.Contains(t, imports, `"crypto/subtle"`)
	assert.Equal(t, 1, strings.Count(string(src), "subtle.ConstantTimeCompare(got[:], g.token[:])"))
	assert.NotContains(t, string(src), "token == g.")
	assert.NotContains(t, string(src), "bytes.Equal")
}
