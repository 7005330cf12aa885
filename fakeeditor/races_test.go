package fakeeditor_test

import (
	"flag"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

var scheduleSeed = flag.Uint64("schedule-seed", 0, "run the named programs under this one schedule")

// schedulesPerRace is how many schedules each named program runs under.
const schedulesPerRace = 1000

// races are the programs in which scan, import, registration and the second on the
// clock compete.
func races() map[string][]action {
	ape, bee := "class_name Ape extends Node\n", "class_name Bee extends Node\n"
	soon := action{verb: "wait", wait: 4 * time.Millisecond}
	write := func(path, text string) action { return action{verb: "write", path: path, text: text} }
	outside := func(path, text string) action { return action{verb: "outside", path: path, text: text} }
	remove := func(path string) action { return action{verb: "remove", path: path} }
	check := func(class string) action { return action{verb: "check", text: class} }
	load := func(path string) action { return action{verb: "load", path: path} }
	second := action{verb: "wait", wait: time.Second}
	rescan := action{verb: "rescan"}
	return map[string][]action{
		"a fresh class in a known folder":  {write("res://old/ape.gd", ape), check("Ape"), soon, check("Ape")},
		"a fresh class in a new folder":    {write("res://new/ape.gd", ape), check("Ape"), soon, check("Ape"), rescan, soon, check("Ape")},
		"a fresh class from outside":       {outside("res://one.gd", ape), check("Ape"), rescan, check("Ape"), soon, check("Ape")},
		"a script that changes its class":  {write("res://one.gd", ape), write("res://one.gd", bee), check("Ape"), check("Bee"), rescan, soon, check("Bee")},
		"a script rewritten from outside":  {write("res://one.gd", ape), outside("res://one.gd", bee), check("Bee"), rescan, soon, check("Ape")},
		"an imported texture":              {outside("res://a.svg", square("one")), load("res://a.svg"), rescan, load("res://a.svg"), soon, load("res://a.svg"), second, outside("res://a.svg", square("two")), soon, rescan, soon},
		"a texture that changes meanwhile": {outside("res://a.svg", square("one")), rescan, outside("res://a.svg", square("two")), rescan, soon, load("res://a.svg")},
		"a texture of the same second":     {outside("res://a.svg", square("one")), rescan, second, outside("res://a.svg", square("two")), rescan, soon, outside("res://a.svg", square("three")), rescan, soon, load("res://a.svg")},
		"a class of the same second":       {write("res://one.gd", ape), rescan, soon, write("res://one.gd", bee), soon, outside("res://one.gd", ape), rescan, soon, second, outside("res://one.gd", bee), rescan, soon, check("Bee")},
		"a script written in a scan twice": {write("res://one.gd", ape), rescan, write("res://one.gd", bee), soon, rescan, write("res://one.gd", ape), soon, check("Ape"), check("Bee")},
		"a moved file":                     {write("res://one.gd", ape), remove("res://one.gd"), outside("res://new/one.gd", ape), rescan, soon, check("Ape")},
		"a deleted file":                   {write("res://one.gd", ape), remove("res://one.gd"), check("Ape"), rescan, soon, check("Ape")},
		"a write during a scan":            {outside("res://new/b.svg", square("b")), rescan, write("res://two.gd", bee), soon, write("res://new/ape.gd", ape), check("Ape"), check("Bee")},
		"a write during an import":         {outside("res://a.svg", square("a")), outside("res://old/c.svg", square("c")), rescan, soon, write("res://one.gd", ape), check("Ape"), soon, rescan},
		"a picture in a new folder":        {outside("res://new/b.svg", square("b")), load("res://new/b.svg"), rescan, load("res://new/b.svg"), soon, load("res://new/b.svg"), soon, load("res://new/b.svg")},
		"pictures and a class":             {outside("res://a.svg", square("a")), outside("res://old/c.svg", square("c")), outside("res://one.gd", ape), rescan, soon, load("res://a.svg"), check("Ape"), soon, load("res://old/c.svg"), check("Ape"), soon},
		"a picture that goes meanwhile":    {outside("res://a.svg", square("a")), outside("res://old/c.svg", square("c")), rescan, soon, remove("res://old/c.svg"), soon, load("res://a.svg"), soon, load("res://old/c.svg"), rescan, soon},
		"a picture that cannot be read":    {outside("res://a.svg", "no picture"), rescan, soon, load("res://a.svg"), soon, second, outside("res://a.svg", square("a")), rescan, soon, load("res://a.svg"), soon},
		"a picture imported twice":         {outside("res://a.svg", square("a")), rescan, second, outside("res://a.svg", square("b")), rescan, soon, load("res://a.svg"), soon, load("res://a.svg"), rescan, soon},
		"two scans at once":                {outside("res://one.gd", ape), rescan, outside("res://two.gd", bee), rescan, rescan, soon, check("Ape"), check("Bee")},
	}
}

// TestHonestyInNamedRaces runs each program under a thousand schedules; a schedule
// that fails is named by its seed, which replays it.
func TestHonestyInNamedRaces(t *testing.T) {
	for name, program := range races() {
		t.Run(name, func(t *testing.T) {
			first, n := uint64(1), schedulesPerRace
			if *scheduleSeed != 0 {
				first, n = *scheduleSeed, 1
			}
			for seed := first; seed < first+uint64(n); seed++ {
				synctest.Test(t, func(t *testing.T) {
					explore(seeded{t, seed}, program, seed, []int{1, 10, 40}[seed%3])
				})
				if t.Failed() {
					return
				}
			}
		})
	}
}

// seeded says by which seed a schedule can be run again.
type seeded struct {
	*testing.T
	seed uint64
}

// Errorf reports a failure with the flag that replays it.
func (s seeded) Errorf(format string, args ...any) {
	s.T.Helper()
	s.T.Errorf("-schedule-seed %d: %s", s.seed, fmt.Sprintf(format, args...))
}
