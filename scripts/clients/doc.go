// Package clients drives MCP clients that others wrote against the server and
// through the evals. In place of a language model they talk to the scripted one
// of package evals/fakemodel, so that no key and no network is needed.
package clients
