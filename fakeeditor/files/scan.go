package files

import (
	"slices"
	"time"
)

// job is a scan under way. It is never changed once it hangs in a System.
//
// The walk is a thread of the engine's: it lists all folders, then reads what it
// listed, and the editor's own tree stays what it was. A later frame takes over what
// was read, registers scripts and imports. Without a window nothing comes between
// those; with one, every step of the progress bar draws a frame in which commands may
// run (engine 4.6, EditorFileSystem and ProgressDialog).
type job struct {
	phase   phase
	due     time.Duration // when the phase goes on
	visit   []string      // folders yet to list, the next one last
	listed  []string      // files yet to read
	inside  bool          // the next of them is in the folder of the last one read
	found   table[sight]  // what the walk saw
	folders table[bool]
	cache   table[entry] // what the editor's cache held before the walk
	scripts []string     // found new or changed, to register after the walk
	sources []string     // to import after that
	left    []string     // those of them that are not imported yet
}

// sight is a file as a walk saw it.
type sight struct {
	content          content
	time, importTime int64
	changed          bool
	uid              string
	class            Class
}

type phase int

const (
	listing phase = iota
	reading
	registering
	announcing
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
// lost with what it has read before; then it is done again when the scan is over,
// since the next one does not see a file that was written in the second in which it
// knows it. See [System.Waits] for when it takes a scan as well.
func (s System) Show(p string) System {
	waits := s.Waits(p)
	if s.job != nil && !slices.Contains(s.late, p) {
		s.late = append(s.late[:len(s.late):len(s.late)], p)
	}
	s = s.show(p)
	if waits || s.Stale(p) {
		return s.Scan()
	}
	return s
}

// Waits says whether the editor will see a file that is written now only after a
// scan: one that runs, or one that has yet to find the folder.
func (s System) Waits(p string) bool {
	return !s.disk.Ignored(p) && (s.Scanning() || !s.KnowsFolder(Folder(p)))
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
func (s System) EngineScanning() bool { return s.job != nil && s.job.phase <= reading }

// Importing lists what is being imported, from resources_reimporting to
// resources_reimported; the engine does not tell which of them are done.
func (s System) Importing() []string {
	if s.job == nil || s.job.phase != importing {
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
	s = s.endFrame()
	for s.job != nil && s.job.due <= now {
		s = s.at(max(s.now, s.job.due))
		s = s.advance()
	}
	return s.at(max(s.now, now))
}

// endFrame gives the signal that update_file leaves to the end of its frame.
func (s System) endFrame() System {
	if s.notify {
		s.notify = false
		s = s.emit(EventChanged)
	}
	return s
}

// advance does the one thing that is due and sets the next time.
func (s System) advance() System {
	j := *s.job
	s.job = &j
	switch j.phase {
	case listing:
		s = s.listFolder(&j)
	case reading:
		s = s.readFile(&j)
	case registering:
		s = s.takeOver(&j)
	case announcing:
		s = s.announce(&j)
	case importing:
		s = s.importNext(&j)
	case closing:
		return s.closeScan(&j)
	}
	r := s.opts.Delays.Folder
	switch j.phase {
	case reading:
		if j.inside {
			r = s.opts.Delays.File
		}
	case registering:
		r = s.opts.Delays.Register
	case importing:
		if d, ok := s.opts.Delays.ImportOf[j.left[0]]; ok {
			r = Range{d, d}
		} else {
			r = s.opts.Delays.Import
		}
	case announcing, closing:
		r = s.opts.Delays.Settle
	}
	d, s := s.pick(r)
	j.due += d
	return s
}

// listFolder lists one folder as it is now. A file that is written later, in a
// folder that was listed, is not seen by this scan.
func (s System) listFolder(j *job) System {
	folder := j.visit[len(j.visit)-1]
	j.visit = slices.Clone(j.visit[:len(j.visit)-1])
	if folder == Root || s.disk.HasFolder(folder) && !s.disk.Has(Below(folder, ".gdignore")) {
		j.folders = j.folders.Set(folder, true)
		names, folders := s.disk.Children(folder)
		j.listed = slices.Clone(j.listed)
		for _, n := range names {
			if p := Below(folder, n); n[0] != '.' && tracked(p) {
				j.listed = append(j.listed, p)
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
	slices.SortFunc(j.listed, treeOrder)
	j.phase = reading
	return s
}

// readFile reads the next of the listed files as it is now, and gives a script that has
// none its .uid file. A file counts as changed when its time, in whole
// seconds, is not the one in the editor's cache; of one that has not, the cache tells
// the class and the uid (engine 4.6 experiment).
func (s System) readFile(j *job) System {
	if len(j.listed) > 0 {
		p := j.listed[0]
		j.listed = j.listed[1:]
		f, _ := s.disk.Get(p)
		in, _ := s.disk.Get(p + ".import")
		old, was := s.cached.Get(p)
		see := sight{content: contentOf(f), time: f.Time, importTime: in.Time, changed: !was || old.time != f.Time, uid: old.uid, class: old.class}
		if see.changed && !Importable(p) {
			known, _ := s.known.Get(p)
			s, see.uid = s.noteUID(p, known.uid)
			see.class = s.scanScript(p, f.Data)
		} else if hasUIDFile(p) && old.uid != "" && !s.disk.Has(p+".uid") {
			s.disk = s.disk.With(p+".uid", old.uid+"\n")
		}
		if see.changed && isScript(p) {
			j.scripts = append(j.scripts[:len(j.scripts):len(j.scripts)], p)
		}
		j.found = j.found.Set(p, see)
		j.inside = len(j.listed) > 0 && Folder(j.listed[0]) == Folder(p)
		return s
	}
	j.cache = s.cached
	s = s.saveCache()
	j.phase = registering
	return s
}

// takeOver replaces the editor's file tree by what the walk saw, registers the scripts
// that it found new or changed, and tells which sources have to be imported. The
// editor's cache was written at the end of the walk, with the tree that this one
// replaces: so the next scan looks again at what this one found changed (engine 4.6
// experiment). A class that a script gave up passes to nobody. Classes of files that
// are no longer found stay in the list: a scan does not remove them, and neither does
// update_file afterwards (engine 4.6 experiment).
func (s System) takeOver(j *job) System {
	before := s.known
	s.folders = j.folders
	j.folders = table[bool]{}
	var known table[entry]
	j.found.From("", func(p string, f sight) bool {
		e, had := before.Get(p)
		old, _ := j.cache.Get(p)
		if !had {
			e = old
		}
		switch {
		case Importable(p) && (f.changed || old.importTime != f.importTime || s.importMissing(p)):
			e.time, e.importTime = f.time, f.importTime
			if s.mustImport(p, old.importMD5) {
				e.note = unimported
				j.sources = append(j.sources, p)
			} else if _, state := s.ImportState(p); state != ImportFailed {
				e.taken, e.note = f.content, settled
			}
		case f.changed:
			e.taken, e.time, e.note, e.uid, e.class = f.content, f.time, settled, f.uid, f.class
		default:
			e.time, e.importTime, e.importMD5, e.uid, e.class = old.time, old.importTime, old.importMD5, old.uid, old.class
		}
		known = known.Set(p, e)
		return true
	})
	slices.SortFunc(j.sources, treeOrder)
	s = s.registerWalked(j)
	s.known, j.found, j.cache = known, table[sight]{}, table[entry]{}
	s = s.renumber()
	if !s.disk.Has(classCache) { // also where there is no class
		s = s.writeClassCache()
	}
	j.phase = closing
	if len(j.sources) > 0 {
		j.phase = announcing
	}
	return s
}

// registerWalked registers the scripts that a walk found new or changed, with what
// they declared when it read them.
func (s System) registerWalked(j *job) System {
	if len(j.scripts) == 0 {
		return s
	}
	old := s.classes
	for _, p := range j.scripts {
		f, _ := j.found.Get(p)
		s = s.declare(p, f.class)
	}
	j.scripts = nil
	return s.classesUpdated(old)
}

func (s System) announce(j *job) System {
	j.left = j.sources
	j.phase = importing
	return s.emit(EventReimporting, j.sources...)
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

func (s System) importNext(j *job) System {
	p := j.left[0]
	j.left = j.left[1:]
	if s.disk.Has(p) {
		s = s.importFile(p)
	}
	if len(j.left) == 0 {
		s = s.saveCache().emit(EventChanged).emit(EventReimported, j.sources...)
		j.phase = closing
	}
	return s
}

func (s System) closeScan(j *job) System {
	s = s.emit(EventChanged).emit(EventSources)
	s.job = nil
	s.generation++
	s.reimported = slices.Sorted(slices.Values(j.sources))
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
