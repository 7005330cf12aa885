package bridge_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// The faults of one command, as the editor meets it.
var faults = []string{
	"none", "none", "none", "delay", "reorder", "duplicate", "bad reply",
	"drop before", "drop after", "cut before", "cut after", "restart before", "restart after", "replace",
}

// faulty is an editor whose effects survive its restarts, as files do.
type faulty struct {
	net *bridgetest.Net
	t   *rapid.T

	mu       sync.Mutex
	e        *bridgetest.Editor
	plan     map[string]string // fault by path
	delay    map[string]time.Duration
	effects  map[string]int
	held     []func()
	sessions int
}

// editor makes the next start of the editor.
func (f *faulty) editor() *bridgetest.Editor {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sessions++
	e := bridgetest.NewEditor(f.net)
	e.Hello.Session = "session-" + strconv.Itoa(f.sessions)
	bridgetest.On(e, wire.CmdWriteFile, func(p wire.WriteFile) (wire.WriteFileResult, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.effects[p.Path]++
		return wire.WriteFileResult{Path: p.Path, Changed: true}, nil
	})
	e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool { return f.meet(e, c, cmd) })
	f.e = e
	return e
}

func (f *faulty) connect(e *bridgetest.Editor, after time.Duration) {
	go func() {
		<-time.After(after)
		_ = e.Connect(f.t.Context()) // a refused twin is part of the game
	}()
}

// meet is what the editor does with a command.
func (f *faulty) meet(e *bridgetest.Editor, c *bridgetest.Conn, cmd wire.Command) bool {
	var p wire.WriteFile
	if cmd.Command != wire.CmdWriteFile || wire.DecodeParams(cmd.Params, &p) != nil {
		return false
	}
	f.mu.Lock()
	fault, delay := f.plan[p.Path], f.delay[p.Path]
	held := f.held
	f.held = nil
	if fault == "reorder" {
		f.held = append(held, func() { c.SendJSON(e.Run(cmd)) })
		held = nil
	}
	f.mu.Unlock()
	switch fault {
	case "none":
		c.SendJSON(e.Run(cmd))
	case "delay":
		go func() {
			<-time.After(delay)
			select {
			case <-c.Done(): // what waited in an editor's socket dies with it
			default:
				c.SendJSON(e.Run(cmd))
			}
		}()
	case "duplicate":
		r := e.Run(cmd)
		c.SendJSON(r)
		c.SendJSON(r)
	case "bad reply":
		e.Run(cmd)
		c.Send([]byte(`{"id":"` + cmd.ID + `","ok":true`))
	case "drop after":
		e.Run(cmd)
	case "cut before", "cut after":
		if fault == "cut after" {
			e.Run(cmd)
		}
		c.Drop()
		f.connect(e, delay)
	case "restart before", "restart after":
		if fault == "restart after" {
			e.Run(cmd)
		}
		c.Drop()
		f.connect(f.editor(), delay)
	case "replace":
		f.connect(f.editor(), 0)
		c.SendJSON(e.Run(cmd))
	}
	for _, reply := range held {
		reply()
	}
	return true
}

// Each mutating command ends as exactly one of: the true answer, certainly not
// done, or uncertain; whatever the editor and the link do, no effect happens
// twice and no call outlives its deadline by more than the last question.
func TestEveryEditHasOneTruth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.SliceOfN(rapid.SampledFrom(faults), 1, 12).Draw(t, "faults")
		delays := rapid.SliceOfN(rapid.IntRange(0, 15000), len(plan), len(plan)).Draw(t, "delays")
		gaps := rapid.SliceOfN(rapid.IntRange(0, 3000), len(plan), len(plan)).Draw(t, "gaps")
		rapid.SyncTest(t, func(t *rapid.T) { oneTruth(t, plan, delays, gaps) })
	})
}

func oneTruth(t *rapid.T, plan []string, delays, gaps []int) {
	f := &faulty{
		net: bridgetest.NewNet(), t: t,
		plan: map[string]string{}, delay: map[string]time.Duration{}, effects: map[string]int{},
	}
	var mu sync.Mutex
	late := map[string][]bridge.Late{}
	b, err := bridge.New(bridge.Config{Listen: f.net.Listen, OnLate: func(l bridge.Late) {
		mu.Lock()
		defer mu.Unlock()
		late[l.ID] = append(late[l.ID], l)
	}})
	require.NoError(t, err)
	require.NoError(t, b.Start())
	require.NoError(t, f.editor().Connect(t.Context()))

	outcomes, took := make([]bridge.Outcome, len(plan)), make([]time.Duration, len(plan))
	var calls sync.WaitGroup
	for i, fault := range plan {
		path := fmt.Sprintf("res://%d", i)
		f.mu.Lock()
		f.plan[path], f.delay[path] = fault, time.Duration(delays[i])*time.Millisecond
		f.mu.Unlock()
		calls.Go(func() {
			begin := time.Now()
			outcomes[i] = b.Do(t.Context(), wire.CmdWriteFile, write(path))
			took[i] = time.Since(begin)
		})
		<-time.After(time.Duration(gaps[i]) * time.Millisecond)
	}
	calls.Wait()
	<-time.After(time.Minute) // everything that is still on its way arrives
	synctest.Wait()
	b.Close()
	f.mu.Lock()
	last := f.e
	f.mu.Unlock()
	last.Drop()

	f.mu.Lock()
	defer f.mu.Unlock()
	mu.Lock()
	defer mu.Unlock()
	for i, out := range outcomes {
		path := fmt.Sprintf("res://%d", i)
		effects := f.effects[path]
		require.LessOrEqual(t, effects, 1, "%s %s: twice", path, plan[i])
		judge := func(out bridge.Outcome) {
			switch {
			case out.OK():
				require.Equal(t, 1, effects, "%s %s: said done", path, plan[i])
			case out.MayHaveApplied():
			default:
				require.Equal(t, 0, effects, "%s %s: said not done: %v", path, plan[i], out.Err)
			}
		}
		judge(out)
		require.LessOrEqual(t, took[i], 11*time.Second)
		require.LessOrEqual(t, len(late[out.ID]), 1, "%s was settled twice", path)
		for _, l := range late[out.ID] {
			require.True(t, out.MayHaveApplied(), "%s was certain", path)
			judge(l.Outcome)
		}
	}
}
