package bridge_test

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// A port that is taken is an error with its number, never another port, and
// the one who has it is named.
func TestATakenPortIsAnError(t *testing.T) {
	first, err := bridge.New(bridge.Config{URL: "ws://127.0.0.1:0", Version: "1.0"})
	require.NoError(t, err)
	require.NoError(t, first.Start())
	defer first.Close()
	url := first.Status().URL

	second, err := bridge.New(bridge.Config{URL: url})
	require.NoError(t, err)
	defer second.Close()
	err = second.Start()
	require.ErrorIs(t, err, syscall.EADDRINUSE)
	s := second.Status()
	assert.False(t, s.Listening)
	assert.Equal(t, url, s.URL)
	assert.Contains(t, s.BindError, strings.TrimPrefix(url, "ws://"))
	require.NotNil(t, s.Owner)
	assert.Equal(t, os.Getpid(), s.Owner.PID)
	assert.Equal(t, "1.0", s.Owner.Version)
	assert.False(t, s.Owner.Since.IsZero())
	out := second.Do(t.Context(), wire.CmdPing, nil)
	assert.Equal(t, wire.ReasonNoEditor, out.Err.Reason)
}

func TestAPortHeldByAStrangerHasNoOwner(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = ln.Close() }()
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("220 hello\r\n"))
			_ = c.Close()
		}
	}()
	b, err := bridge.New(bridge.Config{URL: "ws://" + ln.Addr().String()})
	require.NoError(t, err)
	defer b.Close()
	require.Error(t, b.Start())
	assert.Nil(t, b.Status().Owner)
}

// Any other refusal of the system is shown in its own words; with RetryBind the
// same port is tried until it is free.
func TestBindingIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := bridgetest.NewNet()
		tries := 0
		b, err := bridge.New(bridge.Config{RetryBind: 5 * time.Second, Listen: func(network, address string) (net.Listener, error) {
			assert.Equal(t, "127.0.0.1:9080", address)
			if tries++; tries < 4 {
				return nil, &net.OpError{Op: "listen", Net: network, Err: fs.ErrPermission}
			}
			return n.Listen(network, address)
		}})
		require.NoError(t, err)
		defer b.Close()
		require.ErrorIs(t, b.Start(), fs.ErrPermission)
		assert.Contains(t, b.Status().BindError, "permission")
		<-time.After(16 * time.Second)
		assert.True(t, b.Status().Listening)
		assert.Empty(t, b.Status().BindError)
		e := bridgetest.NewEditor(n)
		require.NoError(t, e.Connect(t.Context()))
		e.Drop()
	})
}

func TestAListenerThatFailsIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := bridge.New(bridge.Config{Listen: func(string, string) (net.Listener, error) { return broken{}, nil }})
		require.NoError(t, err)
		defer b.Close()
		require.NoError(t, b.Start())
		synctest.Wait()
		assert.False(t, b.Status().Listening)
		assert.Equal(t, "accept fails", b.Status().BindError)
	})
}

type broken struct{}

func (broken) Accept() (net.Conn, error) { return nil, errors.New("accept fails") }
func (broken) Close() error              { return nil }
func (broken) Addr() net.Addr            { return &net.TCPAddr{} }

// Over real sockets: twenty editors one after the other leave neither
// goroutines nor descriptors, and the port is free again after Close.
func TestNothingGrows(t *testing.T) {
	b, err := bridge.New(bridge.Config{URL: "ws://127.0.0.1:0"})
	require.NoError(t, err)
	require.NoError(t, b.Start())
	defer b.Close()
	url := b.Status().URL
	cycle := func() {
		e := bridgetest.NewTCPEditor(url)
		require.NoError(t, e.Connect(t.Context()))
		require.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
		e.Drop()
		require.Eventually(t, func() bool { return !b.Status().Connected }, 5*time.Second, time.Millisecond)
	}
	cycle()
	goroutines, files := runtime.NumGoroutine(), openFiles(t)
	for range 20 {
		cycle()
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 && openFiles(t) <= files+2 },
		5*time.Second, 10*time.Millisecond, "goroutines %d, files %d before", goroutines, files)

	b.Close()
	again, err := bridge.New(bridge.Config{URL: url})
	require.NoError(t, err)
	require.NoError(t, again.Start())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	again.Shutdown(ctx)
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0 // no such folder on this system: goroutines are counted all the same
	}
	return len(entries)
}

func BenchmarkDo(b *testing.B) {
	br, err := bridge.New(bridge.Config{URL: "ws://127.0.0.1:0"})
	require.NoError(b, err)
	require.NoError(b, br.Start())
	defer br.Close()
	e := bridgetest.NewTCPEditor(br.Status().URL)
	require.NoError(b, e.Connect(b.Context()))
	defer e.Drop()
	b.ReportAllocs()
	for b.Loop() {
		if out := br.Do(b.Context(), wire.CmdPing, nil); out.Err != nil {
			b.Fatal(out.Err)
		}
	}
}
