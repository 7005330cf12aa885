package journal

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"
	"pgregory.net/rapid"
)

const project = "/projects/game"

func problem(t *testing.T, err error) ProblemKind {
	t.Helper()
	p, ok := errors.AsType[*Problem](err)
	require.True(t, ok, "%v", err)
	assert.Contains(t, p.Error(), p.File)
	return p.Kind
}

func TestRecordsSurvive(t *testing.T) {
	dir := t.TempDir()
	s, records, err := openStore(dir, project, false)
	require.NoError(t, err)
	assert.Empty(t, records)
	r := Record{ID: "ä\"1", Tool: "t", Digest: "d", State: Done, Answer: json.RawMessage(`{"a":"<&>","n":1.50}`), Began: time.Unix(1, 0).UTC(), Ended: time.Unix(2, 0).UTC()}
	require.NoError(t, s.put(r))
	require.NoError(t, s.put(Record{ID: "2", State: Open}))
	require.NoError(t, s.remove("2", "never"))
	require.NoError(t, s.close())
	info, err := os.Stat(s.file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	s, records, err = openStore(dir, project, false)
	require.NoError(t, err)
	assert.Equal(t, map[string]Record{r.ID: r}, records)
	name, err := s.project()
	require.NoError(t, err)
	assert.Equal(t, project, name)
	_, _, err = openStore(dir, project, false)
	assert.Equal(t, Busy, problem(t, err))
	require.NoError(t, s.close())
	other, records, err := openStore(dir, project+"2", false)
	require.NoError(t, err)
	assert.Empty(t, records)
	require.NoError(t, other.close())
}

func TestNewerAndUnusableFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	s, _, err := openStore(dir, project, false)
	require.NoError(t, err)
	require.NoError(t, s.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(metaBucket).Put(versionKey, []byte(strconv.Itoa(formatVersion+1)))
	}))
	require.NoError(t, s.close())
	_, _, err = openStore(dir, project, false)
	assert.Equal(t, Newer, problem(t, err))
	k := New(Config{Dir: dir, Project: project, Editor: &world{}})
	assert.Equal(t, Newer, problem(t, k.Check()), "the start is refused")

	require.NoError(t, os.WriteFile(s.file, []byte("not a database, and long enough to be looked at"), 0o600))
	assert.Equal(t, Corrupt, problem(t, k.Check()))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	_, _, err = openStore(filepath.Join(dir, "file"), project, false)
	assert.Equal(t, Unwritable, problem(t, err))
	require.NoError(t, New(Config{Dir: dir, Project: "/other", Editor: &world{}}).Check())
}

// However a file is damaged, opening it tells or gives the very records that
// were written; it never ends the process and never drops a record in silence.
func TestDamageIsNoticed(t *testing.T) {
	dir := t.TempDir()
	s, _, err := openStore(dir, project, false)
	require.NoError(t, err)
	want := map[string]Record{}
	for i := range 60 {
		r := Record{ID: strconv.Itoa(i), Tool: "t", Digest: "d", State: Done, Answer: json.RawMessage(`{"text":"abcdefghijklmnop"}`), Began: time.Unix(int64(i), 0).UTC(), Ended: time.Unix(2, 0).UTC()}
		want[r.ID] = r
		require.NoError(t, s.put(r))
	}
	require.NoError(t, s.close())
	good, err := os.ReadFile(s.file)
	require.NoError(t, err)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		text := append([]byte(nil), good...)
		if rapid.Bool().Draw(t, "cut") {
			text = text[:rapid.IntRange(0, len(text)-1).Draw(t, "at")]
		}
		for range rapid.IntRange(0, 8).Draw(t, "flips") {
			if len(text) > 0 {
				text[rapid.IntRange(0, len(text)-1).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
			}
		}
		// A panic inside the library keeps the lock of the file, so each is new.
		n++
		file := filepath.Join(dir, strconv.Itoa(n))
		require.NoError(t, os.WriteFile(file, text, 0o600))
		defer os.Remove(file)
		s, got, err := openFile(file, project, false)
		if err != nil {
			if _, ok := errors.AsType[*Problem](err); !ok {
				t.Fatalf("%v", err)
			}
			return
		}
		defer s.close()
		if len(text) == 0 {
			return // an empty file is a new journal
		}
		// One of the two meta pages may name the state one write earlier.
		for id, r := range got {
			require.Equal(t, want[id], r)
		}
		require.GreaterOrEqual(t, len(got), len(want)-1)
	})
}
