package files

import "time"

// Options configure a [System]; they never change in its life.
type Options struct {
	ProjectName string // enters the uids of new files
	Seed        uint64
	Delays      Delays
}

// Range is a span of durations from which the seed picks.
type Range struct{ Min, Max time.Duration }

// Delays say how long the editor takes for each part of a scan.
type Delays struct {
	Folder   Range // the walk, per folder
	File     Range // the walk, per file of a folder after the first
	Register Range // from the end of the walk to the registration of scripts
	Import   Range // each imported file
	Settle   Range // from the last import to the closing signals
	// ImportOf overrides Import for single sources.
	ImportOf map[string]time.Duration
}

// DefaultDelays are those of a small project on the real engine (4.6 experiment):
// a few milliseconds for the walk, the rest within the following frames.
func DefaultDelays() Delays {
	ms := time.Millisecond
	return Delays{Folder: Range{ms, 4 * ms}, File: Range{Max: ms / 5}, Register: Range{ms, 14 * ms}, Import: Range{3 * ms, 20 * ms}, Settle: Range{ms, 7 * ms}}
}

// System is the editor's file system at one moment. The zero System is not usable;
// see [New].
type System struct {
	opts *Options
	rng  uint64
	now  time.Duration

	disk  Tree
	known table[entry]
	// cached is known as it was when it was last written to the editor's cache on
	// disk, which is what the next scan compares with.
	cached  table[entry]
	folders table[bool]
	classes table[Class]
	uids    table[string]
	order   uint64 // counts places in the list of scripts

	job        *job // nil: idle
	queued     bool
	notify     bool     // filesystem_changed comes with the end of the frame
	late       []string // written while a scan ran
	generation int
	reimported []string
	events     []Event
}

// entry is what the editor remembers of one file.
type entry struct {
	taken content
	// time and importTime are those of the file and of its .import, in seconds as the
	// file system tells them; importMD5 is of the .import that the last import wrote.
	time, importTime int64
	importMD5        string
	uid              string
	note             noted
	// class is what the script declared when it was read last; order is its place
	// among the scripts that the editor lists.
	class Class
	order uint64
}

// content tells what a file held at a moment.
type content struct {
	rev    uint64
	data   string
	opaque bool
}

func contentOf(f File) content { return content{f.Rev, f.Data, f.Opaque} }

// is reports whether two contents are the same bytes.
func (c content) is(o content) bool {
	return c.rev == o.rev || !c.opaque && !o.opaque && c.data == o.data
}

// noted is how far the editor got with a file.
type noted int

const (
	settled noted = iota
	unimported
)

// Class is one entry of the editor's list of global script classes.
type Class struct {
	Name, Path, Base, Icon string
	Abstract, Tool         bool
}

// Event is one signal of the editor's file system.
type Event struct {
	At    time.Duration
	Kind  string
	Paths []string // what the signal carries
	Moved bool     // of script_classes_updated: the list is another one than before
}

// Kinds of [Event]: the engine's signal names.
const (
	EventClasses     = "script_classes_updated"
	EventReimporting = "resources_reimporting"
	EventReimported  = "resources_reimported"
	EventChanged     = "filesystem_changed"
	EventSources     = "sources_changed"
)

// New is the file system of an editor that has just started on a project: its
// first scan is over, everything is registered and imported, and the files that
// this makes (.uid, .import) are on disk.
func New(disk Tree, opts Options) System {
	s := System{opts: &opts, rng: opts.Seed, disk: disk}
	s = s.startJob()
	for s.job != nil {
		s = s.at(s.job.due)
		s = s.advance()
	}
	s.generation, s.events, s.reimported = 0, nil, nil
	return s.at(0).saveCache()
}

// epoch is when every simulated editor starts, in seconds since 1970.
const epoch = 1_767_225_600

// at sets the clock, by which files are stamped as well.
func (s System) at(now time.Duration) System {
	s.now = now
	s.disk = s.disk.At(epoch + int64(now/time.Second))
	return s
}

// Disk is the project folder as it is on disk now.
func (s System) Disk() Tree { return s.disk }

