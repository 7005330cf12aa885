package bridge

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// productName marks the answer to a plain GET, so that a second server that
// cannot have the port can say who has it.
const productName = "godot-mcp"

// processStart is close enough to the start of the process for a person.
var processStart = time.Now()

// Owner tells which server holds the port.
type Owner struct {
	Product string    `json:"product"`
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Since   time.Time `json:"since"`
	// Project is the connected editor's, empty when none is connected.
	Project string `json:"project,omitempty"`
}

func (b *Bridge) identity() Owner {
	o := Owner{Product: productName, Version: b.cfg.Version, PID: os.Getpid(), Since: processStart}
	// The path is told only where a connection would be served as well.
	if p := b.Peer(); p != nil && b.addr.loopback && b.cfg.Token == "" {
		o.Project = p.ProjectPath
	}
	return o
}

// askOwner asks whoever listens on the address; nil when it is not one of us.
func askOwner(ctx context.Context, a address) *Owner {
	ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)
	defer cancel()
	host := a.host
	if a.wildcard {
		host = "127.0.0.1"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, a.port)+"/", nil)
	if err != nil {
		return nil
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	var o Owner
	if json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&o) != nil || o.Product != productName {
		return nil
	}
	return &o
}
