package main

import "github.com/spf13/cobra"

// topics are help texts that belong to no command.
func topics() []*cobra.Command {
	return []*cobra.Command{
		approvalTopic(),
		{
			Use:   "http",
			Short: "How MCP is served over HTTP, and to whom",
			Long: `With --http ADDR the server speaks MCP over HTTP at http://ADDR/mcp, to several
clients at once and with all checks that stdio has. ADDR is host:port or a port;
without a host it is 127.0.0.1. Both protocol eras use the same address.

  GODOT_MCP_AUTH_TOKEN=$(openssl rand -hex 32) godot-mcp serve --http 9090

Who is served:
  - The Host header must name loopback, the host of ADDR or one of --http-hosts.
    Other names are refused: a page that has its own name point to this machine
    comes with such a one.
  - Requests that a browser sends for a page are refused (Origin), except of the
    pages in --http-origins.
  - With --auth-token every request needs "Authorization: Bearer TOKEN". An ADDR
    that other machines can reach needs a token of at least 16 characters. The
    token belongs into the environment (GODOT_MCP_AUTH_TOKEN), never into an
    address; it is in no log. Without one, every program of every user of this
    machine can use the server.
  - HTTP is not encrypted. Between machines put a proxy with TLS before it, and
    name its host with --http-hosts.

Limits: a body has at most 4 MB and 15 seconds, headers 5 seconds. There are at
most 512 connections, 64 MB of bodies, and --http-sessions sessions; a session
ends after --http-session-idle minutes without a request, and after a day. When
all sessions are taken, one that nothing came of or that was quiet for five
minutes makes room, else new ones get 503. --max-calls, --calls-per-minute and
--answer-memory count for each client; calls of several clients take turns.

On SIGTERM and SIGINT the server takes no more requests, answers the calls under
way, and ends within a few seconds.`,
		},
	}
}
