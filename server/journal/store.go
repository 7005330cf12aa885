package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

const (
	formatVersion = 1
	// Expiry is how long settled records are kept.
	Expiry = 30 * 24 * time.Hour
	// lockWait is how long another process may still hold the file.
	lockWait = time.Second
	sumBytes = 8
)

var (
	metaBucket    = []byte("meta")
	recordBucket  = []byte("records")
	versionKey    = []byte("version")
	projectKey    = []byte("project")
	sumKey        = []byte("sum")
	errShortValue = errors.New("a record is too short")
	errLostRecord = errors.New("records are missing")
	errWrongSum   = errors.New("a record does not match its checksum")
)

// Problem is why a journal file cannot be used.
type Problem struct {
	File string
	Kind ProblemKind
	Err  error
}

// ProblemKind is the closed list of problems with a file.
type ProblemKind string

// The kinds.
const (
	Busy       ProblemKind = "busy"    // another server has it open
	Newer      ProblemKind = "newer"   // written by a newer version
	Corrupt    ProblemKind = "corrupt" // cannot be read
	Unwritable ProblemKind = "unwritable"
)

// Error says what to do, too.
func (p *Problem) Error() string {
	hint := map[ProblemKind]string{
		Busy:       "another godot-mcp has it open; end that one first",
		Newer:      "it was written by a newer godot-mcp; use that version, or move the file away and with it the memory of repeated calls",
		Corrupt:    "it cannot be read; restore it from a backup, or move it away and with it the memory of repeated calls",
		Unwritable: "check that the folder exists, is yours and has room",
	}[p.Kind]
	return fmt.Sprintf("the journal %s: %v: %s", p.File, p.Err, hint)
}

func (p *Problem) Unwrap() error { return p.Err }

// store is one open file.
type store struct {
	db   *bbolt.DB
	file string
}

// File is where the journal of a project lies below the state folder.
func File(dir, project string) string {
	sum := sha256.Sum256([]byte(project))
	return filepath.Join(dir, "journal", fmt.Sprintf("%x.db", sum[:12]))
}

// openStore opens or makes the journal of a project and reads every record, so
// that damage shows now and not in the middle of a call.
func openStore(dir, project string, readOnly bool) (s *store, records map[string]Record, err error) {
	file := File(dir, project)
	if !readOnly {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return nil, nil, &Problem{file, Unwritable, err}
		}
	}
	return openFile(file, project, readOnly)
}

func openFile(file, project string, readOnly bool) (s *store, records map[string]Record, err error) {
	// A damaged file can make the mapping fault or the library panic.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	var db *bbolt.DB
	defer func() {
		if r := recover(); r != nil {
			s, records, err = nil, nil, &Problem{file, Corrupt, fmt.Errorf("%v", r)}
			abandon(db)
		}
	}()
	db, err = bbolt.Open(file, 0o600, &bbolt.Options{Timeout: lockWait, ReadOnly: readOnly})
	if err != nil {
		return nil, nil, &Problem{file, kindOf(err), err}
	}
	s = &store{db: db, file: file}
	if !readOnly {
		err = s.prepare(project)
	}
	if err == nil {
		records, err = s.load()
	}
	if err != nil {
		_ = db.Close()
		var p *Problem
		if errors.As(err, &p) {
			return nil, nil, err
		}
		return nil, nil, &Problem{file, Corrupt, err}
	}
	return s, records, nil
}

// abandon lets go of a file whose reading failed half-way.
func abandon(db *bbolt.DB) {
	defer func() { _ = recover() }()
	if db != nil {
		_ = db.Close()
	}
}

func kindOf(err error) ProblemKind {
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return Busy
	case errors.Is(err, os.ErrPermission), errors.Is(err, os.ErrNotExist):
		return Unwritable
	}
	return Corrupt
}

// prepare gives a new file its version, and refuses files of newer versions.
func (s *store) prepare(project string) error {
	if found, err := s.version(); found || err != nil {
		return err
	}
	return s.db.Update(func(tx *bbolt.Tx) error {
		meta, err := tx.CreateBucketIfNotExists(metaBucket)
		if err != nil {
			return err
		}
		if _, err := tx.CreateBucketIfNotExists(recordBucket); err != nil {
			return err
		}
		if err := meta.Put(projectKey, []byte(project)); err != nil {
			return err
		}
		return meta.Put(versionKey, []byte(strconv.Itoa(formatVersion)))
	})
}

