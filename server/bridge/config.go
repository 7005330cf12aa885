package bridge

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"godot-mcp/server/httpguard"
	"godot-mcp/server/wire"
)

// DefaultURL is where server and addon meet unless told otherwise.
const DefaultURL = "ws://127.0.0.1:9080"

// Limits of the bridge that no caller has had a reason to change.
const (
	defaultTimeout = 10 * time.Second // of one command
	helloTimeout   = 5 * time.Second  // connection → hello, and request headers
	pingEvery      = 10 * time.Second
	pingMisses     = 2               // in a row, then the link is dead
	probeTimeout   = 3 * time.Second // is the older holder of a session alive?
	drainTimeout   = 2 * time.Second // a replaced editor may still answer what it was sent
	askTimeout     = time.Second     // last question about a call that ran out of time
	maxPending     = 16              // connections that have not said hello
	maxWaiting     = 1024            // calls that have not ended
	maxInFlight    = 1024            // below the 4096 packets that Godot queues by default
	maxLate        = wire.OutcomeMemory
	maxHelloBytes  = 256 << 10 // before the hello nobody has earned 32 MiB
	maxDepth       = 512       // nesting of a reply
)

// Config says where and how the bridge listens. The zero value listens on
// [DefaultURL] without a token.
type Config struct {
	// URL is ws://host:port with an explicit port; port 0 takes a free one
	// ([Status.URL] tells which). A host that is not loopback needs a Token.
	URL string
	// Token, when set, must be presented by the editor: as "Authorization:
	// Bearer" at the handshake or as a [wire.Auth] message before its hello.
	Token string
	// Version is the server's version as the editor's dock shows it.
	Version string
	// Logger gets one line per connection event and per dropped message. Nil discards.
	Logger *slog.Logger
	// Listen opens the listener; nil is net.Listen. Tests listen in memory.
	Listen func(network, address string) (net.Listener, error)
	// RetryBind, when positive, tries again at that interval after the port
	// could not be bound. It is always the same port.
	RetryBind time.Duration
	// FirstID is the id of the first command. Zero takes microseconds since
	// 1970, so that a later run of the server does not repeat ids that an
	// editor still remembers with their outcomes.
	FirstID uint64
	// MaxBytes bounds one message of the editor; zero is [wire.MaxMessageBytes].
	MaxBytes int
	// OnLate is called when the outcome of a call becomes known after Do has
	// given up on it. It must not block.
	OnLate func(Late)
}

// Late is an outcome that came after its call had ended with a deadline, a
// cancellation or link_lost.
type Late struct {
	Command string
	Outcome
}

type address struct {
	host     string
	port     string
	loopback bool
	wildcard bool
}

func (a address) String() string { return net.JoinHostPort(a.host, a.port) }

func parseURL(raw, token string) (address, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return address{}, fmt.Errorf("bridge URL %q: %w", raw, err)
	}
	switch {
	case u.Scheme != "ws":
		return address{}, fmt.Errorf("bridge URL %q: the scheme must be ws", raw)
	case u.Hostname() == "" || u.Port() == "":
		return address{}, fmt.Errorf("bridge URL %q: host and port must be given, as in %s", raw, DefaultURL)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return address{}, fmt.Errorf("bridge URL %q: only host and port may be given", raw)
	}
	a := address{host: u.Hostname(), port: u.Port(), loopback: isLoopback(u.Hostname())}
	if ip, err := netip.ParseAddr(a.host); err == nil {
		a.wildcard = ip.IsUnspecified()
	}
	if !a.loopback && token == "" {
		return address{}, fmt.Errorf("bridge URL %q: a host that is not loopback needs a bridge token", raw)
	}
	return a, nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// New checks the configuration. It opens nothing; see [Bridge.Start].
func New(cfg Config) (*Bridge, error) {
	if cfg.URL == "" {
		cfg.URL = DefaultURL
	}
	addr, err := parseURL(cfg.URL, cfg.Token)
	if err != nil {
		return nil, err
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Listen == nil {
		cfg.Listen = net.Listen
	}
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = wire.MaxMessageBytes
	}
	if cfg.FirstID == 0 {
		cfg.FirstID = uint64(time.Now().UnixMicro())
	}
	b := &Bridge{
		cfg: cfg, addr: addr, log: cfg.Logger, quiet: &httpguard.Quiet{Log: cfg.Logger}, nextID: cfg.FirstID,
		links: map[*link]struct{}{}, calls: map[string]*call{}, late: newLateLog(),
	}
	b.base, b.stop = context.WithCancel(context.Background())
	return b, nil
}
