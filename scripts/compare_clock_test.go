package scripts

import (
	"context"
	"flag"
	"io/fs"
	"path/filepath"
	"time"
)

var compareTabs = flag.Bool("compare-tabs", false, "draw also saves beside open scenes, and changes of closed scenes that open ones instance, each in a second of its own")

// The editor sees by the second of a file that a scene has changed which another one
// instances. So a step that may write such a file waits for a second in which nothing
// was written yet, on both editors.

// waits reports whether a step may write the file of a scene that an open one instances.
func (st *stage) waits(d deed) bool {
	return d.saves() && st.opened() > 1 || d.asks("cross_scene_set_property") && st.opened() > 0
}

// nextSecond lets both editors come to a second in which no file was written.
func (st *stage) nextSecond(ctx context.Context) error {
	for _, s := range st.sessions {
		var err error
		switch b := s.backend.(type) {
		case *simBackend:
			b.editor.Advance(time.Second)
		case *godotBackend:
			err = b.nextSecond(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// late is by how much the clock that stamps files may be behind.
const late = 20 * time.Millisecond

func (b *godotBackend) nextSecond(ctx context.Context) error {
	var newest time.Time
	err := filepath.WalkDir(b.path(""), func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".godot" || d.Name() == "addons") {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && !d.IsDir() && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
		return nil
	})
	if err != nil {
		return err
	}
	timer := time.NewTimer(time.Until(newest.Truncate(time.Second).Add(time.Second + late)))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
