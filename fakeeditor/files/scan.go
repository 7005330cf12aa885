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
	found   table[sight]  // what the walk saw
	folders table[bool]
	scripts []string // to register after the walk
	sources []string // to import after that
	done    []string // imported
}

// sight is a file as a walk saw it.
type sight struct {
	content          content
	time, importTime int64
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
	return s.startJob()
}

func (s System) startJob() System {
	s.job = &job{visit: []string{Root}, due: s.now}
	d, s := s.pick(s.opts.Delays.Folder)
	s.job.due += d
	return s
}

// Show does for a file that the addon wrote what makes the editor see it: update_file
// and, for a source, reimport_files. While a scan runs those have no effect, or are
// lost with the next writing of its cache; then it is done again when the scan is over,
// since the next one does not see a file that was written in the second in which it
// knows it. One in a folder that the editor does not know waits for a scan.
func (s System) Show(p string) System {
	if s.job != nil && !slices.Contains(s.late, p) {
		s.late = append(s.late[:len(s.late):len(s.late)], p)
	}
	s = s.show(p)
	if s.Stale(p) {
		return s.Scan()
	}
	return s
}

func (s System) show(p string) System {
	s = s.UpdateFile(p)
	if s.Stale(p) && Importable(p) && s.KnowsFile(p) && s.job == nil {
		if done, err := s.ReimportFiles(p); err == nil {
			return done
		}
	}
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
				in, _ := s.disk.Get(p + ".import")
				j.found = j.found.Set(p, sight{contentOf(f), f.Time, in.Time})
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
// to be registered or imported is noted as such. A file counts as changed when its
// time, in whole seconds, is not the one in the editor's cache; of one that has not,
// the cache tells the class and the uid. The cache is written anew at the end of the
// walk, with the tree that this one replaces: so the next scan looks again at what
// this one found changed (engine 4.6 experiment).
func (s System) endWalk(j *job) System {
	before, cache := s.known, s.cached
	s = s.saveCache()
	s.folders = j.folders
	j.folders = table[bool]{}
	var known table[entry]
	j.found.From("", func(p string, f sight) bool {
		e, had := before.Get(p)
		old, was := cache.Get(p)
		taken := had && e.taken.is(f.content) && e.note == settled
		changed := !was || old.time != f.time
		if !had {
			e = old
		}
		switch {
		case Importable(p) && (changed || old.importTime != f.importTime || s.importMissing(p)):
			e.time, e.importTime = f.time, f.importTime
			if s.mustImport(p, old.importMD5) {
				e.note = unimported
				j.sources = append(j.sources, p)
			} else if _, state := s.ImportState(p); state != ImportFailed {
				e.taken, e.note = f.content, settled
			}
		case changed && isScript(p):
			e.taken, e.time = f.content, f.time
			if !taken {
				e.note = unregistered
			}
			j.scripts = append(j.scripts, p)
		case changed:
			s, e.uid = s.noteUID(p, e.uid)
			e.taken, e.time, e.note = f.content, f.time, settled
		default:
			e.time, e.importTime, e.importMD5, e.uid, e.class = old.time, old.importTime, old.importMD5, old.uid, old.class
		}
		known = known.Set(p, e)
		return true
	})
	slices.SortFunc(j.scripts, treeOrder)
	s.known, j.found = known, table[sight]{}
	s = s.renumber()
	j.phase = registering
	return s
}

// renumber orders the scripts as a scan lists them: the files of a folder before what
// is in its subfolders (engine 4.6 experiment).
func (s System) renumber() System {
	var scripts []string
	s.known.From("", func(p string, _ entry) bool {
		if isScript(p) {
			scripts = append(scripts, p)
		}
		return true
	})
	slices.SortFunc(scripts, listOrder)
	for _, p := range scripts {
		e, _ := s.known.Get(p)
		s.order++
		e.order = s.order
		s.known = s.known.Set(p, e)
	}
	return s
}

// saveCache writes the editor's file tree into its cache.
func (s System) saveCache() System {
	s.cached = s.known
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
	switch {
	case old.root != s.classes.root:
		s = s.writeClassCache().emit(EventClasses)
	case !s.disk.Has(classCache): // also where there is no class
		s = s.writeClassCache()
	}
	j.scripts = nil
	j.phase = closing
	if len(j.sources) > 0 {
		s = s.emit(EventReimporting, j.sources...)
		j.phase = importing
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
		s = s.saveCache().emit(EventChanged).emit(EventReimported, j.done...)
		j.phase = closing
	}
	return s
}

func (s System) closeScan(j *job) System {
	s = s.emit(EventChanged).emit(EventSources)
	s.job = nil
	s.generation++
	s.reimported = j.done
	for _, p := range s.late {
		s = s.show(p)
	}
	s.late = nil
	if s.queued {
		s.queued = false
		s = s.startJob()
	}
	return s
}

// treeOrder sorts paths as a scan registers their classes: what is in subfolders
// before the files of the folder itself (engine 4.6 experiment).
func treeOrder(a, b string) int { return pathOrder(a, b, -1) }

// listOrder sorts paths with the files of a folder first.
func listOrder(a, b string) int { return pathOrder(a, b, 1) }

// pathOrder sorts paths by folder; folders says whether subfolders come before (-1)
// or after (1) the files beside them.
func pathOrder(a, b string, folders int) int {
	for {
		x, restX, inX := strings.Cut(a, "/")
		y, restY, inY := strings.Cut(b, "/")
		switch {
		case inX && inY && x == y:
			a, b = restX, restY
		case inX != inY && inX:
			return folders
		case inX != inY:
			return -folders
		default:
			return strings.Compare(x, y)
		}
	}
}
