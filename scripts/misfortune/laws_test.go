package misfortune

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/audit"
	"godot-mcp/server/journal"
	"godot-mcp/server/wire"
)

// broken lists the laws that a day broke.
func (d *day) broken() []string {
	var out []string
	for _, law := range []func(func(string, ...any)){d.lawConsent, d.lawOnce, d.lawAnswers, d.lawReads, d.lawFiles, d.lawAudit, d.lawIntent} {
		law(func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) })
	}
	return out
}

// withMark lists the calls that a mark belongs to: one, and its repeats.
func (d *day) withMark(mark string) []*call {
	return slices.DeleteFunc(slices.Clone(d.calls), func(c *call) bool { return !slices.Contains(c.marks, mark) })
}

// of are the effects of the commands that name a mark.
func (d *day) of(mark string) []world.Effect {
	var out []world.Effect
	for _, f := range d.tap.list() {
		if f.readOnly() || !slices.Contains(marksIn(string(f.params)), mark) {
			continue
		}
		for _, e := range d.effects {
			if e.Cause == f.id {
				out = append(out, e)
			}
		}
	}
	return out
}

// causes are the commands behind effects.
func causes(effects []world.Effect) []string {
	var out []string
	for _, e := range effects {
		if !slices.Contains(out, e.Cause) {
			out = append(out, e.Cause)
		}
	}
	return out
}

// lawConsent: a command that is no preview goes out only for a call that may take
// effect here, with the caller's confirm and the person's yes where they are due.
func (d *day) lawConsent(report func(string, ...any)) {
	said := d.person.opinions()
	for _, f := range d.tap.list() {
		if f.dry || f.readOnly() {
			continue
		}
		for _, mark := range marksIn(string(f.params)) {
			why := "no call has this mark"
			for _, c := range d.withMark(mark) {
				if why = d.house.never(c); why != "" {
					continue
				}
				if due, given := d.house.consented(c, said, f); due && !given {
					why = "no person said yes"
					continue
				}
				break
			}
			if why != "" {
				report("%v sent %s %s although %s", f.at, f.command, f.params, why)
			}
		}
	}
}

func (f frame) readOnly() bool {
	c, ok := wire.Lookup(f.command)
	return f.command == wire.CmdPing || ok && c.Kind == wire.KindRead
}

// lawOnce: a mark's command takes effect at most once, whatever is repeated.
func (d *day) lawOnce(report func(string, ...any)) {
	seen := map[string]bool{}
	for _, c := range d.calls {
		for _, mark := range c.marks {
			if seen[mark] {
				continue
			}
			seen[mark] = true
			if by := causes(d.of(mark)); len(by) > 1 {
				report("%s took effect by commands %v", mark, by)
			}
		}
	}
}

// lawAnswers: done means done, not done means never done, and all answers to one
// id say the same.
func (d *day) lawAnswers(report func(string, ...any)) {
	for _, c := range d.calls {
		if c.repeats >= 0 || len(c.marks) == 0 {
			continue
		}
		var done map[string]any
		first, open := 0, false
		for _, a := range d.answers {
			if a.call != c && a.call.repeats != c.n {
				continue
			}
			switch {
			case a.lost || a.body["may_have_applied"] == true || a.body["code"] == "uncertain":
				open = true
			case !a.error && !a.call.dry:
				if a.body["replayed"] != true {
					first++
				}
				// Consent is of the call that asked, not of what it did.
				plain := without(a.body, "replayed", "approval")
				if done != nil && !reflect.DeepEqual(done, plain) {
					report("call %d was answered in two ways: %v and %v", c.n, done, plain)
				}
				done = plain
			}
		}
		if first > 1 {
			report("call %d was done %d times, say the answers", c.n, first)
		}
		effects := 0
		for _, mark := range c.marks {
			effects += len(d.of(mark))
		}
		switch {
		case done != nil && effects == 0 && c.tool != batchTool && done["total_modified"] != 0.0:
			report("call %d (%s) was answered as done and had no effect: %v", c.n, c.tool, done)
		case done == nil && !open && effects > 0:
			report("call %d (%s) was answered as not done and had an effect: %v", c.n, c.tool, d.of(c.marks[0]))
		}
	}
}

