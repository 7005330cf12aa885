package files

import "godot-mcp/server/godot/ids"

// newUID draws the uid of a file that has none, as the engine does from the
// project's name, the path and the bytes on disk.
func (s System) newUID(p string) string {
	var content []byte
	if f, ok := s.disk.Get(p); ok {
		content = []byte(f.Data)
	}
	return ids.ForPath(s.opts.ProjectName, p, content, func(u ids.UID) bool {
		at, taken := s.uids.Get(u.String())
		return taken && at != p
	}).String()
}
