package isolate

import (
	"errors"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Landlock knows paths and TCP ports. A program can also be started from memory,
// and a peer be reached by UDP, by multipath TCP, by a first packet with data,
// or through a ring of requests; modes, owners and times of files are not
// bounded at all. The filter closes these ways: the calls fail with EACCES.

// refusedCalls are refused whatever their arguments.
var refusedCalls = []uint32{
	unix.SYS_EXECVE, unix.SYS_EXECVEAT, unix.SYS_MEMFD_CREATE,
	unix.SYS_CONNECT, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT,
	unix.SYS_OPEN_TREE, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_NAME_TO_HANDLE_AT,
	unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_MKNODAT,
	unix.SYS_REBOOT, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_SWAPON, unix.SYS_SWAPOFF,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_CLOCK_SETTIME, unix.SYS_SETTIMEOFDAY,
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR,
}

// A program in the kernel's packet filter language reads the words of a call.
const (
	wordCall = 0
	wordArch = 4
	wordArgs = 16 // each of 8 bytes; both machines have the low half first
)

type assembler []unix.SockFilter

func (a *assembler) load(offset uint32) {
	*a = append(*a, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset})
}

func (a *assembler) loadArg(n uint32) { a.load(wordArgs + 8*n) }

func (a *assembler) mask(k uint32) {
	*a = append(*a, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: k})
}

func (a *assembler) jump(how uint16, k uint32, yes, no uint8) {
	*a = append(*a, unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, K: k, Jt: yes, Jf: no})
}

func (a *assembler) end(verdict uint32) {
	*a = append(*a, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: verdict})
}

const (
	allow  = unix.SECCOMP_RET_ALLOW
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)
)

// program is the filter for a machine.
func program(arch uint32) []unix.SockFilter {
	a := &assembler{}
	a.load(wordArch)
	a.jump(unix.BPF_JEQ, arch, 1, 0)
	a.end(refuse) // the calls of a 32-bit program have other numbers
	a.load(wordCall)
	a.jump(unix.BPF_JGE, 0x40000000, 0, 1)
	a.end(refuse) // so have those of x32
	for _, call := range append(refusedCalls, oldCalls...) {
		a.jump(unix.BPF_JEQ, call, 0, 1)
		a.end(refuse)
	}
	// Sockets are of TCP over IP; 0 is TCP by default.
	a.jump(unix.BPF_JEQ, unix.SYS_SOCKET, 0, 10)
	a.loadArg(0)
	a.jump(unix.BPF_JEQ, unix.AF_INET, 1, 0)
	a.jump(unix.BPF_JEQ, unix.AF_INET6, 0, 6)
	a.loadArg(1)
	a.mask(0xf)
	a.jump(unix.BPF_JEQ, unix.SOCK_STREAM, 0, 3)
	a.loadArg(2)
	a.jump(unix.BPF_JEQ, 0, 2, 0)
	a.jump(unix.BPF_JEQ, unix.IPPROTO_TCP, 1, 0)
	a.end(refuse)
	// Here the word is a socket's argument or still the call's number.
	a.load(wordCall)
	// Data with the first packet dials as well.
	for call, flags := range map[uint32]uint32{unix.SYS_SENDTO: 3, unix.SYS_SENDMSG: 2, unix.SYS_SENDMMSG: 3} {
		a.jump(unix.BPF_JEQ, call, 0, 4)
		a.loadArg(flags)
		a.jump(unix.BPF_JSET, unix.MSG_FASTOPEN, 0, 1)
		a.end(refuse)
		a.load(wordCall)
	}
	// Signals go to the process itself.
	self := uint32(os.Getpid())
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
		a.jump(unix.BPF_JEQ, call, 0, 4)
		a.loadArg(0)
		a.jump(unix.BPF_JEQ, self, 1, 0)
		a.end(refuse)
		a.load(wordCall)
	}
	a.end(allow)
	return *a
}

func filterAvailable() error {
	if _, ok := machines[runtime.GOARCH]; !ok {
		return errors.New("--isolate=strict is not available on " + runtime.GOARCH)
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	if _, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action))); err != 0 {
		return errors.New("--isolate=strict needs system call filters (seccomp), which this kernel does not have")
	}
	return nil
}

// machines are those whose numbers of calls the filter knows.
var machines = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// filter puts the filter on every thread. Landlock has seen to it that nobody
// gets new privileges.
func filter() error {
	p := program(machines[runtime.GOARCH])
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	r, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(p)
	switch {
	case err != 0:
		return err
	case r != 0:
		return errors.New("a thread has a filter of its own")
	}
	return nil
}
