package journal

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAPersonSettles(t *testing.T) {
	dir, w := t.TempDir(), editor()
	k := New(Config{Dir: dir, Editor: w})
	for _, id := range []string{"done", "there", "not there"} {
		c := claim(t, k, id)
		require.NoError(t, c.Sending(id, "s1", "cmd"))
		if id == "done" {
			c.Replied(Applied, nil, nil)
			c.Finish(json.RawMessage(`{}`), nil)
		}
		c.Release()
	}
	files, err := Files(dir, project)
	require.NoError(t, err)
	require.Len(t, files, 1)
	_, err = ReadFile(files[0])
	assert.Equal(t, Busy, problem(t, err), "a running server has it")
	require.NoError(t, k.Close())

	b, err := ReadFile(files[0])
	require.NoError(t, err)
	assert.Equal(t, project, b.Project)
	require.Len(t, b.Records, 3)
	require.NoError(t, SettleFile(files[0], "there", true, time.Now()))
	require.NoError(t, SettleFile(files[0], "not there", false, time.Now()))
	require.ErrorContains(t, SettleFile(files[0], "done", false, time.Now()), "settled already")
	require.ErrorContains(t, SettleFile(files[0], "nope", false, time.Now()), "no record")
	_, err = Files(dir, "/elsewhere")
	require.ErrorContains(t, err, "no journal")
	all, err := Files(dir, "")
	require.NoError(t, err)
	assert.Equal(t, files, all)

	k = keeper(t, dir, w)
	assert.Contains(t, string(look(t, k, "there").Answer), "A person has seen")
	assert.Nil(t, look(t, k, "not there"))
}
