package journal

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

// Editor is what the journal needs to know of the connected editor.
type Editor interface {
	// Peer is the active editor; ok is false while there is none.
	Peer() (p Peer, ok bool)
	// Ask asks the active editor, if it has this session, what became of a
	// command: unknown, queued, running or done, and then with its outcome. A
	// failure is that of the question.
	Ask(ctx context.Context, id, session string) (state string, result json.RawMessage, refused, failed *wire.Error)
}

// Peer is an editor. Link names its connection: a command that was sent on an
// earlier one cannot arrive any more.
type Peer struct{ Session, Project, Link string }

// Config says where the journals lie and what they need.
type Config struct {
	Dir string // the state folder
	// Project is the one that the server was started for; empty: the editor's.
	Project string
	Editor  Editor
	// Reenact finds the answer of a call whose commands all have an outcome, when
	// nobody waited for it any more; ok is false when the outcomes do not tell.
	Reenact func(context.Context, Record) (result json.RawMessage, failure *answer.Failure, ok bool)
	Log     *slog.Logger
	// Step is called at the steps of a call, where tests of crashes stop the
	// process. Nil otherwise.
	Step func(step string)
	Now  func() time.Time // nil is the clock
}

// The steps that Config.Step is called with.
const (
	StepBefore   = "before intent"
	StepIntent   = "after intent"
	StepReplied  = "replied"
	StepRecorded = "recorded"
)

// Keeper holds the journals of one server. It is safe for concurrent use.
type Keeper struct {
	cfg Config

	mu     sync.Mutex
	books  map[string]*book // by cleaned project folder
	last   string           // project of the newest editor
	closed bool
	names  map[string]string // folders as editors name them -> cleaned
	sent   map[string]sending
}

// sending is a command of this run whose outcome is not known.
type sending struct {
	link  string
	asked time.Time // first time that the editor did not know it
}

// book is the journal of one project: the file, and what of it is in memory.
type book struct {
	project string

	mu      sync.Mutex
	store   *store             // nil before the first record
	records map[string]*Record // all; the file has the same
	flights map[string]*Claim  // calls under way, by id
	// settling is held while records are settled.
	settling chan struct{}
	expired  time.Time // when expiry last ran
}

// New makes a keeper. It opens nothing.
func New(cfg Config) *Keeper {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Step == nil {
		cfg.Step = func(string) {}
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Project != "" {
		cfg.Project = clean(cfg.Project)
	}
	return &Keeper{cfg: cfg, books: map[string]*book{}, last: cfg.Project, names: map[string]string{}, sent: map[string]sending{}}
}

// Check opens the journal of the project that the server was started for, if
// there is one, and closes it again: damage stops the start. A journal that
// another server has open was checked by that one.
func (k *Keeper) Check() error {
	if k.cfg.Project == "" || !exists(File(k.cfg.Dir, k.cfg.Project)) {
		return nil
	}
	s, _, err := openStore(k.cfg.Dir, k.cfg.Project, false)
	if p, ok := errors.AsType[*Problem](err); ok && p.Kind == Busy {
		return nil
	}
	if err != nil {
		return err
	}
	return s.close()
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// clean makes one name of the names that a folder may have.
func clean(project string) string {
	if real, err := filepath.EvalSymlinks(project); err == nil {
		project = real
	}
	return filepath.Clean(project)
}

// project is the one whose calls are made now.
func (k *Keeper) project() string {
	p, ok := k.cfg.Editor.Peer()
	k.mu.Lock()
	defer k.mu.Unlock()
	if ok {
		k.last = k.nameLocked(p.Project)
	}
	return k.last
}

func (k *Keeper) nameLocked(project string) string {
	name, ok := k.names[project]
	if !ok {
		name = clean(project)
		k.names[project] = name
	}
	return name
}

func (k *Keeper) name(project string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.nameLocked(project)
}

// book finds the journal of a project. Without make it is nil unless there is a
// file. The failure says why the file cannot be used.
func (k *Keeper) book(project string, make bool) (*book, *answer.Failure) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, answer.New(answer.ShuttingDown)
	}
	if b := k.books[project]; b != nil {
		return b, nil
	}
	if !make && !exists(File(k.cfg.Dir, project)) {
		return nil, nil
	}
	s, records, err := openStore(k.cfg.Dir, project, false)
	if err != nil {
		k.cfg.Log.Error("journal cannot be used", "project", project, "error", err.Error())
		return nil, answer.New(answer.JournalBroken, "message", err.Error())
	}
	b := newBook(project, s, records)
	k.books[project] = b
	if err := b.expire(k.cfg.Now()); err != nil {
		k.cfg.Log.Error("old journal records stay", "error", err.Error())
	}
	return b, nil
}

func newBook(project string, s *store, records map[string]Record) *book {
	b := &book{project: project, store: s, records: map[string]*Record{}, flights: map[string]*Claim{}, settling: make(chan struct{}, 1)}
	for id, r := range records {
		b.records[id] = &r
	}
	return b
}

// expire removes settled records that are too old.
func (b *book) expire(now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expired = now
	var old []string
	for id, r := range b.records {
		if r.State != Open && now.Sub(r.Ended) > Expiry {
			old = append(old, id)
		}
	}
	if len(old) == 0 {
		return nil
	}
	if err := b.store.remove(old...); err != nil {
		return err
	}
	for _, id := range old {
		delete(b.records, id)
	}
	return nil
}

// Close closes the files. Calls under way keep their open records on disk.
func (k *Keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	var errs []error
	for _, b := range k.books {
		b.mu.Lock()
		errs = append(errs, b.store.close())
		b.mu.Unlock()
	}
	k.books = map[string]*book{}
	return errors.Join(errs...)
}
