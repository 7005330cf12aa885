package scripts

import (
	"context"
	"fmt"
	"sync"

	"godot-mcp/server/wire"
)

// Editors chooses what a run of scenarios runs on.
type Editors int

// The choices.
const (
	Sim Editors = iota
	Godot
	Both
)

// kinds are the backend names of a choice.
func (e Editors) kinds() []string {
	return [][]string{{"sim"}, {"godot"}, {"sim", "godot"}}[e]
}

// A pool lends editors to scenarios. Simulated ones are made on the spot; real
// ones take seconds to start, so a few are kept and reused.
type pool struct {
	bin  string
	free chan *godotBackend // nil entries are editors not started yet
	// observe is told every command that a simulated editor gets.
	observe func(wire.Command)

	mu      sync.Mutex
	started []*godotBackend
}

// newPool keeps up to n real editors of the given program.
func newPool(bin string, n int) *pool {
	p := &pool{bin: bin, free: make(chan *godotBackend, n)}
	for range n {
		p.free <- nil
	}
	return p
}

func (p *pool) take(ctx context.Context, kind string) (Backend, error) {
	if kind == "sim" {
		return &simBackend{observe: p.observe}, nil
	}
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("no free editor: %w", ctx.Err())
	case b := <-p.free:
		if b != nil && b.healthy() {
			return b, nil
		}
		if b != nil {
			// The last scenario left it hung or dead; that is that scenario's failure.
			_ = b.quit()
		}
		b, err := startGodot(ctx, p.bin)
		if err != nil {
			p.free <- nil
			return nil, err
		}
		p.mu.Lock()
		p.started = append(p.started, b)
		p.mu.Unlock()
		return b, nil
	}
}

func (p *pool) giveBack(b Backend) {
	if g, ok := b.(*godotBackend); ok {
		p.free <- g
	}
}

// close stops every real editor.
func (p *pool) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var first error
	for _, b := range p.started {
		if err := b.quit(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
