package server

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const serveEnv = "GODOT_MCP_TEST_SERVE"

// TestMain lets the test binary be the server process.
func TestMain(m *testing.M) {
	if url := os.Getenv(serveEnv); url != "" {
		cfg := DefaultConfig()
		cfg.BridgeURL, cfg.Version = url, "test"
		s, err := New(cfg)
		if err != nil {
			os.Exit(3)
		}
		// A port in use is reported and survived.
		_ = s.Start()
		_ = s.ServeStdio(context.Background())
		s.Close()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
	r   *bufio.Reader
}

func startProcess(t testing.TB) *process {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	p := &process{cmd: exec.Command(exe)}
	p.cmd.Env = append(os.Environ(), serveEnv+"=ws://127.0.0.1:0")
	p.in, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	p.out, err = p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	p.r = bufio.NewReader(p.out)
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

const initializeLine = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"

func (p *process) initialize(t testing.TB) {
	t.Helper()
	_, err := io.WriteString(p.in, initializeLine)
	require.NoError(t, err)
	line, err := p.r.ReadString('\n')
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(line, `{"jsonrpc":"2.0"`), line)
}

func TestProcessEndsWhenStdinCloses(t *testing.T) {
	p := startProcess(t)
	p.initialize(t)
	begin := time.Now()
	require.NoError(t, p.in.Close())
	rest, err := io.ReadAll(p.r)
	require.NoError(t, err)
	assert.Empty(t, rest)
	require.NoError(t, p.cmd.Wait())
	t.Logf("gone after %v", time.Since(begin))
}

// The client died without closing the server's input: nobody reads stdout.
func TestProcessEndsWhenStdoutHasNoReader(t *testing.T) {
	p := startProcess(t)
	p.initialize(t)
	begin := time.Now()
	require.NoError(t, p.out.Close())
	err := p.cmd.Wait()
	require.NoError(t, err)
	t.Logf("gone after %v, cpu %v", time.Since(begin), p.cmd.ProcessState.UserTime()+p.cmd.ProcessState.SystemTime())
}

func TestProcessEndsWhenBothEndsAreGone(t *testing.T) {
	p := startProcess(t)
	p.initialize(t)
	require.NoError(t, p.out.Close())
	_, _ = io.WriteString(p.in, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n")
	require.NoError(t, p.in.Close())
	require.NoError(t, p.cmd.Wait())
}

// stdin and stdout may be one socket, which is then not blocking in both directions.
func TestProcessOverOneSocket(t *testing.T) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	syscall.CloseOnExec(fds[0])
	theirs := os.NewFile(uintptr(fds[1]), "server end")
	require.NoError(t, syscall.SetNonblock(fds[0], true))
	ours := os.NewFile(uintptr(fds[0]), "client end")
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), serveEnv+"=ws://127.0.0.1:0")
	cmd.Stdin, cmd.Stdout = theirs, theirs
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	require.NoError(t, theirs.Close())
	// Many large answers before the first is read: the socket's buffer fills.
	go func() {
		_, _ = io.WriteString(ours, initializeLine+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
		for i := range 100 {
			_, _ = io.WriteString(ours, `{"jsonrpc":"2.0","id":`+strconv.Itoa(i+1)+`,"method":"tools/list"}`+"\n")
		}
	}()
	r := bufio.NewReader(ours)
	for range 101 {
		line, err := r.ReadString('\n')
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(line, `{"jsonrpc":"2.0"`) && strings.HasSuffix(line, "}\n"))
	}
	require.NoError(t, ours.Close())
	require.NoError(t, cmd.Wait())
}

func BenchmarkStartToInitialize(b *testing.B) {
	for b.Loop() {
		p := startProcess(b)
		p.initialize(b)
		b.StopTimer()
		_ = p.in.Close()
		_ = p.cmd.Wait()
		b.StartTimer()
	}
}

func BenchmarkListAllTools(b *testing.B) {
	cfg := editing()
	cfg.Toolsets = []string{"all"}
	s := NewWith(cfg, hungEditor{})
	defer s.Close()
	for b.Loop() {
		_ = s.ExposedTools()
	}
}
