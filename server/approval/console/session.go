package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"io"
	"slices"
	"sync"
)

// Bounds on what sign-ins cost.
const (
	maxSessions = 8
	maxLinks    = 4
	secretBytes = 32
)

// secret is the digest of a random text. Comparing digests takes the same time
// whatever was sent, however long it is.
type secret [sha256.Size]byte

func digest(text string) secret { return sha256.Sum256([]byte(text)) }

func (s secret) is(text string) bool {
	d := digest(text)
	return subtle.ConstantTimeCompare(s[:], d[:]) == 1
}

// session is one browser. It proves itself twice: with a cookie, which no script
// can read, and with a key that the page holds, since browsers send cookies to
// every port of a host and thus to other programs that listen on this machine.
type session struct {
	cookie, key secret
	streams     []*stream // oldest first
}

// doors keeps the unused links and the sessions. Only digests are kept.
type doors struct {
	random io.Reader

	mu       sync.Mutex
	links    []secret
	sessions []*session // oldest first
}

func newDoors(random io.Reader) *doors {
	if random == nil {
		random = rand.Reader
	}
	return &doors{random: random}
}

func (d *doors) fresh() (string, error) {
	b := make([]byte, secretBytes)
	if _, err := io.ReadFull(d.random, b); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b), nil
}

// link makes the token of a new link. Older unused ones beyond the bound end.
func (d *doors) link() (string, error) {
	token, err := d.fresh()
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.links = append(d.links, digest(token))
	d.links = d.links[max(0, len(d.links)-maxLinks):]
	return token, nil
}

// enter exchanges the token of a link for a session, once.
func (d *doors) enter(token string) (cookie, key string, problem Problem) {
	cookie, err := d.fresh()
	if err != nil {
		return "", "", NotSignedIn
	}
	if key, err = d.fresh(); err != nil {
		return "", "", NotSignedIn
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	// Every link is compared, so that time tells nothing about which there are.
	found := -1
	for i, l := range d.links {
		if l.is(token) {
			found = i
		}
	}
	if found < 0 {
		return "", "", LinkUsed
	}
	d.links = slices.Delete(d.links, found, found+1)
	d.sessions = append(d.sessions, &session{cookie: digest(cookie), key: digest(key)})
	if len(d.sessions) > maxSessions {
		for _, s := range d.sessions[0].streams {
			s.end()
		}
		d.sessions = d.sessions[1:]
	}
	return cookie, key, ""
}

// signedIn finds the session of a cookie and a key, which must belong together.
func (d *doors) signedIn(cookie, key string) *session {
	d.mu.Lock()
	defer d.mu.Unlock()
	var found *session
	for _, s := range d.sessions {
		if c, k := s.cookie.is(cookie), s.key.is(key); c && k {
			found = s
		}
	}
	return found
}

// attach gives a session another stream. Beyond maxStreams the oldest one ends:
// browsers open six connections to a host, and a page needs one to answer.
func (d *doors) attach(s *session, st *stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s.streams = append(s.streams, st)
	if len(s.streams) > maxStreams {
		s.streams[0].end()
		s.streams = s.streams[1:]
	}
}

func (d *doors) detach(s *session, st *stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(s.streams, st); i >= 0 {
		s.streams = slices.Delete(s.streams, i, i+1)
	}
}
