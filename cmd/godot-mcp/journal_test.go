package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/journal"
)

// lostPeer is an editor that takes a command and is never seen again.
type lostPeer struct{ journal.Editor }

func (lostPeer) Peer() (journal.Peer, bool) {
	return journal.Peer{Session: "s", Project: "/projects/game", Link: "1"}, true
}

func TestJournalCommands(t *testing.T) {
	state := t.TempDir()
	out, err := execute(t, "journal", "list", "--state-dir", state)
	require.NoError(t, err)
	assert.Contains(t, out, "no records")
	k := journal.New(journal.Config{Dir: state, Editor: lostPeer{}})
	for _, id := range []string{"one", "two\n"} {
		c, _, f := k.Claim(t.Context(), id, "digest", "godot_scripts_write", false)
		require.Nil(t, f)
		require.NoError(t, c.Sending(id, "s", "cmd_write_file"))
		c.Release()
	}
	_, err = execute(t, "journal", "list", "--state-dir", state)
	require.ErrorContains(t, err, "another godot-mcp has it open")
	require.NoError(t, k.Close())

	out, err = execute(t, "journal", "list", "--state-dir", state)
	require.NoError(t, err)
	assert.Contains(t, out, `"/projects/game" (2 records`)
	assert.Contains(t, out, `"two\n"`)
	out, err = execute(t, "journal", "show", "one", "--state-dir", state)
	require.NoError(t, err)
	assert.Contains(t, out, `"state": "open"`)
	_, err = execute(t, "journal", "show", "three", "--state-dir", state)
	require.ErrorContains(t, err, "no record")
	_, err = execute(t, "journal", "settle", "one", "--state-dir", state)
	require.ErrorContains(t, err, "--applied or --not-applied")
	_, err = execute(t, "journal", "settle", "one", "--applied", "--state-dir", state)
	require.NoError(t, err)
	_, err = execute(t, "journal", "settle", "two\n", "--not-applied", "--state-dir", state, "--project-dir", "/projects/game")
	require.NoError(t, err)
	out, err = execute(t, "journal", "list", "--state-dir", state)
	require.NoError(t, err)
	assert.Contains(t, out, "done")
	assert.NotContains(t, out, "two")
	_, err = execute(t, "journal", "list", "--state-dir", state, "--project-dir", filepath.Join(state, "x"))
	require.ErrorContains(t, err, "no journal")
}
