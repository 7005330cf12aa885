package files

import "fmt"

func (s System) newUID(p string) string {
	f, _ := s.disk.Get(p)
	return fmt.Sprintf("uid://%x", rankOf(p+f.Data+s.opts.ProjectName))
}
