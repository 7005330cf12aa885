package httpguard

import (
	"log/slog"
	"sync"
	"time"
)

// quietLines is how many lines of one kind a minute brings at most.
const quietLines = 20

// Quiet logs what others can cause, but only so many lines in a minute: they can
// cause it again as fast as they like. The first line of the next minute says how
// many were left out.
type Quiet struct {
	Log *slog.Logger

	mu      sync.Mutex
	since   time.Time
	noted   int
	dropped int
}

// Warn logs a line, or counts it.
func (q *Quiet) Warn(text string, args ...any) {
	q.mu.Lock()
	now := time.Now()
	if now.Sub(q.since) >= time.Minute {
		if q.dropped > 0 {
			args = append(args, "left_out_before", q.dropped)
		}
		q.since, q.noted, q.dropped = now, 0, 0
	}
	q.noted++
	write := q.noted <= quietLines
	if !write {
		q.dropped++
	}
	q.mu.Unlock()
	if write {
		q.Log.Warn(text, args...)
	}
}
