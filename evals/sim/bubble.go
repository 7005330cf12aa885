package sim

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
)

// A trial must not wait on the wall clock: a task with five time limits of ten
// seconds would take a minute per trial. Server, bridge, faults and simulator
// all use package time, so the whole world lives in a bubble of
// testing/synctest, where time passes only while everything in it is blocked.
//
// The package documents bubbles for tests only, but what it needs of a test is
// a place for its failure. An empty testing.T and the flags that testing.Init
// defines are enough for that; TestBubbleInABinary holds it for each release of
// Go, in a program that is not a test.
//
// A goroutine in the bubble that waits for something outside of it (a channel
// made elsewhere, a socket) stops its clock. That is what an agent wants that
// thinks on its own time: the world stands still until its next call.
var initTesting = sync.OnceFunc(testing.Init)

// bubble runs f in virtual time. It returns when every goroutine that f
// started has ended. A panic of f, and a deadlock, is an error.
func bubble(f func() error) (err error) {
	initTesting()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the world stopped: %v", r)
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("the world failed: %v", r)
			}
		}()
		err = f()
	})
	return err
}
