package scripts

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc/PID/stat, the same on every Linux.
const tick = 10 * time.Millisecond

// cpuOf is the processor time of a process so far, in steps of 10 ms; 0 where there
// is no /proc.
func cpuOf(pid string) time.Duration {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	// The name of the program may hold blanks; the numbers follow its parenthesis.
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	const user, system = 11, 12
	if len(f) <= system {
		return 0
	}
	var sum time.Duration
	for _, field := range []string{f[user], f[system]} {
		n, _ := strconv.ParseInt(field, 10, 64)
		sum += time.Duration(n) * tick
	}
	return sum
}

// mbOf is the resident memory of a process in megabytes.
func mbOf(pid string) float64 {
	text, err := os.ReadFile("/proc/" + pid + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	var kb float64
	_, _ = fmt.Sscan(rest, &kb)
	return kb / 1024
}

func ownCPU() time.Duration { return cpuOf("self") }
func ownMB() float64        { return mbOf("self") }
