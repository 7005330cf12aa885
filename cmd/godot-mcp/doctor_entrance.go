package main

import (
	"net"

	"godot-mcp/server"
	"godot-mcp/server/isolate"
)

// http takes the port of HTTP for a moment, if it is to be served.
func (d *doctor) http(cfg server.Config) {
	if cfg.Transport != server.HTTP {
		return
	}
	if err := cfg.HTTP.Check(); err != nil {
		d.bad("http", "%v", err)
		return
	}
	ln, err := net.Listen("tcp", cfg.HTTP.Addr)
	if err != nil {
		who := ""
		if _, port, splitErr := net.SplitHostPort(cfg.HTTP.Addr); splitErr == nil {
			if owner := portOwner(port); owner != "" {
				who = "; it belongs to " + owner
			}
		}
		d.bad("http", "cannot listen on %s: %v%s", cfg.HTTP.Addr, err, who)
		return
	}
	_ = ln.Close()
	if cfg.HTTP.Token == "" {
		d.note("http", "%s is free; without --auth-token every program on this machine can use it", cfg.HTTP.Addr)
		return
	}
	d.ok("http", "%s is free; a token is needed", cfg.HTTP.Addr)
}

// isolation says what the machine can do, or whether it can do what is wanted.
func (d *doctor) isolation(cfg server.Config) {
	if cfg.Isolation != isolate.Off {
		if err := cfg.CheckIsolation(); err != nil {
			d.bad("isolation", "%v", err)
			return
		}
		d.ok("isolation", "--isolate=%s will hold (%s)", cfg.Isolation, isolate.Describe())
		return
	}
	switch on, strict := isolate.Available(isolate.On), isolate.Available(isolate.Strict); {
	case on != nil:
		d.note("isolation", "%v", on)
	case strict != nil:
		d.note("isolation", "--isolate is available (%s); %v", isolate.Describe(), strict)
	default:
		d.ok("isolation", "--isolate and --isolate=strict are available (%s)", isolate.Describe())
	}
}