func (s *store) version() (found bool, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		if meta == nil {
			return nil
		}
		found = true
		n, err := strconv.Atoi(string(meta.Get(versionKey)))
		switch {
		case err != nil:
			return fmt.Errorf("its version cannot be read: %w", err)
		case n > formatVersion:
			return &Problem{s.file, Newer, fmt.Errorf("format %d, this program knows %d", n, formatVersion)}
		case tx.Bucket(recordBucket) == nil:
			return errors.New("it has no records bucket")
		}
		return nil
	})
	return found, err
}

// load reads all records.
func (s *store) load() (map[string]Record, error) {
	out := map[string]Record{}
	if found, err := s.version(); !found || err != nil {
		return out, err
	}
	err := s.db.View(func(tx *bbolt.Tx) error {
		var sum total
		err := tx.Bucket(recordBucket).ForEach(func(k, v []byte) error {
			sum.toggle(k, v)
			r, err := decodeRecord(v)
			if err != nil {
				return fmt.Errorf("record %q: %w", k, err)
			}
			if r.ID != string(k) {
				return fmt.Errorf("record %q says it is %q", k, r.ID)
			}
			out[r.ID] = r
			return nil
		})
		if err == nil && sum != totalIn(tx) {
			err = errLostRecord
		}
		return err
	})
	return out, err
}

func (s *store) project() (string, error) {
	var project string
	err := s.db.View(func(tx *bbolt.Tx) error {
		if meta := tx.Bucket(metaBucket); meta != nil {
			project = string(meta.Get(projectKey))
		}
		return nil
	})
	return project, err
}

// put writes a record; it is on disk when put returns.
func (s *store) put(r Record) (err error) {
	value, err := encodeRecord(r)
	if err != nil {
		return err
	}
	defer guard(&err)()
	return s.db.Update(func(tx *bbolt.Tx) error { return replace(tx, []byte(r.ID), value) })
}

func (s *store) remove(ids ...string) (err error) {
	defer guard(&err)()
	return s.db.Update(func(tx *bbolt.Tx) error {
		for _, id := range ids {
			if err := replace(tx, []byte(id), nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// total is a checksum over the set of records, so that a missing one shows.
type total [sha256.Size]byte

// toggle takes a record in, or out again.
func (t *total) toggle(key, value []byte) {
	h := sha256.New()
	h.Write(value)
	h.Write(key)
	for i, b := range h.Sum(nil) {
		t[i] ^= b
	}
}

func totalIn(tx *bbolt.Tx) (t total) {
	copy(t[:], tx.Bucket(metaBucket).Get(sumKey))
	return t
}

// replace sets a record, or with nil takes it away, and mends the total.
func replace(tx *bbolt.Tx, key, value []byte) error {
	records, sum := tx.Bucket(recordBucket), totalIn(tx)
	if old := records.Get(key); old != nil {
		sum.toggle(key, old)
	}
	var err error
	if value == nil {
		err = records.Delete(key)
	} else {
		sum.toggle(key, value)
		err = records.Put(key, value)
	}
	if err != nil {
		return err
	}
	return tx.Bucket(metaBucket).Put(sumKey, sum[:])
}

// guard turns what a file that was damaged meanwhile does to the process into an error.
func guard(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			*err = fmt.Errorf("%v", r)
		}
	}
}

func (s *store) close() error { return s.db.Close() }

// A value is a checksum and the record as JSON: the library has no checksums of
// its own for data pages.
func encodeRecord(r Record) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	body := bytes.TrimRight(b.Bytes(), "\n")
	sum := sha256.Sum256(body)
	return append(sum[:sumBytes:sumBytes], body...), nil
}

func decodeRecord(v []byte) (Record, error) {
	var r Record
	if len(v) < sumBytes {
		return r, errShortValue
	}
	sum := sha256.Sum256(v[sumBytes:])
	if !bytes.Equal(sum[:sumBytes], v[:sumBytes]) {
		return r, errWrongSum
	}
	// The mapping may go away; the record must not point into it.
	err := json.Unmarshal(bytes.Clone(v[sumBytes:]), &r)
	return r, err
}
