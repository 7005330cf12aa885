package files

import (
	"crypto/md5"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/config"
	"godot-mcp/server/godot/variant"
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

// A given import is what a .import file that is there says to the next import: which
// importer, and parameters that a person has set. One that cannot be read says nothing
// (engine 4.6 experiment).
type givenImport struct {
	importer, uid string
	params        map[string]variant.Value
}

func readGiven(text string) givenImport {
	f, err := config.Parse([]byte(text))
	if err != nil {
		return givenImport{}
	}
	g := givenImport{importer: f.GetText("remap", "importer"), uid: f.GetText("remap", "uid"), params: map[string]variant.Value{}}
	g.uid = canonicalUID(g.uid)
	for _, key := range f.Keys("params") {
		g.params[key], _ = f.Get("params", key)
	}
	return g
}

// asks reports whether a source is to be left as it is.
func (g givenImport) asks() bool { return g.importer == "keep" || g.importer == "skip" }

// importer is the one that is asked for, or that of the extension where none of that
// name is known: a plugin's, say, which does not run here.
func (g givenImport) importerFor(source string) importer {
	if im, ok := importersByName[g.importer]; ok {
		return im
	}
	return importersByName[importerOf[Ext(source)]]
}

// text gives a parameter as the engine writes it: what is given, whatever its type,
// else the default.
func (g givenImport) text(key, usual string) string {
	if v, ok := g.params[key]; ok {
		return v.String()
	}
	return usual
}

// imported gives the .import text of an import and the files it makes. What is given
// of parameters that the importer does not have is dropped; mobile tells whether the
// project also wants textures for mobile devices.
// A source that the importer cannot read makes nothing, and the text says so.
func (im importer) imported(source string, f File, uid string, g givenImport, mobile bool) (text string, dest []string) {
	var params strings.Builder
	chosen := map[string]string{}
	for line := range strings.Lines(im.paramsFor(source)) {
		key, usual, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		chosen[key] = g.text(key, usual)
		params.WriteString(key + "=" + chosen[key] + "\n")
	}
	var b strings.Builder
	b.WriteString("[remap]\n\nimporter=" + strconv.Quote(im.name) + "\n")
	if im.version > 0 {
		b.WriteString("importer_version=" + strconv.Itoa(im.version) + "\n")
	}
	b.WriteString("type=\"" + im.typ + "\"\nuid=\"" + uid + "\"\n")
	switch {
	case !f.Opaque && !readable(Ext(source), f.Data):
		b.WriteString("valid=false\n")
	case im.ext == "":
		for _, lang := range translations(f.Data) {
			dest = append(dest, source[:len(source)-len(Ext(source))-1]+"."+lang+".translation")
		}
	case im.texture && chosen["compress/mode"] == "2":
		var formats []string
		for _, v := range variants(chosen["compress/high_quality"] == "true" || Ext(source) == "hdr" || Ext(source) == "exr", mobile) {
			dest = append(dest, stemOf(source)+"."+v.suffix+"."+im.ext)
			formats = append(formats, v.format)
			b.WriteString("path." + v.suffix + "=" + quoted(dest[len(dest)-1]) + "\n")
		}
		b.WriteString("metadata={\n\"imported_formats\": " + list(formats) + ",\n\"vram_texture\": true\n}\n")
	default:
		dest = []string{stemOf(source) + "." + im.ext}
		b.WriteString("path=" + quoted(dest[0]) + "\n")
		if im.texture {
			b.WriteString("metadata={\n" + editorVariant(chosen) + "\"vram_texture\": false\n}\n")
		}
	}
	listed := dest
	b.WriteString("\n[deps]\n\n")
	if len(dest) > 0 && (im.ext == "" || im.name == "wavefront_obj") {
		b.WriteString("files=" + list(dest) + "\n\n")
	}
	if im.name == "wavefront_obj" {
		listed = slices.Repeat(dest, 2) // the engine names it twice
	}
	b.WriteString("source_file=" + quoted(source) + "\n")
	if len(dest) > 0 {
		b.WriteString("dest_files=" + list(listed) + "\n")
	}
	b.WriteString("\n[params]\n\n" + params.String())
	return b.String(), dest
}

// vramVariant is a form in which graphics cards take a texture.
type vramVariant struct{ suffix, format string }

// variants are those that a compressed texture is imported in.
func variants(highQuality, mobile bool) []vramVariant {
	desk, pocket := vramVariant{"s3tc", "s3tc_bptc"}, vramVariant{"etc2", "etc2_astc"}
	if highQuality {
		desk.suffix, pocket.suffix = "bptc", "astc"
	}
	if mobile {
		return []vramVariant{desk, pocket}
	}
	return []vramVariant{desk}
}

// editorVariant notes that a picture is also imported for the editor's own scale or
// theme.
func editorVariant(chosen map[string]string) string {
	if chosen["editor/scale_with_editor_scale"] == "true" || chosen["editor/convert_colors_with_editor_theme"] == "true" {
		return "\"has_editor_variant\": true,\n"
	}
	return ""
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

func list(paths []string) string {
	q := make([]string, len(paths))
	for i, p := range paths {
		q[i] = quoted(p)
	}
	return "[" + strings.Join(q, ", ") + "]"
}