// Now is the time of the last [System.Tick].
func (s System) Now() time.Duration { return s.now }

// Generation counts the finished scans since the start.
func (s System) Generation() int { return s.generation }

// Reimported lists what the last finished scan imported.
func (s System) Reimported() []string { return s.reimported }

// Class finds a global script class that the editor has registered.
func (s System) Class(name string) (Class, bool) { return s.classes.Get(name) }

// Classes visits the registered script classes by name.
func (s System) Classes(yield func(Class) bool) {
	s.classes.From("", func(_ string, c Class) bool { return yield(c) })
}

// ClassAt finds the class that a script file declares, as far as registered.
func (s System) ClassAt(p string) (Class, bool) {
	for c := range s.Classes {
		if c.Path == p {
			return c, true
		}
	}
	return Class{}, false
}

// ByUID finds the path that the editor's uid cache holds for a uid:// text.
func (s System) ByUID(uid string) (string, bool) { return s.uids.Get(canonicalUID(uid)) }

// UID is the uid:// text that the editor knows for a path; "" for none. Of a file that
// its tree does not hold, in a folder with a .gdignore for example, the file itself
// tells it, whoever else has it (engine 4.6 experiment).
func (s System) UID(p string) string {
	if e, ok := s.known.Get(p); ok {
		return e.uid
	}
	return s.uidOnDisk(p)
}

// KnowsFile says whether the editor's file tree holds a path.
func (s System) KnowsFile(p string) bool { return s.known.Has(p) }

// KnowsFolder says whether the editor's file tree holds a folder.
func (s System) KnowsFolder(p string) bool { return p == Root || s.folders.Has(p) }

// WithDisk puts another disk below the editor, which does not see it: what an
// editor finds when other programs wrote.
func (s System) WithDisk(disk Tree) System {
	s.disk = disk
	return s
}

// Write writes a file behind the editor's back, as other programs do.
func (s System) Write(p, data string) System {
	s.disk = s.disk.With(p, data)
	return s
}

// Remove removes a file behind the editor's back.
func (s System) Remove(p string) System {
	s.disk = s.disk.Without(p)
	return s
}

// ProjectName is the name that enters new uids.
func (s System) ProjectName() string { return s.opts.ProjectName }

// Stale says whether the editor's view of a path differs from the disk: not
// seen, changed since, gone, its class not registered or its import not done.
// What a file that is gone leaves in the class list is not looked at.
func (s System) Stale(p string) bool {
	f, exists := s.disk.Get(p)
	e, known := s.known.Get(p)
	if s.disk.Ignored(p) || !tracked(p) {
		return false
	}
	if exists != known {
		return true
	}
	return exists && (!e.taken.is(contentOf(f)) || e.note != settled)
}

// StaleFiles lists every stale path, those on disk first.
func (s System) StaleFiles() []string {
	var out []string
	for p := range s.disk.All {
		if s.Stale(p) {
			out = append(out, p)
		}
	}
	s.known.From("", func(p string, _ entry) bool {
		if !s.disk.Has(p) && s.Stale(p) {
			out = append(out, p)
		}
		return true
	})
	return out
}

// tracked says whether the editor lists a file at all: the files that stand
// beside others are theirs, and project.godot is read by itself.
func tracked(p string) bool {
	switch Ext(p) {
	case "import", "uid", "godot":
		return false
	}
	return true
}

// TakeEvents gives the events since the last time and a system without them.
func (s System) TakeEvents() ([]Event, System) {
	ev := s.events
	s.events = nil
	return ev, s
}

func (s System) emit(kind string, paths ...string) System {
	s.events = append(s.events[:len(s.events):len(s.events)], Event{At: s.now, Kind: kind, Paths: paths})
	return s
}

// pick draws a duration.
func (s System) pick(r Range) (time.Duration, System) {
	s.rng += 0x9e3779b97f4a7c15
	if r.Max <= r.Min {
		return r.Min, s
	}
	return r.Min + time.Duration(mix(s.rng)%uint64(r.Max-r.Min+1)), s
}
