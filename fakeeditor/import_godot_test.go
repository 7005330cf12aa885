//go:build godot

package fakeeditor_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
)

// The files that an editor puts into a project when it first opens it (.uid,
// .import, the class list) are the engine's, byte for byte.
func TestStartMakesTheFilesOfTheEngine(t *testing.T) {
	picture := smallPicture(t)
	sound := "RIFF\x34\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x10\x00\x00\x00" + strings.Repeat("\x00", 16)
	project := map[string]string{
		"project.godot":      "config_version=5\n\n[application]\n\nconfig/name=\"Imports é\"\n",
		"a.png":              picture,
		"sub/deep/b.png":     picture,
		"v.svg":              smallSVG,
		"s.wav":              sound,
		"m.obj":              "o T\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n",
		"d.gltf":             `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"N"}]}`,
		"words/t.csv":        "keys,en,_note,de\nHELLO,Hello,x,Hallo\n",
		"c.gd":               "class_name Cee\nextends Node2D\n",
		"d.gd":               "@tool\n@icon(\"res://a.png\")\nclass_name Dee extends Cee\n",
		"by_path.gd":         "class_name ByPath\nextends \"res://d.gd\"\n",
		"no_base.gd":         "class_name NoBase\n",
		"abs.gd":             "@abstract\nclass_name Abs\nextends Resource\n",
		"plain.gd":           "extends Node\n",
		"twice/a.gd":         "class_name Twice\nextends Node\n",
		"twice/b.gd":         "class_name Twice\nextends Node2D\n",
		"twice/in/z.gd":      "class_name Twice\nextends Node3D\n",
		"x.gdshader":         "shader_type canvas_item;\n",
		"inc.gdshaderinc":    "// nothing\n",
		"notes.txt":          "x\n",
		"data.json":          "{}\n",
		"ign/.gdignore":      "",
		"ign/z.gd":           "class_name Ignored\n",
		".hidden/z.gd":       "class_name Hidden\n",
		"s.tscn":             "[gd_scene format=3 uid=\"uid://cecaux1sm7mo0\"]\n\n[node name=\"S\" type=\"Node2D\"]\n",
		"r.tres":             "[gd_resource type=\"Gradient\" format=3]\n\n[resource]\n",
		"ünï cödé/file 1.gd": "class_name Uni\n",
	}
	startsAlike(t, project)
}

const smallSVG = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>`

func smallPicture(t *testing.T) string {
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 8, 8))))
	return picture.String()
}

// What a project's .import files say already (another importer, parameters of older
// and newer engines, nonsense) is taken as the engine takes it, byte for byte.
func TestGivenImportsAreTakenAsTheEngineDoes(t *testing.T) {
	picture := smallPicture(t)
	gltf := `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"N"}]}`
	obj := "o T\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n"
	project := map[string]string{"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Given\"\n"}
	n := 0
	given := func(file, source, importer, params string) {
		n++
		project[file] = source
		project[file+".import"] = fmt.Sprintf("[remap]\n\nimporter=%q\ntype=\"X\"\nuid=\"uid://bs7vsn84kw2x%c\"\npath=\"res://.godot/imported/%s-aaa.x\"\n\n[deps]\n\nsource_file=\"res://other\"\n\n[params]\n\n%s", importer, 'a'+n, file, params)
	}
	for _, importer := range []string{"image", "2d_array_texture", "3d_texture", "cubemap_texture", "cubemap_array_texture", "font_data_image", "nonsense", "skip", "keep"} {
		given(importer+".png", picture, importer, "")
	}
	given("bitmap.png", picture, "bitmap", "threshold=0.25\n")
	given("dpi.svg", smallSVG, "svg", "base_scale=0.6\nfix_alpha_border=false\ncolor_map={Color(1, 0, 0, 1): Color(0, 0, 1, 1)}\n")
	given("variant.svg", smallSVG, "texture", "svg/scale=2\neditor/scale_with_editor_scale=true\n")
	given("vram.png", picture, "texture", "compress/mode=2\nmipmaps/generate=true\ngone/param=7\n")
	given("fine.png", picture, "texture", "compress/mode=2\ncompress/high_quality=true\n")
	given("layers.png", picture, "2d_array_texture", "compress/mode=2\nslices/horizontal=2\nslices/vertical=2\n")
	given("types.png", picture, "texture", "mipmaps/generate=1\ncompress/lossy_quality=1\nroughness/src_normal=5\n")
	given("unread.png", picture, "texture", "compress/mode=1\ncompress/lossy_quality=.5\n")
	given("model.gltf", gltf, "scene", "nodes/root_name=\"X\"\nnodes/root_scale=2\n_subresources={\"b\":1,\"a\":2}\n")
	given("moves.gltf", gltf, "animation_library", "")
	given("mesh.obj", obj, "scene", "")
	given("scaled.obj", obj, "wavefront_obj", "scale_mesh=Vector3(2,2,2)\n")
	given("words.csv", "keys,en,de\nHELLO,Hello,Hallo\n", "csv_translation", "compress=true\n")
	for file, text := range map[string]string{
		"garbage.png": "garbage [[[\n", "empty.png": "", "no_importer.png": "[remap]\n\nuid=\"uid://bs7vsn84kw2x1\"\n\n[params]\n\ncompress/mode=1\n",
		"no_uid.png": "[remap]\n\nimporter=\"texture\"\n", "bad_uid.png": "[remap]\n\nimporter=\"texture\"\nuid=\"zzz\"\n",
		"failed.png": "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://bs7vsn84kw2x2\"\nvalid=false\n\n[params]\n\ncompress/mode=1\n",
	} {
		project[file], project[file+".import"] = picture, text
	}
	project["font.fnt"] = "info face=\"x\" size=8\ncommon lineHeight=8 base=6 scaleW=8 scaleH=8 pages=0\n"
	project["compute.glsl"] = "#[compute]\n#version 450\nvoid main() {}\n"
	startsAlike(t, project)
	project["project.godot"] += "\n[rendering]\n\ntextures/vram_compression/import_etc2_astc=true\n"
	startsAlike(t, project)
}

// startsAlike opens a project in both editors for the first time and compares what is
// in its folder then.
func startsAlike(t *testing.T, project map[string]string) {
	t.Helper()
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN names the engine")
	dir := t.TempDir()
	for p, text := range project {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(text), 0o644))
	}
	cmd := exec.Command(bin, "--headless", "--path", dir, "--import")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)

	e, err := fakeeditor.New(fakeeditor.Config{Project: project, Seed: 1, OpenScenes: []string{}})
	require.NoError(t, err)
	ours := map[string]string{}
	for p, text := range e.Disk().Map() {
		ours[strings.TrimPrefix(p, "res://")] = text
	}
	theirs := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		theirs[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	compared := func(m map[string]string) []string {
		var out []string
		for _, p := range slices.Sorted(maps.Keys(m)) {
			// The simulator converts nothing and keeps no cache of the engine's own.
			if !strings.HasPrefix(p, ".godot/") || p == ".godot/global_script_class_cache.cfg" {
				out = append(out, p)
			}
		}
		return out
	}
	assert.Equal(t, compared(theirs), compared(ours))
	for _, p := range compared(theirs) {
		if !strings.HasSuffix(p, ".translation") {
			assert.Equal(t, theirs[p], ours[p], p)
		}
	}
	for p := range ours {
		if strings.HasPrefix(p, ".godot/imported/") {
			assert.Contains(t, theirs, p)
		}
	}
}
