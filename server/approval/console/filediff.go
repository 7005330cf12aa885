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
	before, known := r.textOf(path)
	if content, ok := text(r.args["content"]); ok && r.preview["written"] != nil {
		r.take("script_path")
		title := "Whole new text"
		if over, told := r.boolean("would_overwrite"); told && !over {
			title = "New file"
		} else if known {
			title = "Changes"
		}
		r.Diffs = append(r.Diffs, lines(path, title, before, content))
		return
	}
	find, has := text(r.args["find"])
	replace, gives := text(r.args["replace"])
	if !has || !gives || find == "" {
		return
	}
	r.take("script_path", "replacements")
	title := "In one place"
	if n, _ := r.number("replacements"); n > 1 {
		title = fmt.Sprintf("In %d places", n)
	}
	before, find, replace = unixEnds(before), unixEnds(find), unixEnds(replace)
	if strings.Contains(before, find) {
		r.Diffs = append(r.Diffs, lines(path, title, before, strings.ReplaceAll(before, find, replace)))
		return
	}
	r.Diffs = append(r.Diffs, lines(path, title, find, replace))
}

// textOf is the present text of a file, where it is known.
func (r *reading) textOf(path string) (string, bool) {
	for _, f := range r.present.Files {
		if f.Path == path {
			return f.Text, true
		}
	}
	return "", false
}

func unixEnds(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }

// lines is the difference of two texts as the page shows it.
func lines(path, title, before, after string) fileDiff {
	if strings.Contains(before, "\r\n") && strings.Contains(after, "\r\n") {
		before, after = unixEnds(before), unixEnds(after)
	}
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
