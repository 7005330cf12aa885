package scripts

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
)

// process is a program that runs in a group of its own, so that nothing it
// starts outlives it.
type process struct {
	cmd    *exec.Cmd
	log    string
	exited chan struct{}
}

// freePort is a port that nothing listens on. Editors would share those of the
// language server and the debugger otherwise: the second has neither.
func freePort() string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "0"
	}
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	return port
}

// startProcess starts a program; what it prints goes to a file.
func startProcess(log string, env []string, bin string, args ...string) (*process, error) {
	f, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cmd := exec.Command(bin, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, f, f
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, log: log, exited: make(chan struct{})}
	go func() {
		// The exit code of the editor says nothing (engine 4.6: 0 for nearly
		// every fault, a signal now and then at shutdown).
		_ = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// wait waits for the end and makes sure of the whole group.
func (p *process) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		p.kill()
		return fmt.Errorf("the editor did not end: %w", ctx.Err())
	case <-p.exited:
	}
	killGroup(p.cmd)
	return nil
}

func (p *process) kill() {
	killGroup(p.cmd)
	<-p.exited
}

// tail is the end of what the program printed.
func (p *process) tail() string {
	b, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}
