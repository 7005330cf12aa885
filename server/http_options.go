package server

import (
	"errors"
	"net"
	"strconv"
	"time"

	"godot-mcp/server/httpguard"
)

// Transports.
const (
	Stdio = "stdio"
	HTTP  = "http"
)

// defaultHTTP is where MCP is served over HTTP unless told otherwise.
const defaultHTTP = "127.0.0.1:9090"

// Check looks at options without listening.
func (o HTTPOptions) Check() error {
	_, err := o.guard()
	return err
}

func (o HTTPOptions) guard() (*httpguard.Guard, error) {
	host := ""
	if o.Addr != "" {
		var err error
		if host, _, err = splitAddr(o.Addr); err != nil {
			return nil, err
		}
	}
	return httpguard.New(httpguard.Config{Bound: host, Hosts: o.Hosts, Origins: o.Origins, Token: o.Token})
}

// httpOptions is the part of the table of settings that HTTP has.
func httpOptions() []Option {
	return []Option{
		{"transport", []string{"GODOT_MCP_TRANSPORT"}, "stdio|http", "how clients reach the server (default stdio); see godot-mcp help http", func(c *Config, v string) error {
			_, err := oneOf(v, Stdio, HTTP)
			c.Transport = v
			return err
		}},
		{"http-host", []string{"GODOT_MCP_HTTP_HOST"}, "HOST", "host to serve HTTP on (default 127.0.0.1); one that others can reach needs --auth-token", func(c *Config, v string) error {
			_, port, err := splitAddr(c.HTTP.Addr)
			c.HTTP.Addr = net.JoinHostPort(v, port)
			return err
		}},
		{"http-port", []string{"GODOT_MCP_HTTP_PORT"}, "N", "port to serve HTTP on (default 9090; 0 takes a free one)", func(c *Config, v string) error {
			host, _, err := splitAddr(c.HTTP.Addr)
			if _, numberErr := strconv.ParseUint(v, 10, 16); numberErr != nil {
				return errors.New("must be a number from 0 to 65535")
			}
			c.HTTP.Addr = net.JoinHostPort(host, v)
			return err
		}},
		{"http", []string{"GODOT_MCP_HTTP"}, "ADDR", "serve HTTP on this address, as in 9090 or 127.0.0.1:9090, instead of stdin and stdout", func(c *Config, v string) error {
			host, port, err := splitAddr(v)
			c.Transport, c.HTTP.Addr = HTTP, net.JoinHostPort(host, port)
			return err
		}},
		{"auth-token", []string{"GODOT_MCP_AUTH_TOKEN"}, "TEXT", "bearer token that HTTP clients must present; better set in the environment", func(c *Config, v string) error {
			c.HTTP.Token = v
			return nil
		}},
		{"http-hosts", []string{"GODOT_MCP_HTTP_HOSTS"}, "A,B", "further names that HTTP clients may use for this server, as behind a proxy", func(c *Config, v string) error {
			c.HTTP.Hosts = names(v)
			return nil
		}},
		{"http-origins", []string{"GODOT_MCP_HTTP_ORIGINS"}, "A,B", "web pages that may use this server, as in https://example.org (default none)", func(c *Config, v string) error {
			c.HTTP.Origins = names(v)
			return nil
		}},
		{"http-sessions", []string{"GODOT_MCP_HTTP_SESSIONS"}, "N", "sessions of HTTP clients at once (default 256)", func(c *Config, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 || n > 100_000 {
				return errors.New("must be a number from 1 to 100000")
			}
			c.HTTP.Sessions = n
			return nil
		}},
		{"http-session-idle", []string{"GODOT_MCP_HTTP_SESSION_IDLE"}, "MINUTES", "end a session of an HTTP client after so long without a request (default 30)", func(c *Config, v string) error {
			n, err := strconv.ParseFloat(v, 64)
			if err != nil || n < 1 || n > 10_000 {
				return errors.New("must be minutes from 1 to 10000")
			}
			c.HTTP.SessionIdle = time.Duration(n * float64(time.Minute))
			return nil
		}},
	}
}