func without(m map[string]any, keys ...string) map[string]any {
	out := maps.Clone(m)
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

// lawReads: reads and previews cause nothing.
func (d *day) lawReads(report func(string, ...any)) {
	dry := map[string]bool{}
	for _, f := range d.tap.list() {
		if f.dry || f.readOnly() {
			dry[f.id] = true
		}
	}
	for _, e := range d.effects {
		if dry[e.Cause] {
			report("a read or a preview (command %s) had an effect: %+v", e.Cause, e)
		}
	}
}

// lawFiles: the digest in an answer is of what was written.
func (d *day) lawFiles(report func(string, ...any)) {
	for _, a := range d.answers {
		sum, ok := a.body["sha256"].(string)
		if !ok || a.error || a.call.dry || a.body["dry_run"] == true {
			continue
		}
		if !slices.ContainsFunc(d.effects, func(e world.Effect) bool { return e.Kind == world.EffectWriteFile && e.After == sum }) {
			report("call %d tells a digest that was never written: %v", a.call.n, a.body)
		}
	}
}

// lawAudit: every answered call has its line, and no line is of no call.
func (d *day) lawAudit(report func(string, ...any)) {
	for i, life := range d.servers {
		lines := map[string]int{}
		for line := range strings.Lines(life.log.String()) {
			var r audit.Record
			if json.Unmarshal([]byte(line), &r) == nil && r.Event == audit.Call {
				lines[r.Tool+" "+r.Outcome]++
			}
		}
		lost := 0
		for _, a := range d.answers {
			if a.life != i {
				continue
			}
			if a.lost {
				lost++
				continue
			}
			outcome := "ok"
			if a.error {
				outcome, _ = a.body["error"].(string)
			}
			key := a.call.tool + " " + outcome
			if lines[key]--; lines[key] < 0 {
				report("server %d has no line for a call: %s", i, key)
			}
		}
		extra := 0
		for _, n := range lines {
			extra += max(0, n)
		}
		if extra > lost || !life.dead && extra != lost {
			report("server %d wrote %d lines for %d calls whose client did not wait: %v", i, extra, lost, lines)
		}
	}
}

// lawIntent: when a server dies, its journal knows every call with an id whose
// command is on its way; and what took effect under an id stays known.
func (d *day) lawIntent(report func(string, ...any)) {
	for _, death := range d.deathbeds {
		for _, f := range d.tap.list() {
			if f.dry || f.readOnly() || f.at >= death.at {
				continue
			}
			for _, c := range d.owners(f) {
				answered := slices.ContainsFunc(d.answers, func(a answer) bool {
					return (a.call == c || a.call.repeats == c.n) && a.at >= f.at && a.at <= death.at
				})
				if !answered && !slices.Contains(death.ids, c.id) {
					report("%v sent %s for id %s, and the journal of the server that died at %v did not know it", f.at, f.command, c.id, death.at)
				}
			}
		}
	}
	ids, err := known(d.servers[len(d.servers)-1].dir)
	if err != nil {
		report("journal: %v", err)
	}
	effect := map[string]bool{}
	for _, e := range d.effects {
		effect[e.Cause] = true
	}
	for _, f := range d.tap.list() {
		if f.dry || !effect[f.id] {
			continue
		}
		for _, c := range d.owners(f) {
			if !slices.Contains(ids, c.id) {
				report("%v sent %s for id %s, which took effect, and the journal does not know it", f.at, f.command, c.id)
			}
		}
	}
}

// owners are the calls with an id of their own that a command may be of.
func (d *day) owners(f frame) []*call {
	var out []*call
	for _, mark := range marksIn(string(f.params)) {
		for _, c := range d.withMark(mark) {
			if c.id != "" && !c.reused && c.repeats < 0 && !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// known lists the ids in the journals of a folder.
func known(dir string) ([]string, error) {
	var out []string
	for _, file := range journalFiles(dir) {
		book, err := journal.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, r := range book.Records {
			out = append(out, r.ID)
		}
	}
	return out, nil
}
