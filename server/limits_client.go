package server

import (
	"slices"
	"time"

	"godot-mcp/server/answer"
)

const (
	// keptClients is how many idle clients are remembered for their rate.
	keptClients = 1000
	// namedClients is how many clients of one address are told apart by the
	// names they give themselves; all others of it count as one.
	namedClients = 32
	// otherNames is that one; no name holds a NUL.
	otherNames = "\x00"
)

// admitLocked takes one call off what the client may make in a minute. What it
// does not use comes back evenly.
func (l *limits) admitLocked(key clientKey) (*load, *answer.Failure) {
	now := time.Now()
	c := l.clientLocked(key, now)
	if l.heldMax > 0 && (l.held.bytes() > l.heldMax || l.heldWeb > l.heldMax || c.held > l.heldMax/4) {
		return c, answer.New(answer.AnswersWait, "limit", l.heldMax)
	}
	l.refill(c, now)
	if l.perMinute > 0 {
		if c.tokens < 1 {
			f := answer.New(answer.TooFast, "limit", l.perMinute)
			f.RetryAfterMS = int((1-c.tokens)/l.rate()/float64(time.Millisecond)) + 1
			return c, f
		}
		c.tokens--
	}
	return c, nil
}

func (l *limits) rate() float64 { return float64(l.perMinute) / float64(time.Minute) }

func (l *limits) refill(c *load, now time.Time) {
	c.tokens = min(float64(l.perMinute), c.tokens+l.rate()*float64(now.Sub(c.at)))
	c.at = now
}

// clientLocked finds or makes what is known of a client. Of those that are told
// apart by name there are only so many at an address.
func (l *limits) clientLocked(key clientKey, now time.Time) *load {
	if c := l.clients[key]; c != nil {
		return c
	}
	if key.name != "" && l.namedLocked(key.remote, now) >= namedClients {
		key.name = otherNames
		if c := l.clients[key]; c != nil {
			return c
		}
	}
	if len(l.clients) >= keptClients {
		for k, c := range l.clients {
			if c.forgettable(now) {
				delete(l.clients, k)
			}
		}
	}
	c := &load{tokens: float64(l.perMinute), at: now}
	l.clients[key] = c
	return c
}

// namedLocked counts the named clients of an address, after it forgot idle ones.
func (l *limits) namedLocked(remote string, now time.Time) int {
	n := 0
	for k, c := range l.clients {
		switch {
		case k.remote != remote || k.name == "" || k.name == otherNames:
		case c.forgettable(now):
			delete(l.clients, k)
		default:
			n++
		}
	}
	return n
}

// forgettable says whether forgetting a client gives it nothing.
func (c *load) forgettable(now time.Time) bool {
	return c.running == 0 && len(c.queue) == 0 && c.held == 0 && now.Sub(c.at) > time.Minute
}

// adopt lets a new session take over what an ended one of its address has left
// of its minute, so that ending sessions and opening others gains nothing.
func (l *limits) adopt(key clientKey, remote string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	left := l.spentLocked(remote, now)
	if len(left) == 0 {
		return
	}
	i := 0
	for n, c := range left {
		if c.tokens < left[i].tokens {
			i = n
		}
	}
	l.clients[key] = left[i]
	if left = slices.Delete(left, i, i+1); len(left) == 0 {
		delete(l.left, remote)
		return
	}
	l.left[remote] = left
}

// retire forgets an ended session, but for what it spent of its minute.
func (l *limits) retire(key clientKey, remote string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := l.clients[key]
	delete(l.clients, key)
	if c == nil || l.perMinute == 0 {
		return
	}
	// Calls of the session that still end do so on its own account.
	now := time.Now()
	l.left[remote] = append(l.spentLocked(remote, now), &load{tokens: c.tokens, at: c.at})
	// Addresses come and go as well.
	for address := range l.left {
		if len(l.spentLocked(address, now)) == 0 {
			delete(l.left, address)
		}
	}
}

// spentLocked are the loads of ended sessions whose minute is not full again.
func (l *limits) spentLocked(remote string, now time.Time) []*load {
	l.left[remote] = slices.DeleteFunc(l.left[remote], func(c *load) bool {
		l.refill(c, now)
		return c.tokens >= float64(l.perMinute)
	})
	return l.left[remote]
}
