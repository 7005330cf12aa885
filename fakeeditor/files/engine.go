package files

import (
	"fmt"
	"strings"
)

func scanScript(p, text string) Class {
	c := Class{Path: p, Base: "RefCounted"}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) >= 2 && f[0] == "class_name" {
			c.Name = f[1]
			f = f[2:]
		}
		if len(f) >= 2 && f[0] == "extends" {
			c.Base = f[1]
		}
	}
	if Ext(p) != "gd" {
		return Class{Path: p}
	}
	return c
}

func (s System) newUID(p string) string {
	f, _ := s.disk.Get(p)
	return fmt.Sprintf("uid://%x", rankOf(p+f.Data+s.opts.ProjectName))
}
