// Package console asks a person on a web page. The page is served by the server
// itself, on loopback only, to browsers that came in by a link which works once.
// A [Queue] holds the calls that wait; a [Console] shows them and brings back
// what the person says.
//
// Whoever may open the page may approve calls, so requests are held against a
// chain of guards (see [Console.ServeHTTP]). What the page shows comes from an
// agent and is hostile until shown otherwise: the page sets text, never markup,
// and makes visible what hides in text.
package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Bounds on connections and requests.
const (
	maxConnections = 64
	headerLimit    = 5 * time.Second
	requestLimit   = 10 * time.Second
	idleLimit      = time.Minute
	maxHeader      = 16 << 10
)

// DefaultAddress is a free port on loopback.
const DefaultAddress = "127.0.0.1:0"

// Config is what a console is made with; the zero value will do.
type Config struct {
	// Address is where the page is served; it must be loopback. Empty is
	// [DefaultAddress].
	Address string
	// Random is where secrets come from; nil is crypto/rand.
	Random io.Reader
	// Listen opens the listener; nil is net.Listen.
	Listen func(network, address string) (net.Listener, error)
}

// Console is one page and its listener.
type Console struct {
	queue  *Queue
	doors  *doors
	hosts  []string // that requests may be sent to
	origin string
	cookie string
	routes map[string]route
	server *http.Server
	base   context.Context
	stop   context.CancelFunc
}

// Start serves the page for a queue until [Console.Close]. An address that other
// machines reach is an error.
func Start(cfg Config, q *Queue) (*Console, error) {
	if cfg.Address == "" {
		cfg.Address = DefaultAddress
	}
	if err := CheckAddress(cfg.Address); err != nil {
		return nil, err
	}
	listen := cfg.Listen
	if listen == nil {
		listen = net.Listen
	}
	l, err := listen("tcp", cfg.Address)
	if err != nil {
		return nil, fmt.Errorf("approval console: %w", err)
	}
	addr, err := netip.ParseAddrPort(l.Addr().String())
	if err != nil || !addr.Addr().Unmap().IsLoopback() {
		_ = l.Close()
		return nil, fmt.Errorf("approval console: %s is not a loopback address", l.Addr())
	}
	c := newConsole(q, addr, cfg.Random)
	c.server = &http.Server{
		Handler: c, ReadHeaderTimeout: headerLimit, ReadTimeout: requestLimit, IdleTimeout: idleLimit, MaxHeaderBytes: maxHeader,
		// What a bad client sends is nothing to write down.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	go func() { _ = c.server.Serve(bounded(l, maxConnections)) }()
	return c, nil
}

func newConsole(q *Queue, addr netip.AddrPort, random io.Reader) *Console {
	port := addr.Port()
	c := &Console{
		queue: q, doors: newDoors(random), origin: "http://" + addr.String(),
		hosts: []string{
			addr.String(), fmt.Sprintf("127.0.0.1:%d", port), fmt.Sprintf("localhost:%d", port), fmt.Sprintf("[::1]:%d", port),
		},
		// Cookies do not know ports; servers on one machine must not share theirs.
		cookie: fmt.Sprintf("godot_mcp_console_%d", port),
	}
	c.base, c.stop = context.WithCancel(context.Background())
	c.routes = c.table()
	return c
}

// Link makes a new link to the page. The token in it works once; it stands in
// the fragment, which browsers send to nobody.
func (c *Console) Link() (string, error) { return c.newLink(c.origin) }

func (c *Console) newLink(origin string) (string, error) {
	token, err := c.doors.link()
	if err != nil {
		return "", fmt.Errorf("approval console: no random bytes: %w", err)
	}
	return origin + "/#" + token, nil
}

// Close denies what waits and ends the page.
func (c *Console) Close() error {
	c.queue.Close()
	c.stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := c.server.Shutdown(ctx); err != nil {
		return c.server.Close()
	}
	return nil
}

// CheckAddress says whether a page may be served at an address.
func CheckAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return errors.New("must be HOST:PORT, such as 127.0.0.1:0")
	}
	if _, err := net.LookupPort("tcp", port); err != nil || port == "" {
		return fmt.Errorf("%q is no port", port)
	}
	if host == "localhost" {
		return nil
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.Unmap().IsLoopback() || ip.Zone() != "" {
		return fmt.Errorf("%q is no loopback address; the page is for this machine only", host)
	}
	return nil
}
