//go:build unix

package scripts

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An editor whose plugins do not dial in time is ended with all that it started, and
// its project folder is taken away.
func TestEditorThatDoesNotDialIsEnded(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer ln.Close()
	// Two processes hold the connection: it ends when both have.
	bin := filepath.Join(t.TempDir(), "godot")
	_, port, err := net.SplitHostPort(ln.Addr().String())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(bin, fmt.Appendf(nil, "#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/%s\nsleep 1000 &\nsleep 1000\n", port), 0o755))

	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	came := make(chan net.Conn, 1)
	go func() {
		c, err := ln.Accept()
		assert.NoError(t, err)
		came <- c
		giveUp()
	}()
	b, err := startGodot(ctx, bin)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "the editor did not come up")
	assert.Nil(t, b)
	c := <-came
	defer c.Close()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(time.Minute))) // an orphan would hold it for ever
	_, err = c.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	left, err := os.ReadDir(os.TempDir())
	require.NoError(t, err)
	assert.Empty(t, left)
}
