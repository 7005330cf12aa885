package httpguard

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
)

// Budget bounds the bytes of request bodies that are held at once, whatever the
// number of connections. The zero value holds nothing.
type Budget struct {
	Max int64

	mu   sync.Mutex
	used int64
}

// take adds to what is held; false when that would be too much.
func (b *Budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.Max {
		return false
	}
	b.used += n
	return true
}

func (b *Budget) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}

// Used is what is held now.
func (b *Budget) Used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Body is how request bodies are read.
type Body struct {
	// Max is the longest body, Limit how long it may take to arrive.
	Max   int64
	Limit time.Duration
	// Budget is shared by all requests.
	Budget *Budget
}

// Read reads the whole body of a request. Release has to be called when its
// bytes are no longer used, also after a refusal. A body counts against the
// budget as it arrives, so that one that was only announced takes nothing.
func (b *Body) Read(w http.ResponseWriter, r *http.Request) (body []byte, release func(), f *Refusal) {
	held := int64(0)
	release = func() {
		b.Budget.give(held)
		held = 0
	}
	tooLarge := &Refusal{Status: http.StatusRequestEntityTooLarge, Text: fmt.Sprintf("a body may have at most %d bytes", b.Max)}
	if r.ContentLength > b.Max {
		return nil, release, tooLarge
	}
	// A writer that knows no deadlines is a test's; there the bound is off.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(b.Limit))
	piece := make([]byte, 32<<10)
	for {
		n, err := r.Body.Read(piece)
		if n > 0 {
			switch {
			case int64(len(body)+n) > b.Max:
				return nil, release, tooLarge
			case !b.Budget.take(int64(n)):
				return nil, release, &Refusal{Status: http.StatusServiceUnavailable, Text: "too many request bodies at once; try again in a moment"}
			}
			held += int64(n)
			body = append(body, piece[:n]...)
		}
		switch {
		case errors.Is(err, io.EOF):
			_ = control.SetReadDeadline(time.Time{})
			return body, release, nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil, release, &Refusal{Status: http.StatusRequestTimeout, Text: fmt.Sprintf("the body did not arrive within %v", b.Limit)}
		case err != nil:
			return nil, release, &Refusal{Status: http.StatusBadRequest, Text: "the body cannot be read"}
		}
	}
}
