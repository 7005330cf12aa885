package scripts

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"sync"
)

// Terminal is a [T] for the command line: scenarios run one after another and
// failures are printed.
type Terminal struct {
	Out io.Writer
	All bool // print what passing scenarios log, too
	// Times keeps how long each part of a scenario took, which is no two times the same.
	Times bool

	mu     sync.Mutex
	passed int
	failed []string
}

// Passed counts the scenarios that passed.
func (t *Terminal) Passed() int { t.mu.Lock(); defer t.mu.Unlock(); return t.passed }

// Failed names those that did not.
func (t *Terminal) Failed() []string { t.mu.Lock(); defer t.mu.Unlock(); return slices.Clone(t.failed) }

// Run implements [T].
func (t *Terminal) Run(name string, f func(T)) {
	c := &terminalCase{parent: t, name: name}
	done := make(chan struct{})
	// A goroutine of its own, because FailNow ends it.
	go func() {
		defer close(done)
		f(c)
	}()
	<-done
	t.mu.Lock()
	defer t.mu.Unlock()
	state := "ok  "
	if c.bad {
		state = "FAIL"
		t.failed = append(t.failed, name)
	} else if !c.skipped {
		t.passed++
	} else {
		state = "skip"
	}
	fmt.Fprintf(t.Out, "%s %s\n", state, name)
	if c.bad || t.All {
		for _, l := range c.log {
			fmt.Fprintln(t.Out, l)
		}
	}
}

// Fatal implements [T].
func (t *Terminal) Fatal(args ...any) {
	t.Log(args...)
	t.FailNow()
}

// FailNow implements [T]; only the goroutine of a run can be ended.
func (t *Terminal) FailNow() { runtime.Goexit() }

// Skip implements [T].
func (t *Terminal) Skip(...any) { runtime.Goexit() }

// Log implements [T].
func (t *Terminal) Log(args ...any) { fmt.Fprintln(t.Out, args...) }

// Parallel implements [T]; there is nothing to be parallel with.
func (t *Terminal) Parallel() {}

// Verbose implements [T].
func (t *Terminal) Verbose() bool { return t.All }

// terminalCase is one scenario on a [Terminal].
type terminalCase struct {
	parent  *Terminal
	name    string
	log     []string
	bad     bool
	skipped bool
}

func (c *terminalCase) Skip(args ...any) {
	c.skipped = true
	c.Log(args...)
	runtime.Goexit()
}

func (c *terminalCase) Fatal(args ...any) {
	c.Log(args...)
	c.FailNow()
}

func (c *terminalCase) FailNow() {
	c.bad = true
	runtime.Goexit()
}

func (c *terminalCase) Parallel()                  {}
func (c *terminalCase) Run(name string, f func(T)) { c.parent.Run(c.name+"/"+name, f) }
func (c *terminalCase) Verbose() bool              { return c.parent.All }

// took is what testscript puts behind the comment that begins a part of a scenario.
var took = regexp.MustCompile(`(?m)^(#.*) \(\d+\.\d+s\)$`)

func (c *terminalCase) Log(args ...any) {
	text := fmt.Sprint(args...)
	if !c.parent.Times {
		text = took.ReplaceAllString(text, "$1")
	}
	c.log = append(c.log, text)
}
