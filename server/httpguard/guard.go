// Package httpguard decides about an HTTP request before anything of its body
// is read: does it come from a page in a browser, does it name this server, and
// does it carry the token.
//
// A page in a browser reaches a loopback port too. Its requests carry an Origin
// or Sec-Fetch-Site header, and after DNS rebinding a Host that is a name, so
// both are looked at. Nothing is trusted that a proxy may have added.
package httpguard

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// minToken is the shortest token for an address that others can reach.
const minToken = 16

// Config says who is served. The zero value serves programs on this machine
// that name loopback, without a token.
type Config struct {
	// Bound is the host that the listener is bound to; empty for loopback.
	Bound string
	// Hosts are further names that a Host header may have, without port.
	Hosts []string
	// Origins are pages that may send requests, as in https://example.org.
	Origins []string
	// Token, if set, has to come as "Authorization: Bearer".
	Token string
}

// Guard checks requests. It is safe for concurrent use.
type Guard struct {
	bound    string
	wildcard bool
	hosts    map[string]bool
	origins  map[string]bool
	token    [sha256.Size]byte
	secured  bool
}

// Refusal is the answer to a request that is not served.
type Refusal struct {
	Status int
	Text   string
	// Challenge is the WWW-Authenticate header, Allow the header of that name;
	// empty for none.
	Challenge, Allow string
}

// New checks the configuration. Errors never hold the token.
func New(c Config) (*Guard, error) {
	g := &Guard{bound: strings.ToLower(c.Bound), hosts: map[string]bool{}, origins: map[string]bool{}, secured: c.Token != ""}
	if ip, err := netip.ParseAddr(c.Bound); err == nil {
		g.wildcard = ip.IsUnspecified()
	}
	if c.Bound != "" && !IsLoopback(c.Bound) {
		switch {
		case c.Token == "":
			return nil, fmt.Errorf("%s can be reached from other machines, so a token is needed", c.Bound)
		case len(c.Token) < minToken:
			return nil, fmt.Errorf("%s can be reached from other machines, so the token needs at least %d characters", c.Bound, minToken)
		}
	}
	for _, r := range c.Token {
		if r <= ' ' || r > '~' {
			return nil, errors.New("the token may hold visible ASCII characters only, and no space")
		}
	}
	g.token = sha256.Sum256([]byte(c.Token))
	for _, h := range c.Hosts {
		if h == "" || strings.ContainsAny(h, "/:@*? ") && !isIP(strings.Trim(h, "[]")) {
			return nil, fmt.Errorf("allowed host %q: must be a name or an address, without scheme and port", h)
		}
		g.hosts[strings.ToLower(strings.Trim(h, "[]"))] = true
	}
	for _, o := range c.Origins {
		u, err := url.Parse(o)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || strings.ToLower(o) != u.Scheme+"://"+strings.ToLower(u.Host) {
			return nil, fmt.Errorf("allowed origin %q: must be scheme and host, as in https://example.org", o)
		}
		g.origins[strings.ToLower(o)] = true
	}
	return g, nil
}

// Secured says whether a token is wanted.
func (g *Guard) Secured() bool { return g.secured }

// IsLoopback says whether a host can be reached from this machine only.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func isIP(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}

// Origin checks where a request comes from and whom it names: the headers Host,
// Origin and Sec-Fetch-Site. Nil lets it through.
func (g *Guard) Origin(r *http.Request) *Refusal {
	if !g.hostAllowed(r.Host) {
		return &Refusal{Status: http.StatusForbidden, Text: "the Host header names neither loopback nor another name of this server"}
	}
	values := r.Header.Values("Origin")
	if len(values) > 1 {
		return &Refusal{Status: http.StatusForbidden, Text: "more than one Origin header"}
	}
	if len(values) == 1 {
		if !g.originAllowed(r.Host, values[0]) {
			return &Refusal{Status: http.StatusForbidden, Text: "requests of this Origin are not served"}
		}
		return nil
	}
	// Without an Origin a browser may still say that another site is behind it.
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "none" && site != "same-origin" {
			return &Refusal{Status: http.StatusForbidden, Text: "requests of other sites are not served"}
		}
	}
	return nil
}

// AllowedOrigin is the value of an Origin header that was let through; empty
// when there is none.
func AllowedOrigin(r *http.Request) string { return r.Header.Get("Origin") }

// hostAllowed accepts loopback, the bound host and the listed ones. When bound
// to every address any literal address will do: rebinding needs a name.
func (g *Guard) hostAllowed(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "" {
		return false
	}
	return IsLoopback(host) || host == g.bound || g.hosts[host] || g.wildcard && isIP(host)
}

// originAllowed accepts the listed origins and the server's own.
func (g *Guard) originAllowed(host, origin string) bool {
	origin = strings.ToLower(origin)
	if g.origins[origin] {
		return true
	}
	host = strings.ToLower(host)
	return origin == "http://"+host || origin == "https://"+host
}

// Token checks the Authorization header. Nil lets the request through.
func (g *Guard) Token(r *http.Request) *Refusal {
	if !g.secured {
		return nil
	}
	values := r.Header.Values("Authorization")
	if len(values) == 0 {
		return &Refusal{Status: http.StatusUnauthorized, Text: "a bearer token is needed", Challenge: `Bearer realm="godot-mcp"`}
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	// Digests have one length, so the comparison tells nothing about that of the
	// token either.
	got := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if subtle.ConstantTimeCompare(got[:], g.token[:]) != 1 || !strings.EqualFold(scheme, "Bearer") || len(values) > 1 {
		return &Refusal{Status: http.StatusUnauthorized, Text: "the bearer token does not match", Challenge: `Bearer realm="godot-mcp", error="invalid_token"`}
	}
	return nil
}

// Write answers a request with the refusal and ends its connection, so that
// nobody waits for a body that is not wanted.
func (f *Refusal) Write(w http.ResponseWriter) {
	if f.Challenge != "" {
		w.Header().Set("WWW-Authenticate", f.Challenge)
	}
	if f.Allow != "" {
		w.Header().Set("Allow", f.Allow)
	}
	w.Header().Set("Connection", "close")
	http.Error(w, f.Text, f.Status)
}
