package isolate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// world is what a process under test knows of the places around it.
type world struct {
	Plan    Plan
	Project string
	Secret  string // a file outside
	Outside string // a folder outside, with the secret in it
	Parent  int
	TCP     string
	UDP     string
	Unix    string
	Port    int // free, and not in the plan
	Other   string
}

// attempt is something that the bounds are there to prevent.
type attempt struct {
	name string
	// on says whether it is possible with On as well; nothing is with Strict.
	on  bool
	try func(w world) error
}

func read(path string) error {
	b, err := os.ReadFile(path)
	if err == nil && len(b) == 0 {
		return errors.New("empty")
	}
	return err
}

func start(path string, args ...string) error { return exec.Command(path, args...).Run() }

func copyFile(from, to string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o755)
}

func hangUp(c io.Closer, err error) error {
	if err == nil {
		_ = c.Close()
	}
	return err
}

var attempts = []attempt{
	{"read a file of the home directory", false, func(w world) error { return read(w.Secret) }},
	{"list a folder outside", false, func(w world) error { _, err := os.ReadDir(w.Outside); return err }},
	{"climb out of the project", false, func(w world) error { return read(w.Project + "/../outside/secret") }},
	{"read from where it was started", false, func(world) error { return read("secret") }},
	{"follow a link out", false, func(w world) error { return read(w.Project + "/link") }},
	{"follow a link of a folder", false, func(w world) error { return read(w.Project + "/folder/secret") }},
	{"make a link and follow it", false, func(w world) error {
		if err := os.Symlink(w.Secret, w.Project+"/made"); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
		return read(w.Project + "/made")
	}},
	{"hard-link a file in", false, func(w world) error { return os.Link(w.Secret, w.Project+"/hard") }},
	{"hard-link a file out", false, func(w world) error {
		return errors.Join(os.WriteFile(w.Project+"/mine", []byte("x"), 0o600), os.Link(w.Project+"/mine", w.Outside+"/theirs"))
	}},
	{"move a file out", false, func(w world) error {
		return errors.Join(os.WriteFile(w.Project+"/move", []byte("x"), 0o600), os.Rename(w.Project+"/move", w.Outside+"/moved"))
	}},
	{"move a file in", false, func(w world) error { return os.Rename(w.Outside+"/movable", w.Project+"/movable") }},
	{"write outside", false, func(w world) error { return os.WriteFile(w.Outside+"/new", []byte("x"), 0o600) }},
	{"write through a link", false, func(w world) error { return os.WriteFile(w.Project+"/folder/through", []byte("x"), 0o600) }},
	{"append outside", false, func(w world) error {
		f, err := os.OpenFile(w.Secret, os.O_WRONLY|os.O_APPEND, 0)
		return hangUp(f, err)
	}},
	{"cut a file outside", false, func(w world) error { return os.Truncate(w.Outside+"/cut", 1) }},
	{"delete outside", false, func(w world) error { return os.Remove(w.Outside + "/gone") }},
	{"make a folder outside", false, func(w world) error { return os.Mkdir(w.Outside+"/dir", 0o700) }},
	{"read by /proc/self/root", false, func(w world) error { return read("/proc/self/root" + w.Secret) }},
	{"read by /proc/self/cwd", false, func(world) error { return read("/proc/self/cwd/secret") }},
	{"read by another's root", false, func(w world) error { return read(fmt.Sprintf("/proc/%d/root%s", w.Parent, w.Secret)) }},
	{"read another's settings", false, func(w world) error { return read(fmt.Sprintf("/proc/%d/environ", w.Parent)) }},
	{"read another's memory", false, func(w world) error {
		f, err := os.Open(fmt.Sprintf("/proc/%d/mem", w.Parent))
		return hangUp(f, err)
	}},
	{"open a descriptor again", false, func(world) error {
		f, err := os.OpenFile("/proc/self/fd/3", os.O_RDWR, 0)
		return hangUp(f, err)
	}},
	{"open below a descriptor", false, func(world) error {
		fd, err := unix.Openat(4, "secret", unix.O_RDONLY, 0)
		if err == nil {
			_ = unix.Close(fd)
		}
		return err
	}},
	{"change the mode of a file outside", true, func(w world) error { return os.Chmod(w.Outside+"/mode", 0o666) }},
	{"change the times of a file outside", true, func(w world) error {
		return unix.UtimesNanoAt(unix.AT_FDCWD, w.Outside+"/mode", []unix.Timespec{{Sec: 1}, {Sec: 1}}, 0)
	}},

	{"start a program", true, func(world) error { return start("/bin/true") }},
	{"start itself", false, func(world) error {
		exe, err := os.Executable()
		if err != nil {
			return err
		}
		return start(exe, "-test.run=^$")
	}},
	{"start a copy of a program", false, func(w world) error {
		return errors.Join(copyFile(w.Other, w.Project+"/copy"), start(w.Project+"/copy"))
	}},
	{"start a script", true, func(w world) error {
		return start("/bin/sh", "-c", "exit 0")
	}},
	{"start a program from memory", true, func(world) error {
		fd, err := unix.MemfdCreate("x", 0)
		if err != nil {
			return err
		}
		f := os.NewFile(uintptr(fd), "x")
		defer func() { _ = f.Close() }()
		b, err := os.ReadFile("/bin/true")
		if err != nil {
			return err
		}
		if _, err = f.Write(b); err != nil {
			return err
		}
		return start(fmt.Sprintf("/proc/self/fd/%d", fd))
	}},

	{"dial", true, func(w world) error { c, err := net.Dial("tcp", w.TCP); return hangUp(c, err) }},
	{"dial by multipath TCP", true, func(w world) error {
		var d net.Dialer
		d.SetMultipathTCP(true)
		c, err := d.Dial("tcp", w.TCP)
		return hangUp(c, err)
	}},
	{"dial with the first packet", true, func(w world) error { return dialWithData(w.TCP) }},
	{"send a datagram", true, func(w world) error {
		c, err := net.Dial("udp", w.UDP)
		if err != nil {
			return err
		}
		defer func() { _ = c.Close() }()
		_, err = c.Write([]byte("x"))
		return err
	}},
	{"dial a socket in the file system", true, func(w world) error { c, err := net.Dial("unix", w.Unix); return hangUp(c, err) }},
	{"dial a socket without a file", true, func(w world) error {
		c, err := net.Dial("unix", "@"+filepath.Base(w.Outside)+strconv.Itoa(w.Parent))
		return hangUp(c, err)
	}},
	{"ask the kernel for addresses", true, func(world) error { _, err := net.Interfaces(); return err }},
	{"listen on another port", true, func(w world) error {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", w.Port))
		return hangUp(l, err)
	}},
	{"signal another process", true, func(w world) error { return syscall.Kill(w.Parent, 0) }},
}

