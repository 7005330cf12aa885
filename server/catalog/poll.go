package catalog

import (
	"context"
	"time"
)

// Poll calls ready until it says true or fails, at least once, pausing between
// the calls and giving up after limit. It reports whether ready said true; the
// error is ready's, or ctx's.
func Poll(ctx context.Context, pause, limit time.Duration, ready func() (bool, error)) (bool, error) {
	end := time.Now().Add(limit)
	for {
		done, err := ready()
		if done || err != nil {
			return done, err
		}
		if !time.Now().Add(pause).Before(end) {
			return false, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(pause):
		}
	}
}
