package ticket

import (
	"encoding/base64"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

type clock struct{ now time.Time }

func office(c *clock) *Office { return NewOffice(nil, func() time.Time { return c.now }) }

func issue(t require.TestingT, o *Office, c *clock, id string) string {
	text, err := o.Issue(Ticket{ID: id, Call: "c", What: DigestOf("tool", "args"), Shown: DigestOf("preview"), Until: c.now.Add(time.Minute)})
	require.NoError(t, err)
	return text
}

func TestATicketIsForOneUseOfOneCall(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	o := office(c)
	what, shown := DigestOf("tool", "args"), DigestOf("preview")
	text := issue(t, o, c, "1")
	assert.Regexp(t, `^[A-Za-z0-9_-]+$`, text)
	assert.Less(t, len(text), 600)
	got, err := o.Take(text, what, shown)
	require.NoError(t, err)
	assert.Equal(t, "c", got.Call)
	_, err = o.Take(text, what, shown)
	assert.ErrorIs(t, err, ErrUsed)

	text = issue(t, o, c, "2")
	_, err = o.Take(text, DigestOf("tool", "other"), shown)
	assert.ErrorIs(t, err, ErrOther)
	_, err = o.Take(text, what, shown)
	assert.ErrorIs(t, err, ErrUsed, "shown for another call it is used up")
	_, err = o.Take(issue(t, o, c, "3"), what, DigestOf("something else"))
	assert.ErrorIs(t, err, ErrChanged)

	_, err = office(c).Take(issue(t, o, c, "4"), what, shown)
	assert.ErrorIs(t, err, ErrForged, "after a restart the key is another")

	text = issue(t, o, c, "5")
	c.now = c.now.Add(time.Minute)
	_, err = o.Take(text, what, shown)
	assert.ErrorIs(t, err, ErrExpired)
	_, err = o.Take(issue(t, o, c, "6"), what, shown)
	require.NoError(t, err)
	assert.Len(t, o.used, 1, "what ended is forgotten")
}

// No change of a bit, no cut and no addition passes.
func TestForgeries(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	o := office(c)
	what, shown := DigestOf("tool", "args"), DigestOf("preview")
	text := issue(t, o, c, "1")
	refused := func(forged string) {
		t.Helper()
		_, err := o.Take(forged, what, shown)
		require.ErrorIs(t, err, ErrForged)
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	require.NoError(t, err)
	for i := range raw {
		for bit := range 8 {
			b := append([]byte(nil), raw...)
			b[i] ^= 1 << bit
			refused(base64.RawURLEncoding.EncodeToString(b))
		}
		refused(base64.RawURLEncoding.EncodeToString(raw[:i]))
	}
	for _, odd := range []string{"", "x", "=", text + "A", text + "=", " " + text, text + "\n", text + text, strings.Repeat("A", 1<<20), "\xff", "{}"} {
		refused(odd)
	}
	_, err = o.Take(text, what, shown)
	require.NoError(t, err, "the forgeries did not use it up")
}

func TestOneOfManyWins(t *testing.T) {
	c := &clock{time.Unix(1000, 0)}
	o := office(c)
	text := issue(t, o, c, "1")
	won := make(chan bool, 50)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := o.Take(text, DigestOf("tool", "args"), DigestOf("preview"))
			won <- err == nil
		})
	}
	wg.Wait()
	close(won)
	n := 0
	for w := range won {
		if w {
			n++
		}
	}
	assert.Equal(t, 1, n)
}

func TestDigestsTellTextsApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOf(rapid.StringMatching(`[ab]{0,3}`))
		a, b := texts.Draw(t, "a"), texts.Draw(t, "b")
		same := len(a) == len(b) && strings.Join(a, "|") == strings.Join(b, "|")
		if same != (DigestOf(a...) == DigestOf(b...)) {
			t.Fatalf("%q %q", a, b)
		}
	})
}

func FuzzTake(f *testing.F) {
	c := &clock{time.Unix(1000, 0)}
	o := office(c)
	f.Add("")
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := o.Take(s, Digest{}, Digest{}); err == nil {
			t.Fatal("taken")
		}
	})
}
