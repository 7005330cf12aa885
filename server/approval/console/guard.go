package console

import (
	"context"
	"net/http"
	"slices"
)

// KeyHeader carries the page's key. Pages of other origins cannot send it: the
// server answers no preflight.
const KeyHeader = "X-Console-Key"

// maxBody bounds what a page sends; a reason is the longest of it.
const maxBody = 16 << 10

// secure are the headers of every answer.
var secure = map[string]string{
	"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
	"X-Frame-Options":              "DENY",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "no-referrer",
	"Cache-Control":                "no-store",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), clipboard-read=(), display-capture=(), geolocation=(), microphone=(), usb=()",
}

// route is one address with its method and its guards.
type route struct {
	method string
	serve  http.HandlerFunc
	// api: only scripts of the page itself may ask. signedIn: only with a session.
	api, signedIn bool
}

// ServeHTTP holds every request against the guards, in this order: the host
// name it was sent to, the address, the method, where it comes from, the session.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range secure {
		w.Header().Set(name, value)
	}
	// A name that leads here although it is not ours is a rebound one.
	if !slices.Contains(c.hosts, r.Host) {
		refuse(w, WrongHost)
		return
	}
	page, ok := c.routes[r.URL.Path]
	if !ok {
		refuse(w, NoSuchPage)
		return
	}
	if r.Method != page.method && (r.Method != http.MethodHead || page.api) {
		w.Header().Set("Allow", page.allow())
		refuse(w, WrongMethod)
		return
	}
	if !sameOrigin(r, page) {
		refuse(w, WrongOrigin)
		return
	}
	if page.signedIn {
		cookie, err := r.Cookie(c.cookie)
		if err != nil {
			refuse(w, NotSignedIn)
			return
		}
		s := c.doors.signedIn(cookie.Value, r.Header.Get(KeyHeader))
		if s == nil {
			refuse(w, NotSignedIn)
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), sessionKey{}, s))
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	page.serve(w, r)
}

func (p route) allow() string {
	if p.method == http.MethodGet && !p.api {
		return "GET, HEAD"
	}
	return p.method
}

// sameOrigin says whether a request may come from where it comes from. The page
// itself is static and may be opened from anywhere, but not be asked for by
// scripts of others. Browsers send an Origin with every POST.
func sameOrigin(r *http.Request, page route) bool {
	origin, sent := r.Header["Origin"]
	if sent && (len(origin) != 1 || origin[0] != "http://"+r.Host) || !sent && page.method == http.MethodPost {
		return false
	}
	if !page.api {
		return true
	}
	// Other programs on this machine are the same site, so only the origin counts.
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin"
}

type sessionKey struct{}

// sessionOf is the session of a request that passed the guards of a route for
// which one must be signed in.
func sessionOf(r *http.Request) *session {
	s, _ := r.Context().Value(sessionKey{}).(*session)
	return s
}
