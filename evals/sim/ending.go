package sim

import (
	"sync"

	"godot-mcp/evals/evidence"
)

// ending is how a trial ends whose agent lives outside of the bubble.
type ending struct {
	gone   chan struct{} // the world is over
	over   chan struct{} // the agent is done
	finish *sync.Once
	final  string
	stop   evidence.Stop
	err    error
}

func newEnding() ending {
	return ending{gone: make(chan struct{}), over: make(chan struct{}), finish: &sync.Once{}}
}

// Finish ends the trial: the last message of the agent, how it stopped, and an
// error of the infrastructure.
func (e *ending) Finish(final string, stop evidence.Stop, err error) {
	e.finish.Do(func() {
		e.final, e.stop, e.err = final, stop, err
		close(e.over)
	})
}

// Gone is closed when the world is over.
func (e *ending) Gone() <-chan struct{} { return e.gone }
