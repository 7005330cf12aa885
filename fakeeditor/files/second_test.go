package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func class(name string) string { return "class_name " + name + " extends Node\n" }

func (s System) has(name string) bool {
	_, ok := s.Class(name)
	return ok
}

// scanned is the system after a scan, and what that imported.
func scanned(s System) (System, []string) {
	s = settle(s.Scan())
	return s, s.Reimported()
}

func TestWriteWithinASecondIsNotSeen(t *testing.T) {
	s := later(project("P", map[string]string{"a.gd": class("Ape")}))
	s, _ = scanned(s.Write("res://a.gd", class("Bee")))
	require.True(t, s.has("Bee"), "another second than at the start")
	// The cache still has the time of the start, so the next scan looks again.
	s, _ = scanned(s.Write("res://a.gd", class("Cat")))
	require.True(t, s.has("Cat"))
	s, _ = scanned(s)
	s, _ = scanned(s.Write("res://a.gd", class("Dog")))
	assert.False(t, s.has("Dog"))
	assert.True(t, s.Stale("res://a.gd"), "and the editor is known to be behind")
	s, _ = scanned(later(s).Write("res://a.gd", class("Dog")))
	assert.True(t, s.has("Dog"))
	assert.False(t, s.Stale("res://a.gd"))
	s, _ = scanned(later(s))
	s.disk = s.disk.At(epoch-7).With("res://a.gd", class("Eel"))
	s, _ = scanned(s)
	assert.True(t, s.has("Eel"), "an older time is another one as well")
}

func TestImportsGoByTimeThenByBytes(t *testing.T) {
	const p = "res://a.svg"
	s, done := scanned(project("P", nil).Write(p, square(1)))
	require.Equal(t, []string{p}, done)
	s, done = scanned(s.Write(p, square(2)))
	assert.Empty(t, done, "an import writes the cache anew: it has this second")
	assert.True(t, s.Stale(p))
	s, done = scanned(later(s).Write(p, square(2)))
	assert.Equal(t, []string{p}, done)
	s, done = scanned(later(s).Write(p, square(2)))
	assert.Empty(t, done, "another time, the same bytes")
	assert.False(t, s.Stale(p))

	s, _ = scanned(later(s))
	in, _ := s.Disk().Get(p + ".import")
	s, done = scanned(later(s).Write(p+".import", in.Data))
	assert.Empty(t, done, "the .import at another time, with the same bytes")
	s, done = scanned(later(s).Write(p+".import", strings.Replace(in.Data, "mipmaps/generate=false", "mipmaps/generate=true", 1)))
	assert.Equal(t, []string{p}, done)
	info, _ := ReadImport(in.Data)
	s, done = scanned(s.Remove(info.Dest[0]))
	assert.Equal(t, []string{p}, done, "what the import made is gone")
	_, done = scanned(s.Remove(p + ".import"))
	assert.Equal(t, []string{p}, done)
}

// What the addon writes while a scan runs is shown to the editor again afterwards, since
// the scan that follows need not see it.
func TestShownAgainAfterAScan(t *testing.T) {
	s := project("P", map[string]string{"b.txt": "x"})
	s = s.Write("res://a.gd", class("Ape")).Show("res://a.gd")
	require.True(t, s.has("Ape"))
	s = s.Scan()
	s = s.Write("res://a.gd", class("Bee")).Show("res://a.gd")
	require.True(t, s.Stale("res://a.gd"), "update_file does nothing during a walk")
	s = settle(s)
	assert.True(t, s.has("Bee"))
	assert.Empty(t, s.StaleFiles())
	assert.Equal(t, 2, s.Generation(), "the running scan and the one that was promised")
}
