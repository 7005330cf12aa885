// Package ticket seals what a client has to bring back with a person's answer, for
// clients that are asked by one request and answer with the next.
//
// A ticket is encrypted and authenticated under a key that lives as long as the
// process, so the client can neither read nor change it and a ticket of an earlier
// run is worth nothing. It names the call by a digest over everything that the
// person was shown and the caller's identity, ends after a while, and is good for
// one use.
package ticket

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// Errors of [Office.Take].
var (
	ErrForged  = errors.New("it was not made by this run of the server, or was changed")
	ErrExpired = errors.New("it expired")
	ErrUsed    = errors.New("it was used before")
	ErrOther   = errors.New("it is for another call")
	ErrChanged = errors.New("the project changed since the person was asked")
)

// maxText bounds what is looked at; a ticket is far shorter.
const maxText = 4 << 10

// purpose is bound into the seal, so that nothing else sealed under the key passes.
const purpose = "godot-mcp approval ticket 1"

// Digest names something exactly.
type Digest [sha256.Size]byte

// DigestOf is the digest of some texts, in order; where one ends and the next
// begins counts.
func DigestOf(texts ...string) Digest {
	h := sha256.New()
	for _, t := range texts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(t)))
		h.Write(n[:])
		_, _ = io.WriteString(h, t)
	}
	return Digest(h.Sum(nil))
}

// Ticket is what is sealed.
type Ticket struct {
	ID string `json:"id"` // of the question
	// Call is how the audit names the call.
	Call string `json:"call"`
	// What is the call, its arguments and who makes it; Shown is what else the
	// person saw.
	What  Digest    `json:"what"`
	Shown Digest    `json:"shown"`
	Until time.Time `json:"until"`
}

// Office issues tickets and takes them back. It is safe for concurrent use.
type Office struct {
	seal cipher.AEAD
	now  func() time.Time

	mu   sync.Mutex
	used map[string]time.Time // id -> when the ticket ends by itself
}

// NewOffice makes an office with a key of its own. Random is where that comes
// from, now the clock; nil is crypto/rand and the system's.
func NewOffice(random io.Reader, now func() time.Time) *Office {
	if random == nil {
		random = rand.Reader
	}
	if now == nil {
		now = time.Now
	}
	key := make([]byte, 32)
	if _, err := io.ReadFull(random, key); err != nil {
		panic("ticket: no random bytes: " + err.Error())
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		panic("ticket: " + err.Error()) // only for a wrong key length
	}
	seal, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic("ticket: " + err.Error()) // only for another block size
	}
	return &Office{seal: seal, now: now, used: map[string]time.Time{}}
}

// Issue seals a ticket into printable ASCII.
func (o *Office) Issue(t Ticket) (string, error) {
	raw, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("ticket: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(o.seal.Seal(nil, nil, raw, []byte(purpose))), nil
}

// Take takes a ticket back for a call. A genuine one is used up by that, whatever
// comes of it.
func (o *Office) Take(text string, what, shown Digest) (Ticket, error) {
	t, err := o.open(text)
	if err != nil {
		return Ticket{}, err
	}
	if err := o.useUp(t); err != nil {
		return t, err
	}
	switch {
	case subtle.ConstantTimeCompare(t.What[:], what[:]) != 1:
		return t, ErrOther
	case subtle.ConstantTimeCompare(t.Shown[:], shown[:]) != 1:
		return t, ErrChanged
	}
	return t, nil
}

func (o *Office) open(text string) (Ticket, error) {
	var t Ticket
	if len(text) > maxText || strings.ContainsAny(text, "\r\n") { // which decoders pass over
		return t, ErrForged
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil {
		return t, ErrForged
	}
	raw, err := o.seal.Open(nil, nil, sealed, []byte(purpose))
	if err != nil || json.Unmarshal(raw, &t) != nil {
		return Ticket{}, ErrForged
	}
	return t, nil
}

// useUp notes that a ticket came back. What ended by itself need not be remembered.
func (o *Office) useUp(t Ticket) error {
	now := o.now()
	if !now.Before(t.Until) {
		return ErrExpired
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, until := range o.used {
		if !now.Before(until) {
			delete(o.used, id)
		}
	}
	if _, twice := o.used[t.ID]; twice {
		return ErrUsed
	}
	o.used[t.ID] = t.Until
	return nil
}
