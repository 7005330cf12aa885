package isolate

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	if text := os.Getenv(worldEnv); text != "" {
		runInside(text)
	}
	os.Exit(m.Run())
}

// makeWorld lays out a home directory, a project and peers to dial.
func makeWorld(t *testing.T, mode Mode) world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := world{Project: dir + "/project", Outside: dir + "/outside", Secret: dir + "/outside/secret", Parent: os.Getpid(), Other: "/bin/true"}
	for _, d := range []string{w.Project, w.Outside, dir + "/log"} {
		require.NoError(t, os.Mkdir(d, 0o700))
	}
	for _, name := range []string{"secret", "movable", "cut", "gone", "mode"} {
		require.NoError(t, os.WriteFile(w.Outside+"/"+name, []byte("secret"), 0o600))
	}
	require.NoError(t, os.WriteFile(w.Project+"/project.godot", []byte("config_version=5\n"), 0o600))
	require.NoError(t, os.Symlink(w.Secret, w.Project+"/link"))
	require.NoError(t, os.Symlink(w.Outside, w.Project+"/folder"))
	w.Plan = Plan{Mode: mode, Project: w.Project, State: dir + "/state", Audit: dir + "/log/audit.jsonl", Ports: []uint16{0}}
	if mode == Off { // which makes nothing
		require.NoError(t, os.Mkdir(w.Plan.State, 0o700))
	}

	accept := func(l net.Listener, err error) string {
		require.NoError(t, err)
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_ = c.Close()
			}
		}()
		return l.Addr().String()
	}
	w.TCP = accept(net.Listen("tcp", "127.0.0.1:0"))
	w.Unix = accept(net.Listen("unix", dir+"/outside/socket"))
	accept(net.Listen("unix", fmt.Sprintf("@outside%d", w.Parent)))
	u, err := net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = u.Close() })
	w.UDP = u.LocalAddr().String()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w.Port = free.Addr().(*net.TCPAddr).Port
	require.NoError(t, free.Close())
	return w
}

// run tries everything in a process of its own, and tells what came of it.
func run(t *testing.T, w world) (verdicts map[string]string, refusal string) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	text, err := json.Marshal(w)
	require.NoError(t, err)
	secret, err := os.Open(w.Secret)
	require.NoError(t, err)
	outside, err := os.Open(w.Outside)
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Dir = w.Outside
	cmd.Env = append(os.Environ(), worldEnv+"="+string(text))
	cmd.ExtraFiles = []*os.File{secret, outside}
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, errors.Join(secret.Close(), outside.Close()))
	verdicts = map[string]string{}
	for s := bufio.NewScanner(out); s.Scan(); {
		if address, ok := strings.CutPrefix(s.Text(), "listening "); ok {
			c, err := net.Dial("tcp", address)
			require.NoError(t, err)
			_, err = io.WriteString(c, "hello")
			require.NoError(t, err)
			require.NoError(t, c.(*net.TCPConn).CloseWrite())
			echo, err := io.ReadAll(c)
			require.NoError(t, err)
			assert.Equal(t, "hello", string(echo))
			_ = c.Close()
			continue
		}
		if why, ok := strings.CutPrefix(s.Text(), "refused "); ok {
			refusal = why
			continue
		}
		name, verdict, ok := strings.Cut(s.Text(), "\t")
		require.True(t, ok, s.Text())
		verdicts[name] = verdict
	}
	err = cmd.Wait()
	if refusal == "" {
		require.NoError(t, err)
	} else {
		require.Error(t, err)
	}
	return verdicts, refusal
}

// Every escape works without bounds, so that each of these tests can fail; those
// of files fail with On, all of them with Strict. What the server has to do
// works in each mode. On a machine that cannot draw the bounds the process must
// refuse to go on.
func TestEscapes(t *testing.T) {
	for _, mode := range []Mode{Off, On, Strict} {
		t.Run("mode "+string(mode), func(t *testing.T) {
			w := makeWorld(t, mode)
			verdicts, refusal := run(t, w)
			if err := Available(mode); err != nil {
				assert.Contains(t, refusal, err.Error())
				assert.Empty(t, verdicts)
				return
			}
			require.Empty(t, refusal)
			for _, a := range work {
				assert.Equal(t, "ok", verdicts[a.name], a.name)
			}
			for _, a := range attempts {
				if possible := mode == Off || mode == On && a.on; possible {
					assert.Equal(t, "ok", verdicts[a.name], a.name)
				} else {
					assert.NotEqual(t, "ok", verdicts[a.name], a.name)
					assert.NotEmpty(t, verdicts[a.name], a.name)
				}
			}
			secret, err := os.ReadFile(w.Secret)
			require.NoError(t, err)
			assert.Equal(t, "secret", string(secret))
		})
	}
}

// A kernel without Landlock, or with one that is too old, is refused in words
// that say so.
func TestOldKernels(t *testing.T) {
	real := revision
	defer func() { revision = real }()
	for _, c := range []struct {
		has  int
		err  error
		mode Mode
		says string
	}{
		{0, errors.New("function not implemented"), On, "needs Landlock, which this kernel does not have"},
		{0, errors.New("operation not supported"), Strict, "lsm=landlock"},
		{2, nil, On, "needs Landlock revision 3, and this kernel has 2"},
		{3, nil, Strict, "needs Landlock revision 4, and this kernel has 3"},
		{3, nil, On, ""},
		{3, errors.New("x"), Off, ""},
	} {
		revision = func() (int, error) { return c.has, c.err }
		p := Plan{Mode: c.mode, Project: t.TempDir(), State: t.TempDir()}
		err := p.Check()
		if c.says == "" {
			assert.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.says)
		require.ErrorContains(t, err, "--isolate="+string(c.mode))
		require.EqualError(t, p.Enter(), err.Error(), "nothing was done")
		assert.NotEmpty(t, Describe())
	}
}

// The filter's program is one that a kernel takes: every jump lands inside it,
// and it ends in a verdict.
func TestTheFilterIsWellFormed(t *testing.T) {
	for _, arch := range machines {
		p := program(arch)
		assert.Less(t, len(p), 4096)
		for i, op := range p {
			assert.Less(t, i+1+int(op.Jt), len(p)+1)
			assert.Less(t, i+1+int(op.Jf), len(p)+1)
		}
		assert.EqualValues(t, allow, p[len(p)-1].K)
	}
	assert.Contains(t, machines, runtime.GOARCH)
}
