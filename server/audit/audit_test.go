package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// disk is an audit file on a disk of limited size.
type disk struct {
	mu     sync.Mutex
	free   int
	moved  bool
	broken bool // cannot be opened
	text   bytes.Buffer
	torn   bool
}

func (d *disk) open() (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken {
		return nil, os.ErrPermission
	}
	d.moved = false
	return d, nil
}

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.torn {
		d.text.WriteByte('\n')
		d.torn = false
	}
	n := min(len(p), max(d.free, 0))
	d.text.Write(p[:n])
	d.free -= n
	if n < len(p) {
		d.torn = n > 0
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (d *disk) Reserve(n int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n > d.free {
		return syscall.ENOSPC
	}
	return nil
}

func (d *disk) Current() bool { d.mu.Lock(); defer d.mu.Unlock(); return !d.moved }
func (d *disk) Close() error  { return nil }

func (d *disk) lines(t *testing.T) []Record {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []Record
	for line := range strings.Lines(d.text.String()) {
		var r Record
		if json.Unmarshal([]byte(line), &r) == nil {
			out = append(out, r)
		}
	}
	return out
}

func logOn(d *disk) *Log {
	l := New(io.Discard)
	l.open = d.open
	l.file = d
	return l
}

func call(n int) Record { return Record{Time: time.Unix(0, 0), Event: Call, Call: fmt.Sprint(n)} }

// A full disk is noticed before a change; the lines it did not take are written
// when it takes lines again, in order.
func TestFullDisk(t *testing.T) {
	d := &disk{free: 3 * maxLine}
	l := logOn(d)
	first, err := l.Ready()
	require.NoError(t, err)
	second, err := l.Ready()
	require.NoError(t, err)
	third, err := l.Ready()
	require.NoError(t, err)
	_, err = l.Ready()
	require.ErrorIs(t, err, syscall.ENOSPC, "room for three changes, not for four")
	first()
	second()
	third()
	first()
	_, err = l.Ready()
	require.NoError(t, err)

	d.free = 50
	for n := range 5 {
		l.Write(call(n))
	}
	_, err = l.Ready()
	require.ErrorIs(t, err, syscall.ENOSPC)
	assert.Empty(t, d.lines(t))
	d.free = 100 * maxLine
	_, err = l.Ready()
	require.NoError(t, err)
	got := d.lines(t)
	require.Len(t, got, 5)
	for n, r := range got {
		assert.Equal(t, fmt.Sprint(n), r.Call)
	}
}

func TestUnwritableAndMovedFiles(t *testing.T) {
	d := &disk{free: 1 << 20}
	l := logOn(d)
	d.moved, d.broken = true, true
	_, err := l.Ready()
	require.ErrorIs(t, err, os.ErrPermission)
	for n := range maxKept + 7 {
		l.Write(call(n))
	}
	d.broken = false
	l.Write(call(-1))
	got := d.lines(t)
	require.Len(t, got, maxKept+2)
	assert.Equal(t, "lost", got[0].Event)
	assert.EqualValues(t, 7, got[0].Details["lines"])
	assert.Equal(t, "-1", got[maxKept+1].Call)
	require.NoError(t, l.Close())
}

func TestFileIsPrivateAndAppended(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	require.NoError(t, os.WriteFile(path, []byte("{\"audit\":\"call\"}\n{\"audit\":\"ca"), 0o644))
	var stream bytes.Buffer
	l, err := Open(&stream, path, Record{Event: Start})
	require.NoError(t, err)
	done, err := l.Ready()
	require.NoError(t, err)
	l.Write(call(1))
	done()
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	moved := path + ".1"
	require.NoError(t, os.Rename(path, moved))
	l.Write(call(2))
	require.NoError(t, l.Close())
	l.Write(call(3))
	require.NoError(t, l.Close())
	old, err := os.ReadFile(moved)
	require.NoError(t, err)
	lines := strings.Split(string(old), "\n")
	require.Len(t, lines, 5, "%s", old)
	assert.Equal(t, `{"audit":"ca`, lines[1], "a line that a crash cut ends before the next one")
	assert.Contains(t, lines[2], `"audit":"start"`)
	assert.Contains(t, lines[3], `"call":"1"`)
	fresh, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(fresh), "\n"))
	assert.Equal(t, 4, strings.Count(stream.String(), "\n"))
	_, err = Open(io.Discard, filepath.Join(path, "x"), Record{})
	require.Error(t, err)
	if _, err := os.Stat("/dev/full"); err == nil {
		_, err = Open(io.Discard, "/dev/full", Record{Event: Start})
		require.ErrorIs(t, err, syscall.ENOSPC)
	}
}

func TestOpenRefusesAFileThatTakesNoLine(t *testing.T) {
	d := &disk{}
	l := &Log{stream: io.Discard, open: d.open, file: d}
	l.Write(Record{Event: Start})
	require.Error(t, errors.Join(l.err))
}

// Whatever a caller sends, a record is one line of printable text that reads
// back as what it was.
func TestNothingForgesALine(t *testing.T) {
	z := &Sanitizer{}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"x\n{\"audit\":\"call\"}", "a\r\nb", "\x1b[2K\x1b[1A", "\u2028\u2029\u0085", "\u202egnp", "\u200b\ufeff", "\x7f", "\U000e0041", "\xff\xfe",
		})).Draw(t, "text")
		args, err := json.Marshal(map[string]any{"k": text, text: 1, "l": []any{text, map[string]any{"m": text}}})
		require.NoError(t, err)
		line := encode(Record{Event: Call, Tool: text, Rule: text, Params: z.Params(args, nil)})
		require.LessOrEqual(t, len(line), maxLine)
		require.Equal(t, 1, bytes.Count(line, []byte("\n")))
		for i, r := range string(line[:len(line)-1]) {
			if r != ' ' && !printable(r) {
				t.Fatalf("%q at %d in %q", r, i, line)
			}
		}
		var back Record
		require.NoError(t, json.Unmarshal(line, &back), "%s", line)
	})
}

func printable(r rune) bool { return r != '\u00ad' && string(escape([]byte(string(r)))) == string(r) }

func TestLongRecordsStayOneLine(t *testing.T) {
	z := &Sanitizer{}
	args, err := json.Marshal(map[string]any{"content": strings.Repeat("päß\n", 50_000), "list": make([]int, 5000)})
	require.NoError(t, err)
	line := encode(Record{Event: Call, Params: z.Params(args, nil)})
	assert.Less(t, len(line), 1000)
	assert.Contains(t, string(line), "sha256")
	assert.Contains(t, string(line), "4980 more")
	many := make([]Entry, 1000)
	for i := range many {
		many[i] = Entry{Tool: "godot_scene_edit_delete_node", Class: "destructive"}
	}
	line = encode(Record{Event: Call, Call: "c", Entries: many})
	assert.LessOrEqual(t, len(line), maxLine)
	assert.Contains(t, string(line), "left_out")
	line = encode(Record{Event: Call, Call: "c", Rule: strings.Repeat("\u202e", maxLine)})
	assert.LessOrEqual(t, len(line), maxLine)
	assert.True(t, json.Valid(line))
}
