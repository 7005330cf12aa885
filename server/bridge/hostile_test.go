package bridge_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// rawFrame is a WebSocket frame of a client, masked with zeros; head has the final
// bit, the reserved bits and the kind. Declared is the length it claims.
func rawFrame(head byte, declared uint64, payload string) string {
	var b bytes.Buffer
	b.WriteByte(head)
	switch {
	case declared < 126:
		b.WriteByte(0x80 | byte(declared))
	case declared < 1<<16:
		b.WriteByte(0x80 | 126)
		_ = binary.Write(&b, binary.BigEndian, uint16(declared))
	default:
		b.WriteByte(0x80 | 127)
		_ = binary.Write(&b, binary.BigEndian, declared)
	}
	b.WriteString("\x00\x00\x00\x00" + payload)
	return b.String()
}

func whole(head byte, payload string) string { return rawFrame(head, uint64(len(payload)), payload) }

const helloMessage = `{"command":"cmd_peer_hello","session":"hostile-one","project_path":"/p"}`

// A peer that breaks the framing, announces what it never sends, or sends without
// end loses its connection in bounded time; an honest editor is served afterwards,
// and a call that the peer was given ends.
func TestBrokenFrames(t *testing.T) {
	const text, final = 1, 0x80
	for name, c := range map[string]struct {
		frames string
		again  string // sent on and on
		limit  time.Duration
		hello  bool // the frames come after a proper hello
	}{
		"not masked":                  {frames: "\x81\x02{}", limit: time.Second},
		"reserved bits":               {frames: whole(final|0x70|text, "{}"), limit: time.Second},
		"unknown kind":                {frames: whole(final|0x3, "{}"), limit: time.Second},
		"long control frame":          {frames: rawFrame(final|0x9, 126, strings.Repeat("x", 126)), limit: time.Second},
		"control frame in pieces":     {frames: whole(0x9, "x"), limit: time.Second},
		"continuation of nothing":     {frames: whole(final, "x"), limit: time.Second},
		"negative length":             {frames: rawFrame(final|text, 1<<63, ""), limit: time.Second},
		"a terabyte announced":        {frames: rawFrame(final|text, 1<<40, "{"), limit: 6 * time.Second},
		"a terabyte sent":             {frames: rawFrame(final|text, 1<<40, ""), again: strings.Repeat("x", 1<<16), limit: 6 * time.Second},
		"pieces without end":          {frames: whole(text, "{"), again: whole(0, "x"), limit: 6 * time.Second},
		"pings without hello":         {again: whole(final|0x9, "x"), limit: 6 * time.Second},
		"a terabyte after hello":      {hello: true, frames: rawFrame(final|text, 1<<40, "{"), limit: time.Minute},
		"broken after hello":          {hello: true, frames: whole(final|0x70|text, "{}"), limit: time.Second},
		"pieces without end, hello":   {hello: true, frames: whole(text, "{"), again: whole(0, strings.Repeat("x", 1<<16)), limit: time.Minute},
		"nothing more, hello":         {hello: true, limit: time.Minute},
		"replies to nobody, no pongs": {hello: true, frames: whole(final|text, `{"id":"77","ok":true,"result":{}}`), limit: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, n := bridgetest.Start(t, bridge.Config{MaxBytes: 1 << 20})
				status, conn := request(t, n, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"+upgrade)
				require.Equal(t, 101, status)
				begin := time.Now()
				closed := make(chan struct{})
				go func() {
					defer close(closed)
					_, _ = io.Copy(io.Discard, conn)
				}()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					var err error
					if c.hello {
						_, err = io.WriteString(conn, whole(final|text, helloMessage))
					}
					if err == nil {
						_, err = io.WriteString(conn, c.frames)
					}
					for err == nil && c.again != "" {
						<-time.After(10 * time.Millisecond)
						_, err = io.WriteString(conn, c.again)
					}
				}()
				if c.hello && c.limit > time.Second {
					synctest.Wait()
					require.True(t, b.Status().Connected)
					out := b.Do(t.Context(), wire.CmdPing, nil)
					require.NotNil(t, out.Err)
				}
				<-closed
				<-sent
				assert.LessOrEqual(t, time.Since(begin), c.limit)
				e := bridgetest.NewEditor(n)
				require.NoError(t, e.Connect(t.Context()))
				defer e.Drop()
				assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
			})
		})
	}
}

// What peers do wrong fills no disk: a minute has a bounded number of log lines.
func TestAFloodOfRefusalsIsLoggedBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		b, n := bridgetest.Start(t, bridge.Config{Logger: slog.New(slog.NewTextHandler(&out, nil))})
		for range 500 {
			status, conn := request(t, n, "GET / HTTP/1.1\r\nHost: evil.example\r\n"+upgrade)
			assert.Equal(t, 403, status)
			_ = conn.Close()
		}
		assert.Equal(t, 500, b.Status().Counters.Refused)
		assert.LessOrEqual(t, strings.Count(out.String(), "refused"), 20)
		b.Close()
	})
}

// A flood of connections that are let through the handshake and then say nothing
// does not part an editor from its calls.
func TestAFloodBesideAnEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, n := bridgetest.Start(t, bridge.Config{})
		e := bridgetest.NewEditor(n)
		require.NoError(t, e.Connect(t.Context()))
		defer e.Drop()
		var open []net.Conn
		for range 200 {
			status, conn := request(t, n, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"+upgrade)
			require.Equal(t, 101, status)
			open = append(open, conn)
			require.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
		}
		<-time.After(10 * time.Second)
		require.True(t, b.Status().Connected)
		for _, c := range open {
			waitClosed(c)
		}
	})
}
