package client

import (
	"bytes"
	"strings"
	"sync"
	"time"
)

// maxOutput is how much of what a process writes is kept, of each side.
const maxOutput = 64 << 20

func maskAll(s string, secrets []string) string {
	for _, x := range secrets {
		s = strings.ReplaceAll(s, x, "***")
	}
	return s
}

// output keeps what a process says.
type output struct {
	mu       sync.Mutex
	out, err bytes.Buffer
	last     time.Time
	secrets  []string
}

type side struct {
	o   *output
	err bool
}

func (o *output) writer(err bool) side { return side{o, err} }

// Write implements io.Writer.
func (s side) Write(b []byte) (int, error) {
	s.o.mu.Lock()
	defer s.o.mu.Unlock()
	s.o.last = time.Now()
	to := &s.o.out
	if s.err {
		to = &s.o.err
	}
	if to.Len() < maxOutput {
		to.Write(b)
	}
	return len(b), nil
}

func (o *output) touch() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = time.Now()
}

func (o *output) quiet() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return time.Since(o.last)
}

func (o *output) stdout() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.out.Bytes())
}

// bytes is all output, without secrets.
func (o *output) bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return []byte(maskAll(o.out.String()+"\n-- stderr --\n"+o.err.String(), o.secrets))
}