// dialWithData connects without connect(2).
func dialWithData(address string) error {
	a, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: a.Port, Addr: [4]byte(a.IP.To4())})
}

// work is what has to stay possible.
var work = []attempt{
	{"read the project", true, func(w world) error { return read(w.Project + "/project.godot") }},
	{"write and replace in the project", true, func(w world) error {
		return errors.Join(os.WriteFile(w.Project+"/a.tmp", []byte("x"), 0o600), os.Rename(w.Project+"/a.tmp", w.Project+"/a"),
			os.MkdirAll(w.Project+"/sub/deep", 0o700), os.Rename(w.Project+"/a", w.Project+"/sub/deep/a"), os.RemoveAll(w.Project+"/sub"))
	}},
	{"read inside a root", true, func(w world) error {
		r, err := os.OpenRoot(w.Project)
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }()
		_, err = r.ReadFile("project.godot")
		return err
	}},
	{"keep state", true, func(w world) error { return os.WriteFile(w.Plan.State+"/journal", []byte("x"), 0o600) }},
	{"make the audit file again", true, func(w world) error {
		_ = os.Remove(w.Plan.Audit)
		f, err := os.OpenFile(w.Plan.Audit, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		return errors.Join(f.Chmod(0o600), f.Close())
	}},
	{"listen", true, func(world) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Println("listening", l.Addr())
		c, err := l.Accept()
		if err != nil {
			return err
		}
		_, err = io.Copy(c, c)
		return errors.Join(err, c.Close(), l.Close())
	}},
	{"collect garbage and start threads", true, func(world) error {
		done := make(chan struct{})
		for range 20 {
			go func() {
				var ts unix.Timespec
				_, _, _ = unix.Syscall(unix.SYS_CLOCK_GETTIME, 0, uintptr(unsafe.Pointer(&ts)), 0)
				_ = bytes.Repeat([]byte("x"), 1<<20)
				done <- struct{}{}
			}()
		}
		for range 20 {
			<-done
		}
		return nil
	}},
}

const worldEnv = "GODOT_MCP_TEST_ISOLATE"

// runInside draws the bounds and tries everything; it does not return.
func runInside(text string) {
	// What it starts must not do all this again.
	_ = os.Unsetenv(worldEnv)
	var w world
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		fmt.Println("bad world", err)
		os.Exit(3)
	}
	if err := w.Plan.Enter(); err != nil {
		fmt.Println("refused", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(2)
	}
	for _, a := range append(work, attempts...) {
		verdict := "ok"
		if err := a.try(w); err != nil {
			verdict = strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		fmt.Printf("%s\t%s\n", a.name, verdict)
	}
	os.Exit(0)
}
