package console

import (
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// maxLines bounds a diff on the page.
const maxLines = 4000

// files are texts that the call writes: a whole file, or a place in one.
func (r *reading) files() {
	path, ok := text(r.args["script_path"])
	if !ok {
		return
	}
	if content, ok := text(r.args["content"]); ok && r.preview["written"] != nil {
		r.take("script_path")
		created, _ := r.boolean("created")
		title := "Whole new text"
		if created {
			title = "New file"
		}
		r.Diffs = append(r.Diffs, lines(path, title, "", content))
		return
	}
	find, has := text(r.args["find"])
	replace, gives := text(r.args["replace"])
	if !has || !gives {
		return
	}
	r.take("script_path", "replacements")
	title := "In one place"
	if n, _ := r.number("replacements"); n > 1 {
		title = fmt.Sprintf("In %d places", n)
	}
	r.Diffs = append(r.Diffs, lines(path, title, find, replace))
}

// lines is the difference of two texts as the page shows it.
func lines(path, title, before, after string) fileDiff {
	d := fileDiff{Path: path, Title: title, Lines: []string{}}
	whole := before == ""
	// The library wants texts that end with their last line's end.
	ended := func(s string) []byte {
		if s != "" && !strings.HasSuffix(s, "\n") {
			s += "\n"
		}
		return []byte(s)
	}
	out := string(diff.Diff("before", ended(before), "after", ended(after)))
	// Its head names the files, which the page does by itself.
	for range 3 {
		_, out, _ = strings.Cut(out, "\n")
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSuffix(line, "\n")
		if whole && strings.HasPrefix(line, "@@") {
			continue
		}
		d.Lines = append(d.Lines, line)
	}
	if cut := len(d.Lines) - maxLines; cut > 0 {
		d.Lines, d.Cut = d.Lines[:maxLines], cut
	}
	return d
}
