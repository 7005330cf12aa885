package misfortune

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server"
	"godot-mcp/server/bridge/bridgetest"
)

const (
	bridgeURL   = "ws://127.0.0.1:9080"
	projectPath = "/home/user/game"
	// evening is the virtual time after the last call in which everything that is
	// still under way ends.
	evening = 5 * time.Minute
)

// day is one world with its servers, one after another.
type day struct {
	t     *testing.T
	seed  uint64
	house house
	calls []*call
	begin time.Time

	editor *fakeeditor.Editor
	faults *fault.Script
	tap    *tap
	person *person

	mu      sync.Mutex
	servers []*incarnation
	answers []answer
	notes   []event // what happened besides calls, for a printed day
	effects []world.Effect
	// deathbeds are what the journals knew when servers died.
	deathbeds []deathbed
}

type deathbed struct {
	at  time.Duration
	ids []string
}

// incarnation is one life of the server.
type incarnation struct {
	srv     *server.Server
	log     *safeBuffer
	dir     string
	clients []*mcp.ClientSession
	pipes   []net.Conn // those of the clients
	// fatal is the number of the journal step at which this life ends; 0: none.
	fatal  int
	mu     sync.Mutex
	steps  int
	dying  chan struct{} // closed when that step is reached
	buried chan struct{} // closed when the goroutines that hang in it may go on
	dead   bool
}

// event is a line of a printed day.
type event struct {
	at   time.Duration
	text string
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// answer is what came of one call.
type answer struct {
	call  *call
	life  int // index of the server
	at    time.Duration
	lost  bool // no answer: cancelled, or the server died
	body  map[string]any
	error bool
}

var marks = regexp.MustCompile(`Mark\d{3}X|Victim\d{3}`)

func marksIn(text string) []string { return marks.FindAllString(text, -1) }

func (d *day) now() time.Duration { return time.Since(d.begin) }

func (d *day) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.notes = append(d.notes, event{d.now(), fmt.Sprintf(format, args...)})
}

// live plays the day of a seed, in virtual time.
func live(t *testing.T, seed uint64) *day {
	d := &day{t: t, seed: seed}
	dir := scratch(t)
	synctest.Test(t, func(t *testing.T) {
		d.t = t
		r := rand.New(rand.NewPCG(seed, 0x6d6973666f7274))
		d.begin = time.Now()
		d.house = build(r)
		d.person = &person{day: d, seed: seed}
		d.faults = &fault.Script{}
		d.tap = &tap{day: d}
		// The last server lives to the end.
		fatal := make([]int, r.IntN(3), 3)
		for i := range fatal {
			fatal[i] = r.IntN(30)
		}
		fatal = append(fatal, 0)
		d.open(dir, fatal[0])
		d.attach(seed)
		d.calls = plan(r, 3+r.IntN(12), d.house.clients)

		ctx, cancel := context.WithCancel(context.Background())
		var others sync.WaitGroup
		others.Go(func() { d.trouble(ctx, rand.New(rand.NewPCG(seed, 1))) })
		others.Go(func() { d.human(ctx, rand.New(rand.NewPCG(seed, 2))) })
		deaths := make(chan struct{})
		go func() { defer close(deaths); d.deaths(ctx, rand.New(rand.NewPCG(seed, 3)), dir, fatal[1:]) }()
		var clients sync.WaitGroup
		for i := range d.house.clients {
			clients.Go(func() { d.client(ctx, i) })
		}
		clients.Wait()
		cancel()
		others.Wait()
		<-deaths
		time.Sleep(evening)
		d.effects = d.editor.State().Journal.Since(0)
	})
	return d
}

// scratch is a folder in memory where the system has one: the journal's fsync
// on a disk would take most of the time.
func scratch(t *testing.T) string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		if dir, err := os.MkdirTemp("/dev/shm", "godot-mcp-misfortune-"); err == nil {
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			return dir
		}
	}
	return t.TempDir()
}

// attach starts the editor, which dials whatever server there is.
func (d *day) attach(seed uint64) {
	var err error
	d.editor, err = fakeeditor.New(fakeeditor.Config{
		Project: project(), ProjectPath: projectPath, BridgeURL: bridgeURL, Dial: d.tap.dial, Seed: seed + 1,
		Faults: d.faults, OpenScenes: []string{"res://main.tscn"}, Clock: fakeeditor.NewTimerClock(),
	})
	require.NoError(d.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan struct{})
	go func() {
		defer close(ran)
		_ = d.editor.Run(ctx) // it ends with the day
	}()
	d.t.Cleanup(func() {
		cancel()
		<-ran
		_ = d.editor.Close()
		for _, s := range d.servers {
			// One may hang in its fatal step with nobody left to find it dead: the
			// day ended in that moment (seed 160926).
			close(s.buried)
			for _, c := range s.pipes {
				_ = c.Close()
			}
			s.srv.Close()
		}
	})
	time.Sleep(2 * time.Second)
}

