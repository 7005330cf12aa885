package files

import (
	"slices"
	"strings"
	"time"
)

// job is a scan under way. It is never changed once it hangs in a System.
type job struct {
	phase   phase
	due     time.Duration // when the phase goes on
	visit   []string      // folders yet to visit, the next one last
	found   table[uint64] // what the walk saw: path -> revision
	folders table[bool]
	scripts []string // to register after the walk
	sources []string // to import after that
	done    []string // imported
	changed bool
}

type phase int

const (
	walking phase = iota
	registering
	importing
	closing
)

// Scan starts a scan, or queues one more behind the one that runs. (The engine
// drops the call then; the addon asks again when the running one is done.)
func (s System) Scan() System {
	if s.job != nil {
		s.queued = true
		return s
	}
	return s.startJob(false)
}

func (s System) startJob(first bool) System {
	s.job = &job{visit: []string{Root}, due: s.now, changed: first}
	d, s := s.pick(s.opts.Delays.Folder)
	s.job.due += d
	return s
}

// Scanning says whether a scan, a registration or an import is under way or
// queued. It is the honest answer; see [System.EngineScanning].
func (s System) Scanning() bool { return s.job != nil || s.queued }

// EngineScanning is what the engine's own is_scanning says: the walk only.
func (s System) EngineScanning() bool { return s.job != nil && s.job.phase == walking }

// Importing lists the sources that wait for their import, the current one first.
func (s System) Importing() []string {
	if s.job == nil {
		return nil
	}
	return s.job.sources
}

// Next is when something happens by itself; ok is false when nothing will.
func (s System) Next() (at time.Duration, ok bool) {
	if s.job == nil {
		return 0, false
	}
	return s.job.due, true
}

// Tick brings the file system to a later moment; an earlier one changes nothing.
func (s System) Tick(now time.Duration) System {
	for s.job != nil && s.job.due <= now {
		s = s.at(max(s.now, s.job.due))
		s = s.advance()
	}
	return s.at(max(s.now, now))
}

// advance does the one thing that is due and sets the next time.
func (s System) advance() System {
	j := *s.job
	s.job = &j
	switch j.phase {
	case walking:
		s = s.visitFolder(&j)
	case registering:
		s = s.registerAll(&j)
	case importing:
		s = s.importNext(&j)
	case closing:
		return s.closeScan(&j)
	}
	r := s.opts.Delays.Folder
	switch j.phase {
	case registering:
		r = s.opts.Delays.Register
	case importing:
		if d, ok := s.opts.Delays.ImportOf[j.sources[0]]; ok {
			r = Range{d, d}
		} else {
			r = s.opts.Delays.Import
		}
	case closing:
		r = s.opts.Delays.Settle
	}
	d, s := s.pick(r)
	j.due += d
	return s
}

// visitFolder reads one folder as it is now. A file that is written later, in a
// folder that was visited, is not seen by this scan.
func (s System) visitFolder(j *job) System {
	folder := j.visit[len(j.visit)-1]
	j.visit = slices.Clone(j.visit[:len(j.visit)-1])
	if folder == Root || s.disk.HasFolder(folder) && !s.disk.Has(Below(folder, ".gdignore")) {
		j.folders = j.folders.Set(folder, true)
		names, folders := s.disk.Children(folder)
		for _, n := range names {
			if p := Below(folder, n); n[0] != '.' && tracked(p) {
				f, _ := s.disk.Get(p)
				j.found = j.found.Set(p, f.Rev)
			}
		}
		slices.Reverse(folders)
		for _, n := range folders {
			if n[0] != '.' {
				j.visit = append(j.visit, Below(folder, n))
			}
		}
	}
	if len(j.visit) > 0 {
		return s
	}
	return s.endWalk(j)
}

// endWalk replaces the editor's file tree by what the walk saw. What still has
// to be registered or imported is noted as such.
func (s System) endWalk(j *job) System {
	before := s.known
	s.folders = j.folders
	j.folders = table[bool]{}
	var known table[entry]
	j.found.From("", func(p string, rev uint64) bool {
		old, was := before.Get(p)
		same := was && old.rev == rev && old.note == settled && !s.importMissing(p)
		e := old
		e.rev, e.scanned, e.note = rev, rev, settled
		switch {
		case same && old.scanned == rev:
		case isScript(p):
			if !same {
				e.note = unregistered
			}
			j.scripts = append(j.scripts, p)
		case Importable(p):
			if !same {
				e.note = unimported
				j.sources = append(j.sources, p)
			}
		default:
			s, e.uid = s.noteUID(p, old.uid)
		}
		j.changed = j.changed || !same || old.scanned != rev
		known = known.Set(p, e)
		return true
	})
	before.From("", func(p string, _ entry) bool {
		if !known.Has(p) {
			j.changed = true // its class and .uid stay, see registerAll
		}
		return true
	})
	slices.SortFunc(j.scripts, treeOrder)
	s.known, j.found = known, table[uint64]{}
	j.phase = registering
	return s
}

// registerAll registers the scripts that the walk found new or changed. A class
// that one of them gave up passes to nobody. Classes
// of files that it no longer found stay in the list: a scan does not remove them,
// and neither does update_file afterwards (engine 4.6 experiment).
func (s System) registerAll(j *job) System {
	old := s.classes
	for _, p := range j.scripts {
		if s.disk.Has(p) {
			s = s.registerScript(p, false)
		}
	}
	if old.root != s.classes.root {
		s = s.writeClassCache().emit(EventClasses)
	}
	j.scripts = nil
	s = s.renumber()
	j.phase = closing
	if len(j.sources) > 0 {
		s = s.emit(EventReimporting, j.sources...)
		j.phase = importing
	}
	return s
}

// renumber brings the order of declarations into tree order, as a scan does
// (engine 4.6 experiment).
func (s System) renumber() System {
	var declaring []string
	s.known.From("", func(p string, e entry) bool {
		if e.class.Name != "" {
			declaring = append(declaring, p)
		}
		return true
	})
	slices.SortFunc(declaring, treeOrder)
	for _, p := range declaring {
		e, _ := s.known.Get(p)
		s.order++
		e.order = s.order
		s.known = s.known.Set(p, e)
	}
	return s
}

func (s System) importNext(j *job) System {
	p := j.sources[0]
	j.sources = j.sources[1:]
	if s.disk.Has(p) {
		s = s.importFile(p)
		j.done = append(j.done[:len(j.done):len(j.done)], p)
	}
	if len(j.sources) == 0 {
		s = s.emit(EventChanged).emit(EventReimported, j.done...)
		j.phase = closing
	}
	return s
}

func (s System) closeScan(j *job) System {
	if j.changed {
		s = s.emit(EventChanged).emit(EventSources)
	}
	s.job = nil
	s.generation++
	s.reimported = j.done
	if s.queued {
		s.queued = false
		s = s.startJob(false)
	}
	return s
}

// treeOrder sorts paths as the editor visits them: what is in subfolders before
// the files of the folder itself (engine 4.6 experiment).
func treeOrder(a, b string) int {
	for {
		x, restX, inX := strings.Cut(a, "/")
		y, restY, inY := strings.Cut(b, "/")
		switch {
		case inX && inY && x == y:
			a, b = restX, restY
		case inX != inY && inX:
			return -1
		case inX != inY:
			return 1
		default:
			return strings.Compare(x, y)
		}
	}
}
