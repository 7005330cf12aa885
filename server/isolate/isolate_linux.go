package isolate

import (
	"fmt"
	"path/filepath"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// The oldest Landlock that will do: its third revision knows truncation, its
// fourth TCP ports.
const (
	wantOn     = 3 // Linux 6.2
	wantStrict = 4 // Linux 6.7
)

// revisions are the sets of what each revision of Landlock bounds.
var revisions = []landlock.Config{
	landlock.V1, landlock.V2, landlock.V3, landlock.V4, landlock.V5, landlock.V6,
	landlock.V7, landlock.V8, landlock.V9, landlock.V10, landlock.V11,
}

// revision is asked for what the kernel knows; tests have older kernels.
var revision = func() (int, error) { return ll.LandlockGetABIVersion() }

// Available says whether a mode is available on this machine.
func Available(m Mode) error {
	want := map[Mode]int{On: wantOn, Strict: wantStrict}[m]
	if want == 0 {
		return nil
	}
	has, err := revision()
	switch {
	case err != nil || has < 1:
		return fmt.Errorf("--isolate=%s needs Landlock, which this kernel does not have or did not switch on at its start (lsm=landlock)", m)
	case has < want:
		return fmt.Errorf("--isolate=%s needs Landlock revision %d, and this kernel has %d", m, want, has)
	}
	if m == Strict {
		return filterAvailable()
	}
	return nil
}

// Describe says what the machine offers, for people.
func Describe() string {
	has, err := revision()
	if err != nil || has < 1 {
		return "no Landlock"
	}
	return fmt.Sprintf("Landlock revision %d", has)
}

// Rights below a folder. What can be written cannot be started.
const (
	readRights  = landlock.AccessFSSet(ll.AccessFSReadFile | ll.AccessFSReadDir)
	startRights = readRights | landlock.AccessFSSet(ll.AccessFSExecute)
	writeRights = readRights | landlock.AccessFSSet(ll.AccessFSWriteFile|ll.AccessFSTruncate|ll.AccessFSRemoveDir|ll.AccessFSRemoveFile|
		ll.AccessFSMakeDir|ll.AccessFSMakeReg|ll.AccessFSMakeSym|ll.AccessFSRefer)
	fileRights   = landlock.AccessFSSet(ll.AccessFSReadFile)
	deviceRights = landlock.AccessFSSet(ll.AccessFSReadFile | ll.AccessFSWriteFile)
)

// Places of the system: programs with their libraries, and what programs read.
var (
	programDirs = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store", "/snap", "/var/lib/flatpak"}
	systemDirs  = []string{"/etc", "/sys", "/proc/sys", "/proc/self", "/run/systemd/resolve", "/run/nscd", "/var/lib/ca-certificates"}
	// Of other processes nothing is read: their settings hold secrets.
	systemFiles = []string{"/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/loadavg", "/proc/uptime", "/proc/filesystems"}
	devices     = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}
	// Strict reads what a running Go program still opens: names, time zones,
	// certificates and the limits of its container.
	strictFiles = []string{
		"/etc/hosts", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/services", "/etc/localtime", "/etc/mime.types",
		"/proc/self/cgroup", "/proc/self/mountinfo", "/proc/sys/net/core/somaxconn", "/dev/urandom",
	}
	strictDirs = []string{"/usr/share/zoneinfo", "/etc/ssl/certs", "/sys/fs/cgroup"}
)

func (p Plan) enter() error {
	dirs, err := p.writable()
	if err != nil {
		return err
	}
	has, err := revision()
	if err != nil {
		return err
	}
	config := revisions[min(has, len(revisions))-1]
	rules := []landlock.Rule{landlock.PathAccess(writeRights, dirs...)}
	if p.Mode == On {
		rules = append(rules,
			landlock.PathAccess(startRights, programDirs...).IgnoreIfMissing(),
			landlock.PathAccess(startRights&^landlock.AccessFSSet(ll.AccessFSReadDir), p.programs()...).IgnoreIfMissing(),
			landlock.PathAccess(readRights, systemDirs...).IgnoreIfMissing(),
			landlock.PathAccess(fileRights, systemFiles...).IgnoreIfMissing(),
			landlock.PathAccess(deviceRights, devices...).IgnoreIfMissing(),
			landlock.PathAccess(deviceRights|landlock.AccessFSSet(ll.AccessFSReadDir), "/dev/pts", "/dev/shm").IgnoreIfMissing(),
		)
		return config.RestrictPaths(rules...)
	}
	rules = append(rules,
		landlock.PathAccess(readRights, strictDirs...).IgnoreIfMissing(),
		landlock.PathAccess(fileRights, strictFiles...).IgnoreIfMissing(),
		landlock.PathAccess(deviceRights, "/dev/null").IgnoreIfMissing(),
	)
	for _, port := range p.Ports {
		rules = append(rules, landlock.BindTCP(port))
	}
	if err := config.Restrict(rules...); err != nil {
		return err
	}
	if err := filter(); err != nil {
		return fmt.Errorf("the system call filter: %w", err)
	}
	return nil
}

// programs are the files of programs, with what one of them brings beside it: in
// a prefix of its own (PREFIX/bin) these are its libraries and data.
func (p Plan) programs() []string {
	var out []string
	for _, name := range p.Programs {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			dir := filepath.Dir(real)
			out = append(out, real, filepath.Join(dir, "GodotSharp"))
			if filepath.Base(dir) == "bin" {
				for _, beside := range []string{"lib", "lib64", "share"} {
					out = append(out, filepath.Join(dir, "..", beside))
				}
			}
		}
	}
	return out
}
