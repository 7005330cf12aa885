package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// asEcho makes the test binary a bare SDK server with one tool.
const asEcho = "GODOT_MCP_BENCH_ECHO"

func TestMain(m *testing.M) {
	if os.Getenv(asEcho) != "" {
		if err := echo(); err != nil && !errors.Is(err, io.EOF) {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if dir != "" {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

func echo() error {
	type text struct {
		Text string `json:"text"`
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "echo", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, text, error) {
		return nil, in, nil
	})
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

// dir holds the built program.
var dir string

// program builds the server once.
var program = sync.OnceValues(func() (string, error) {
	var err error
	if dir, err = os.MkdirTemp("", "godot-mcp-bench-"); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "godot-mcp")
	build := exec.Command("go", "build", "-o", bin, "godot-mcp/cmd/godot-mcp")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build does
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return bin, nil
})

// process is a running server and the plainest possible client.
type process struct {
	b      *testing.B
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	log    chan string // lines of stderr that say where the bridge listens
	number int
}

func startServer(b *testing.B, args ...string) *process {
	b.Helper()
	bin, err := program()
	require.NoError(b, err)
	cmd := exec.Command(bin, append([]string{"serve", "--bridge-url", "ws://127.0.0.1:0"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	return start(b, cmd)
}

func startEcho(b *testing.B) *process {
	b.Helper()
	exe, err := os.Executable()
	require.NoError(b, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), asEcho+"=1")
	return start(b, cmd)
}

func start(b *testing.B, cmd *exec.Cmd) *process {
	b.Helper()
	p := &process{b: b, cmd: cmd, log: make(chan string, 1)}
	var err error
	p.in, err = cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	errs, err := cmd.StderrPipe()
	require.NoError(b, err)
	p.out = bufio.NewReaderSize(out, 1<<20)
	require.NoError(b, cmd.Start())
	go func() {
		for lines := bufio.NewScanner(errs); lines.Scan(); {
			if strings.Contains(lines.Text(), "bridge listens") {
				p.log <- lines.Text()
			}
		}
	}()
	return p
}

const initialize = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`

func (p *process) initialize() {
	p.ask("initialize", initialize)
}

func (p *process) ready() *process {
	p.initialize()
	_, err := io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	require.NoError(p.b, err)
	return p
}

// ask sends a request and returns the answer's line, which is no error.
func (p *process) ask(method, params string) []byte {
	p.number++
	_, err := io.WriteString(p.in, `{"jsonrpc":"2.0","id":`+strconv.Itoa(p.number)+`,"method":"`+method+`","params":`+params+"}\n")
	if err != nil {
		p.b.Fatal(err)
	}
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			p.b.Fatal(err)
		}
		head := string(line[:min(len(line), 200)])
		if strings.Contains(head, `"method":`) {
			continue // a notification
		}
		if strings.Contains(head, `"error":{"code"`) || strings.Contains(string(line[max(0, len(line)-40):]), `"isError":true`) {
			p.b.Fatalf("%s: %s", method, head)
		}
		return line
	}
}

func (p *process) call(tool, args string) []byte {
	return p.ask("tools/call", `{"name":"`+tool+`","arguments":`+args+`}`)
}

// quit closes the input and waits for the end.
func (p *process) quit() {
	_ = p.in.Close()
	_, _ = io.Copy(io.Discard, p.out)
	if err := p.cmd.Wait(); err != nil {
		p.b.Fatal(err)
	}
}

// bridge is the URL on which the server waits for an editor.
func (p *process) bridge() string {
	var line struct{ Address struct{ Port int } }
	require.NoError(p.b, json.Unmarshal([]byte(<-p.log), &line))
	return fmt.Sprintf("ws://127.0.0.1:%d", line.Address.Port)
}

var rss = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// megabytes is the resident memory of the process (Linux).
func (p *process) megabytes() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	require.NoError(p.b, err)
	m := rss.FindSubmatch(text)
	require.NotNil(p.b, m)
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	require.NoError(p.b, err)
	return kb / 1024
}

// cpu is the processor time that the process has used (Linux; steps of 10 ms).
func (p *process) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	require.NoError(p.b, err)
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, errU := strconv.Atoi(f[11])
	system, errS := strconv.Atoi(f[12])
	require.NoError(p.b, errors.Join(errU, errS))
	return time.Duration(user+system) * 10 * time.Millisecond
}
