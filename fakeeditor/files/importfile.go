package files

import (
	"crypto/md5"
	"encoding/csv"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// ImportInfo is what a .import file says about its source.
type ImportInfo struct {
	Importer string
	Type     string
	UID      string
	Dest     []string
	Valid    bool // false: the importer failed
}

// ReadImport reads the text of a .import file. It looks only for what the
// simulator needs; a text without an importer is not one (ok false).
func ReadImport(text string) (info ImportInfo, ok bool) {
	info.Valid = true
	for line := range strings.Lines(text) {
		k, v, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found {
			continue
		}
		switch k {
		case "importer":
			info.Importer, ok = unquote(v), true
		case "type":
			info.Type = unquote(v)
		case "uid":
			info.UID = unquote(v)
		case "valid":
			info.Valid = v != "false"
		case "dest_files":
			for q := range strings.SplitSeq(strings.Trim(v, "[]"), ", ") {
				if q = unquote(q); q != "" {
					info.Dest = append(info.Dest, q)
				}
			}
		}
	}
	return info, ok
}

func unquote(s string) string { return strings.ReplaceAll(strings.Trim(s, `"`), `\"`, `"`) }

func md5Hex(s string) string {
	h := md5.Sum([]byte(s))
	return hex.EncodeToString(h[:])
}

// stemOf begins the paths of what an import makes.
func stemOf(source string) string {
	return Root + ".godot/imported/" + Base(source) + "-" + md5Hex(source)
}

// imported gives the .import text of a fresh import and the files it makes.
func (im importer) imported(source, data, uid string) (text string, dest []string) {
	stem := stemOf(source)
	var b strings.Builder
	b.WriteString("[remap]\n\nimporter=" + strconv.Quote(im.name) + "\n")
	if im.version > 0 {
		b.WriteString("importer_version=" + strconv.Itoa(im.version) + "\n")
	}
	b.WriteString("type=\"" + im.typ + "\"\nuid=\"" + uid + "\"\n")
	if im.ext == "" {
		for _, lang := range translations(data) {
			dest = append(dest, strings.TrimSuffix(source, "."+Ext(source))+"."+lang+".translation")
		}
	} else {
		dest = []string{stem + "." + im.ext}
		b.WriteString("path=" + quoted(dest[0]) + "\n" + im.metadata)
	}
	listed := dest
	b.WriteString("\n[deps]\n\n")
	if im.ext == "" || im.name == "wavefront_obj" {
		b.WriteString("files=" + list(dest) + "\n\n")
	}
	if im.name == "wavefront_obj" {
		listed = slices.Repeat(dest, 2) // the engine names it twice
	}
	b.WriteString("source_file=" + quoted(source) + "\ndest_files=" + list(listed) + "\n\n[params]\n\n" + im.params)
	return b.String(), dest
}

// translations reads the languages from the head of a translation table.
func translations(data string) []string {
	row, err := csv.NewReader(strings.NewReader(data)).Read()
	if err != nil || len(row) < 2 {
		return nil
	}
	var out []string
	for _, lang := range row[1:] {
		if lang != "" && !strings.HasPrefix(lang, "_") {
			out = append(out, lang)
		}
	}
	return out
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

func list(paths []string) string {
	q := make([]string, len(paths))
	for i, p := range paths {
		q[i] = quoted(p)
	}
	return "[" + strings.Join(q, ", ") + "]"
}
