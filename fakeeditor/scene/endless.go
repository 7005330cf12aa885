package scene

import "slices"

// askers are the signals that the engine sends while it does what a method asks for.
var askers = map[string][]string{"queue_redraw": {"draw"}, "queue_sort": {"sort_children", "pre_sort_children"}}

// ClosesCircle reports whether a new connection would keep the editor busy for ever:
// what asks for a redraw or a sort is worked off within one round, and a round that
// asks for itself again never ends. A one-shot connection does not end it, since the
// editor keeps those (engine 4.6.3, experiment).
func (e Env) ClosesCircle(source NodeID, c Conn) bool {
	signals := askers[c.Method]
	if !slices.Contains(signals, c.Signal) {
		return false
	}
	if source == c.Target {
		return c.Flags&ConnectDeferred != 0 // while a node draws it takes no request for itself
	}
	seen := map[NodeID]bool{c.Target: true}
	for open := []NodeID{c.Target}; len(open) > 0; {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		if id == source {
			return true
		}
		n := e.Node(id)
		if n == nil {
			continue
		}
		for _, next := range n.Conns {
			if next.Method == c.Method && slices.Contains(signals, next.Signal) && !seen[next.Target] {
				seen[next.Target] = true
				open = append(open, next.Target)
			}
		}
	}
	return false
}