func project() map[string]string {
	var main strings.Builder
	main.WriteString("[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\n\n[node name=\"A\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"B\" type=\"Node2D\" parent=\"A\"]\n\n[node name=\"C\" type=\"Node2D\" parent=\".\"]\n")
	for i := range victims {
		fmt.Fprintf(&main, "\n[node name=\"Victim%03d\" type=\"Node\" parent=\".\"]\n", i)
	}
	return map[string]string{
		"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Misfortune\"\n", "main.tscn": main.String(),
		"other.tscn": "[gd_scene format=3]\n\n[node name=\"Other\" type=\"Node2D\"]\n",
	}
}

// open starts a server in a folder of its own; fatal is the journal step at
// which it will die.
func (d *day) open(dir string, fatal int) *incarnation {
	life := &incarnation{log: &safeBuffer{}, dir: filepath.Join(dir, fmt.Sprint(len(d.servers))), fatal: fatal, dying: make(chan struct{}), buried: make(chan struct{})}
	require.NoError(d.t, os.MkdirAll(life.dir, 0o700))
	if len(d.servers) > 0 {
		require.NoError(d.t, os.CopyFS(life.dir, os.DirFS(d.servers[len(d.servers)-1].dir)))
		ids, err := known(life.dir)
		require.NoError(d.t, err)
		d.deathbeds = append(d.deathbeds, deathbed{d.now(), ids})
	}
	network := bridgetest.NewNet()
	cfg := d.house.config()
	cfg.Listen, cfg.Log, cfg.StateDir = network.Listen, life.log, life.dir
	cfg.Step = func(string) { life.step() }
	if d.house.asks {
		cfg.Approval.Approver, cfg.Approval.Timeout = d.person, 30*time.Second
	}
	var err error
	life.srv, err = server.New(cfg)
	require.NoError(d.t, err)
	require.NoError(d.t, life.srv.Start())
	for i := range d.house.clients {
		ours, theirs := net.Pipe()
		life.pipes = append(life.pipes, ours, theirs)
		_, err := life.srv.MCP().Connect(context.Background(), &mcp.IOTransport{Reader: theirs, Writer: theirs}, nil)
		require.NoError(d.t, err)
		c, err := mcp.NewClient(&mcp.Implementation{Name: fmt.Sprintf("client-%d", i), Version: "1"}, nil).Connect(context.Background(), &mcp.IOTransport{Reader: ours, Writer: ours}, nil)
		require.NoError(d.t, err)
		life.clients = append(life.clients, c)
	}
	d.mu.Lock()
	d.servers = append(d.servers, life)
	d.mu.Unlock()
	d.tap.move(network)
	return life
}

// step counts the steps of journaled calls and hangs for good in the fatal one,
// and in all that come after: nothing that a dead process would not have done.
func (l *incarnation) step() {
	l.mu.Lock()
	l.steps++
	at := l.steps
	fatal := l.fatal
	l.mu.Unlock()
	if fatal > 0 && at == fatal {
		close(l.dying)
	}
	if fatal > 0 && at >= fatal {
		<-l.buried
	}
}

// die makes sure that whatever comes hangs.
func (l *incarnation) die() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = true
	if l.fatal == 0 || l.steps < l.fatal {
		l.fatal = max(1, l.steps)
	}
}

// deaths ends servers at their fatal step, or out of the blue, and starts the
// next one on a copy of what was on disk in that moment.
func (d *day) deaths(ctx context.Context, r *rand.Rand, dir string, next []int) {
	for _, fatal := range next {
		life := d.servers[len(d.servers)-1]
		sudden := time.NewTimer(draw(r, 60*time.Second))
		select {
		case <-ctx.Done():
			return
		case <-life.dying:
		case <-sudden.C:
		}
		synctest.Wait()
		d.note("the server dies")
		life.die()
		d.open(dir, fatal)
		for _, c := range life.pipes {
			_ = c.Close()
		}
	}
}

// client makes its calls one after another, on whatever server there is.
func (d *day) client(ctx context.Context, i int) {
	for _, c := range d.calls {
		if c.client != i {
			continue
		}
		time.Sleep(c.after)
		d.mu.Lock()
		life := len(d.servers) - 1
		session := d.servers[life].clients[i]
		d.mu.Unlock()
		cctx, cancel := ctx, context.CancelFunc(func() {})
		if c.patient > 0 {
			cctx, cancel = context.WithTimeout(ctx, c.patient)
		}
		res, err := session.CallTool(cctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		cancel()
		a := answer{call: c, life: life, at: d.now(), lost: err != nil}
		if err == nil {
			raw, err := json.Marshal(res.StructuredContent)
			require.NoError(d.t, err)
			require.NoError(d.t, json.Unmarshal(raw, &a.body))
			a.error = res.IsError
		}
		d.mu.Lock()
		d.answers = append(d.answers, a)
		d.mu.Unlock()
	}
}

// journalFiles are the journals of a life.
func journalFiles(dir string) []string {
	var out []string
	_ = filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".db") {
			out = append(out, p)
		}
		return err
	})
	return out
}
