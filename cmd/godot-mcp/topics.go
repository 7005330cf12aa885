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
		{
			Use:   "isolation",
			Short: "What the server's own process can reach (Linux)",
			Long: `With --isolate the kernel bounds the server's process, whatever is asked of it
and whatever is wrong with it. What its tools may do is another matter (--profile,
--mode, --permissions), and the editor runs outside these bounds.

  godot-mcp serve --profile editor --project-dir path/to/project --isolate=strict

  --isolate, --isolate=on
      Files are changed in the project, the state folder and the folder of the
      audit file only. Files are read there and where the system keeps programs
      and settings (/usr, /opt, /etc and the like), not in the home directory. Programs
      can be started, inside the same bounds, but none that lies where files can
      be changed; a Godot that is started has its home in the state folder, so
      user:// is not the usual one. The network is open.
  --isolate=strict
      As on, with few system files to read. No program can be started, not even
      Godot; nothing can be dialled, and only the ports of the bridge, of HTTP and
      of the approval page bound; other processes get no signal; modes, owners and
      times of files stay.

It needs --project-dir, because the bounds are drawn before an editor says which
project it has. It cannot be taken off while the server runs.

On takes Linux 6.2 with Landlock, strict Linux 6.7 with system call filters as
well. Where that is not so, the server does not start; godot-mcp doctor says what
this machine has. Strict goes neither with the approval webhook nor with a browser
that the server opens, nor with serve --simulate, which dials from the same process.`,
		},
	}
}
