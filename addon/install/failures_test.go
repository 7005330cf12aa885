package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// failing fails when one of its files is read for the nth time.
type failing struct {
	fstest.MapFS
	name string
	left *int
}

func (f failing) Open(name string) (fs.File, error) {
	if name == f.name {
		if *f.left--; *f.left < 0 {
			return nil, errors.New("disk full")
		}
	}
	return f.MapFS.Open(name)
}

func (f failing) ReadFile(name string) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	_ = file.Close()
	return f.MapFS.ReadFile(name)
}

// TestInterruptedCopy is B118: a copy that ends half way leaves the old addon.
func TestInterruptedCopy(t *testing.T) {
	dir := newProject(t, plainProject)
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	before := snapshot(t, dir)
	for reads := range 4 {
		left := reads
		s := Source{Files: failing{version("1.1.0").Files.(fstest.MapFS), "plugin.gd", &left}}
		if _, err := s.Install(dir, false); err == nil {
			assert.Positive(t, reads, "never failed")
			return
		}
		assert.Equal(t, before, snapshot(t, dir))
	}
	t.Fatal("never succeeded")
}

// meddling puts a folder in the place of project.godot when the addon is read.
type meddling struct {
	fstest.MapFS
	dir string
}

func (m meddling) ReadFile(name string) ([]byte, error) {
	if name == "plugin.gd" {
		project := filepath.Join(m.dir, "project.godot")
		if err := errors.Join(os.RemoveAll(project), os.MkdirAll(filepath.Join(project, "full"), 0o755)); err != nil {
			return nil, err
		}
	}
	return m.MapFS.ReadFile(name)
}

// TestFailedEditOfTheProject says that an addon that cannot be enabled is not left behind.
func TestFailedEditOfTheProject(t *testing.T) {
	for _, others := range []bool{false, true} {
		dir := newProject(t, plainProject)
		left := map[string]string{}
		if others {
			write(t, dir, "addons/other/plugin.gd", "theirs")
			left["addons/other/plugin.gd"] = "theirs"
		}
		s := Source{Files: meddling{version("1.0.0").Files.(fstest.MapFS), dir}}
		r, err := s.Install(dir, false)
		require.Equal(t, IOFailed, reason(t, err))
		assert.Equal(t, Report{}, r)
		assert.Equal(t, left, snapshot(t, dir))
		if !others {
			assert.NoDirExists(t, filepath.Join(dir, "addons"))
		}
	}
}

func TestRecovery(t *testing.T) {
	installed := func(t *testing.T) string {
		dir := newProject(t, plainProject)
		_, err := version("1.0.0").Install(dir, false)
		require.NoError(t, err)
		return dir
	}
	t.Run("killed while copying", func(t *testing.T) {
		dir := installed(t)
		before := snapshot(t, dir)
		write(t, dir, "addons/"+stagingName+"/plugin.gd", "half")
		_, err := version("1.0.0").Install(dir, false)
		require.NoError(t, err)
		assert.Equal(t, before, snapshot(t, dir))
	})
	t.Run("killed between the renames", func(t *testing.T) {
		dir := installed(t)
		before := snapshot(t, dir)
		require.NoError(t, os.Rename(filepath.Join(dir, Folder), filepath.Join(dir, "addons", swapName)))
		_, err := version("1.0.0").Install(dir, false)
		require.NoError(t, err)
		assert.Equal(t, before, snapshot(t, dir))
	})
	t.Run("killed after the renames", func(t *testing.T) {
		dir := installed(t)
		write(t, dir, "addons/"+swapName+"/plugin.gd", "# mine")
		_, err := version("1.0.0").Install(dir, false)
		require.NoError(t, err)
		assert.Equal(t, "# mine", read(t, dir, "addons/"+backupName+"/plugin.gd"))
	})
}
