package client

import (
	"crypto/rand"
	"encoding/hex"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"godot-mcp/evals/sim"
)

// front is the address where the clients of all trials find their worlds over
// HTTP: the bearer token of a request says which. It listens while there is one.
type front struct {
	mu     sync.Mutex
	server *http.Server
	url    string
	worlds map[string]*entry
}

type entry struct {
	world *sim.Web
	// traffic is told of every request.
	traffic func()
}

const headerLimit = 10 * time.Second

// add takes a world in and gives the address; end has to be called after it.
func (f *front) add(token string, w *sim.Web, traffic func()) (url string, end func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.server == nil {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, err
		}
		f.server, f.url = &http.Server{Handler: f, ReadHeaderTimeout: headerLimit}, "http://"+ln.Addr().String()+"/mcp"
		f.worlds = map[string]*entry{}
		go func(s *http.Server) { _ = s.Serve(ln) }(f.server) // it ends by Close
	}
	f.worlds[token] = &entry{w, traffic}
	return f.url, func() { f.remove(token) }, nil
}

func (f *front) remove(token string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if delete(f.worlds, token); len(f.worlds) == 0 && f.server != nil {
		_ = f.server.Close()
		f.server = nil
	}
}

// ServeHTTP implements [http.Handler].
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	f.mu.Lock()
	e := f.worlds[token]
	f.mu.Unlock()
	if !ok || e == nil {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "no world has this token", http.StatusUnauthorized)
		return
	}
	e.traffic()
	e.world.ServeHTTP(w, r)
}

func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
