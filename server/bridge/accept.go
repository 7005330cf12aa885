package bridge

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// serveHTTP checks a request before anything is served. A page in a browser
// reaches a loopback port too: its requests carry an Origin, and after DNS
// rebinding a Host that is a name (the library alone accepts equal Host and
// Origin of any name).
func (b *Bridge) serveHTTP(w http.ResponseWriter, r *http.Request) {
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case len(r.Header.Values("Origin")) > 0 || site != "" && site != "none":
		b.refuseHTTP(w, r, http.StatusForbidden, "pages in browsers are not served (Origin or Sec-Fetch-Site header)")
	case !b.hostAllowed(r.Host):
		b.refuseHTTP(w, r, http.StatusForbidden, "the Host header names neither loopback nor the bridge's own host")
	case r.URL.Path != "/" && r.URL.Path != "":
		b.refuseHTTP(w, r, http.StatusNotFound, "no such path")
	case r.URL.RawQuery != "" || r.URL.ForceQuery:
		b.refuseHTTP(w, r, http.StatusBadRequest, "the address takes no query; a token goes into the Authorization header")
	case r.Method != http.MethodGet:
		b.refuseHTTP(w, r, http.StatusMethodNotAllowed, "only GET is served")
	case r.Header.Get("Upgrade") == "":
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(b.identity())
	default:
		authorized, presented := b.headerToken(r)
		if presented && !authorized {
			b.refuseHTTP(w, r, http.StatusUnauthorized, "the bridge token does not match")
			return
		}
		b.upgrade(w, r, authorized)
	}
}

func (b *Bridge) refuseHTTP(w http.ResponseWriter, r *http.Request, status int, why string) {
	b.refused(why, "remote", r.RemoteAddr)
	http.Error(w, why, status)
}

func (b *Bridge) refused(why string, args ...any) {
	b.mu.Lock()
	b.count.Refused++
	b.noteLocked("refused: " + why)
	b.mu.Unlock()
	b.quiet.Warn("bridge refused a connection: "+why, args...)
}

// hostAllowed accepts loopback and the configured host. When listening on every
// address any literal address will do: rebinding needs a name.
func (b *Bridge) hostAllowed(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	if isLoopback(host) || strings.EqualFold(host, b.addr.host) {
		return true
	}
	_, err := netip.ParseAddr(host)
	return err == nil && b.addr.wildcard
}

// headerToken checks an Authorization header. Without a token of our own any
// header is let through.
func (b *Bridge) headerToken(r *http.Request) (authorized, presented bool) {
	if b.cfg.Token == "" {
		return true, false
	}
	headers := r.Header.Values("Authorization")
	if len(headers) == 0 {
		return false, false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	matches := b.tokenMatches(strings.TrimSpace(token))
	return strings.EqualFold(scheme, "Bearer") && matches && len(headers) == 1, true
}

// tokenMatches compares in constant time; hashing hides the length as well.
func (b *Bridge) tokenMatches(token string) bool {
	want, got := sha256.Sum256([]byte(b.cfg.Token)), sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

func (b *Bridge) upgrade(w http.ResponseWriter, r *http.Request, authorized bool) {
	pending, _ := r.Context().Value(pendingKey{}).(*pendingConn)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		b.refused(err.Error(), "remote", r.RemoteAddr)
		return
	}
	conn.SetReadLimit(maxHelloBytes)
	defer func() { _ = conn.CloseNow() }()
	b.mu.Lock()
	closed := b.closed
	if !closed {
		b.wg.Add(1)
	}
	b.mu.Unlock()
	if closed {
		return
	}
	defer b.wg.Done()

	hello, refuse := b.introduction(conn, authorized)
	if refuse != nil {
		if refuse.Code != "" {
			b.refused(refuse.Error(), "remote", r.RemoteAddr, "project", hello.ProjectPath)
			b.turnAway(conn, refuse)
		}
		return
	}
	l := b.newLink(conn, newPeer(hello))
	defer l.cancel()
	if refuse := b.install(l, pending); refuse != nil {
		b.refused(refuse.Error(), "remote", r.RemoteAddr, "project", hello.ProjectPath)
		b.turnAway(conn, refuse)
		return
	}
	b.linkDown(l, l.read())
}

// turnAway tells a peer why it is not served; best effort.
func (b *Bridge) turnAway(conn *websocket.Conn, refuse *wire.Error) {
	l := &link{b: b, conn: conn}
	l.goodbye(refusal(refuse), string(refuse.Reason))
}
