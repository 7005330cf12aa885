// Package clients drives MCP clients that others wrote (Claude Code, Codex,
// opencode) against the server and through the evals. In place of a language
// model they talk to the scripted one of package evals/fakemodel, so that no key
// and, once npm has fetched them, no network is needed. Each is pinned to a
// release; "make test-clients" runs them.
package clients
