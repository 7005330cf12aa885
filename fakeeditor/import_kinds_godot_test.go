//go:build godot

package fakeeditor_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Sources of every kind that the engine imports, good and bad ones.
func TestStartMakesTheFilesOfTheEngineForEveryKind(t *testing.T) {
	var picture, photo bytes.Buffer
	square := image.NewRGBA(image.Rect(0, 0, 8, 8))
	require.NoError(t, png.Encode(&picture, square))
	require.NoError(t, jpeg.Encode(&photo, square, nil))
	model := `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"N"}]}`
	model += strings.Repeat(" ", -len(model)&3)
	le := func(n int) string { return string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) }
	frame := "\xff\xfb\x90\x64" + strings.Repeat("\x00", 413)
	pixels := strings.Repeat("\x10\x20\x30", 16)
	startsAlike(t, map[string]string{
		"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Kinds\"\n",
		"p.jpg":         photo.String(), "p.jpeg": photo.String(), "BIG.PNG": picture.String(),
		"p.webp": "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00/\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00",
		"p.bmp":  "BM" + le(54+48) + le(0) + le(54) + le(40) + le(4) + le(4) + "\x01\x00\x18\x00" + le(0) + le(48) + le(0) + le(0) + le(0) + le(0) + pixels,
		"p.tga":  "\x00\x00\x02" + strings.Repeat("\x00", 9) + "\x04\x00\x04\x00\x18\x00" + pixels,
		"p.hdr":  "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 2\n" + strings.Repeat("\x80\x80\x80\x80", 4),
		"p.dds":  "DDS " + le(124) + le(0x100f) + le(4) + le(4) + le(16) + le(0) + le(0) + strings.Repeat("\x00", 44) + le(32) + le(0x41) + le(0) + le(32) + le(0xff0000) + le(0xff00) + le(0xff) + "\x00\x00\x00\xff" + le(0x1000) + strings.Repeat("\x00", 16) + strings.Repeat("\x11\x22\x33\x44", 16),
		"p.exr":  "not one", "p.ktx": "not one", "p.svgz": "not one", "p.gif": "GIF89a", "p.ktx2": "not one",
		"bad.png": "not one", "bad.svg": "not one", "bad.wav": "not one", "bad.ogg": "not one", "bad.mp3": "not one", "bad.ttf": "not one",
		"bad.gltf": "not one", "bad.glb": "not one", "bad.obj": "not one", "bad.csv": "", "bad.fbx": "not one", "bad.dae": "not one",
		"empty.png": "", "one.csv": "keys\nA\n", "semi.csv": "keys;en;de\nA;b;c\n",
		"s.mp3": strings.Repeat(frame, 4), "m.glb": "glTF" + le(2) + le(12+8+len(model)) + le(len(model)) + "JSON" + model,
		"f.ttf": "not one", "f.otf": "not one", "f.woff": "not one", "f.woff2": "not one", "f.pfb": "not one", "f.fnt": "info face=\"x\"\n", "f.font": "x",
		"t.po": "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n", "t.mo": "x",
		"v.ogv": "x", "b.res": "x", "b.scn": "x", "b.mesh": "x", "b.anim": "x", "b.material": "x", "k.cs": "class K {}\n", "a.atlastex": "x", "sh.glsl": "#[compute]\n#version 450\nvoid main() {}\n",
		"empty.gd": "", "broken.gd": "class_name Broken extends\n  func\n", "LOUD.GD": "class_name Loud\n", "empty.gdshader": "", "x.tscn": "", "y.tres": "",
	})
}

// Sources that are not what their name says, and files that were there before.
func TestStartMakesTheFilesOfTheEngineForOddFiles(t *testing.T) {
	var picture, photo bytes.Buffer
	square := image.NewRGBA(image.Rect(0, 0, 8, 8))
	require.NoError(t, png.Encode(&picture, square))
	require.NoError(t, jpeg.Encode(&photo, square, nil))
	good := picture.String()
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="red"/></svg>`
	imp := func(name, head, params string) string {
		return "[remap]\n\n" + head + "\n[deps]\n\nsource_file=\"res://" + name + "\"\n\n[params]\n\n" + params
	}
	tex := "importer=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://bx2v3n4c5d6e7\"\n"
	sound := "RIFF\x34\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x10\x00\x00\x00" + strings.Repeat("\x00", 16)
	project := map[string]string{
		"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Odd\"\n",
		"c/locales.csv": "keys,pt_BR,EN,en-US,zz_unknown,sr_Latn_RS,x\nA,1,2,3,4,5,6\n", "c/dup.csv": "keys,en,en\nA,1,2\n", "c/quoted.csv": "\"keys\",\"fr\",\" es \"\nA,1,2\n",
		"c/context.csv": "keys,?context,?plural,en\nA,,,2\n", "c/crlf.csv": "keys,en,de\r\nA,1,2\r\n", "c/bom.csv": "\xef\xbb\xbfkeys,en\nA,1\n", "c/headonly.csv": "keys,en", "c/empties.csv": "keys,,en,\nA,1,2,3\n",
		"c/headfr.csv": "keys,fr\n", "c/extra.csv": "keys,fr\nA,1,2\n", "c/nokey.csv": "keys,fr\n,1\n", "c/noval.csv": "keys,fr\nA,\n", "c/mixed.csv": "keys,fr,de\nA,1\nB,1,2\n", "c/half.csv": "keys,fr,de\nA,1,\n", "c/tabs.csv": "keys\tfr\nA\t1\n",
		"c/more.csv":  "keys,zh_CN,zh,iw,no,in,en_us,pt-br,ca_valencia,de_DE_1901,sr@latin,Fr,deu,zh_Hans_CN\nA,1,2,3,4,5,6,7,8,9,0,1,2,3\n",
		"c/blank.csv": "\n", "c/under.csv": "keys,_en,de\nA,1,2\n", "c/short.csv": "keys,en,de\nA,1\n", "c/multi.csv": "keys,\"e\nn\",de\nA,1,2\n", "c/sub.name.csv": "keys,en\nA,1\n", "c/UP.CSV": "keys,en\nA,1\n",
		"v/empty.svg": "", "v/bare.svg": "<svg/>", "v/open.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"><rect", "v/late.svg": "text\n" + svg, "v/decl.svg": "<?xml version=\"1.0\"?>\n" + svg, "v/nosize.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><rect width=\"8\" height=\"8\"/></svg>", "v/html.svg": "<html></html>", "v/viewbox.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\"/>", "v/zero.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"8\"/>",
		"p/cut.png": good[:40], "p/head.png": good[:8], "p/jpg.png": photo.String(), "p/png.jpg": good, "p/empty.jpg": "", "p/cut.jpg": photo.String()[:100], "p/head.jpg": "\xff\xd8\xff\xe0", "p/empty.webp": "", "p/bad.webp": "RIFF\x00\x00\x00\x00WEBP", "p/empty.bmp": "", "p/bad.bmp": "BM",
		"p/empty.tga": "", "p/bad.tga": "not one", "p/empty.hdr": "", "p/bad.hdr": "not one", "p/head.hdr": "#?RADIANCE\n", "p/empty.exr": "", "p/svg.png": svg,
		"s/empty.wav": "", "s/cut.wav": "RIFF", "s/good.wav": sound, "s/cut2.wav": sound[:30], "s/cut3.wav": sound[:46], "s/riff.wav": "RIFF\x34\x00\x00\x00WAVE", "s/other.wav": "RIFF\x34\x00\x00\x00WAVX",
		"s/empty.ogg": "", "s/head.ogg": "OggS\x00\x02", "s/empty.mp3": "", "s/id3.mp3": "ID3\x03\x00\x00\x00\x00\x00\x00", "s/sync.mp3": "\xff\xfb\x90\x64",
		"f/empty.ttf": "", "f/empty.otf": "", "f/empty.woff": "", "f/empty.woff2": "", "f/empty.fnt": "", "f/bad.font": "not one", "f/bin.fnt": "BMF\x03",
		"m/empty.gltf": "", "m/object.gltf": "{}", "m/asset.gltf": `{"asset":{"version":"2.0"}}`, "m/old.gltf": `{"asset":{"version":"1.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"N"}]}`, "m/list.gltf": "[]", "m/noscene.gltf": `{"asset":{"version":"2.0"},"nodes":[{"name":"N"}]}`,
		"m/empty.glb": "", "m/head.glb": "glTF\x02\x00\x00\x00\x0c\x00\x00\x00", "m/empty.obj": "", "m/comment.obj": "# x\n", "m/vertex.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "m/face.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "m/wrong.obj": "v 0 0 0\nf 1 2 9\n",
		"g/empty.glsl": "", "g/bad.glsl": "not one",
		"i/params.png": good, "i/params.png.import": imp("i/params.png", tex, "compress/mode=2\nmipmaps/generate=true\nunknown/key=3\n"),
		"i/lossy.png": good, "i/lossy.png.import": imp("i/lossy.png", "importer=\"texture\"\nuid=\"uid://bw1x2y3a4b5c1\"\n", "compress/mode=1\n"), "i/raw.png": good, "i/raw.png.import": imp("i/raw.png", "importer=\"texture\"\nuid=\"uid://bw1x2y3a4b5c2\"\n", "compress/mode=3\n"), "i/basis.png": good, "i/basis.png.import": imp("i/basis.png", "importer=\"texture\"\nuid=\"uid://bw1x2y3a4b5c3\"\n", "compress/mode=4\n"),
		"i/fine.png": good, "i/fine.png.import": imp("i/fine.png", "importer=\"texture\"\nuid=\"uid://bw1x2y3a4b5c4\"\n", "compress/mode=2\ncompress/high_quality=true\n"),
		"i/keep.png": good, "i/keep.png.import": "[remap]\n\nimporter=\"keep\"\n", "i/skip.png": good, "i/skip.png.import": "[remap]\n\nimporter=\"skip\"\n",
		"i/image.png": good, "i/image.png.import": imp("i/image.png", "importer=\"image\"\ntype=\"Image\"\nuid=\"uid://cx2v3n4c5d6e7\"\n", ""),
		"i/bitmap.png": good, "i/bitmap.png.import": imp("i/bitmap.png", "importer=\"bitmap\"\ntype=\"BitMap\"\nuid=\"uid://dx2v3n4c5d6e7\"\n", "create_from=1\nthreshold=0.5\n"),
		"i/gone.png.import": imp("i/gone.png", "importer=\"texture\"\nuid=\"uid://ex2v3n4c5d6e7\"\n", ""), "i/nouid.png": good, "i/nouid.png.import": imp("i/nouid.png", "importer=\"texture\"\ntype=\"CompressedTexture2D\"\n", ""),
		"i/baduid.png": good, "i/baduid.png.import": imp("i/baduid.png", "importer=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"nonsense\"\n", ""), "i/junk.png": good, "i/junk.png.import": "not one", "i/nothing.png": good, "i/nothing.png.import": "",
		"i/moved.png": good, "i/moved.png.import": imp("i/elsewhere.png", "importer=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://fx2v3n4c5d6e7\"\n", "mipmaps/generate=true\n"), "i/twin.png": good, "i/twin.png.import": imp("i/twin.png", tex, ""),
		"i/failed.png": good, "i/failed.png.import": imp("i/failed.png", "importer=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://gx2v3n4c5d6e7\"\nvalid=false\n", ""), "i/unknown.png": good, "i/unknown.png.import": imp("i/unknown.png", "importer=\"nosuch\"\ntype=\"X\"\nuid=\"uid://hx2v3n4c5d6e7\"\n", ""),
		"u/bad.gd": "extends Node\n", "u/bad.gd.uid": "nonsense\n", "u/empty.gd": "extends Node\n", "u/empty.gd.uid": "", "u/a.gd": "extends Node\n", "u/a.gd.uid": "uid://cw1x2y3a4b5c6\n", "u/b.gd": "extends Node\n", "u/b.gd.uid": "uid://cw1x2y3a4b5c6\n", "u/gone.gd.uid": "uid://dw1x2y3a4b5c6\n", "u/blanks.gd": "extends Node\n", "u/blanks.gd.uid": "  uid://ew1x2y3a4b5c6  \n\nmore\n", "u/nonl.gd": "extends Node\n", "u/nonl.gd.uid": "uid://fw1x2y3a4b5c6", "u/png.png": good, "u/png.png.uid": "uid://gw1x2y3a4b5c6\n", "u/notes.txt.uid": "uid://hw1x2y3a4b5c6\n", "u/notes.txt": "x",
		"r/d.json": "{}", "r/k.key": "x", "r/k.crt": "x", "r/k.pub": "x", "r/x.ctex": "x", "r/x.image": "x", "r/x.ctex3d": "x", "r/x.tex": "x", "r/x.translation": "x", "r/x.theme": "x", "r/x.cfg": "", "r/x.md": "", "r/x.xml": "<x/>", "r/x.html": "", "r/x.shader": "", "r/x.stylebox": "x", "r/x.oggvorbisstr": "x", "r/x.sample": "x", "r/x.mp3str": "x", "r/x.fontdata": "x", "r/x.gdc": "x", "r/x.escn": "[gd_scene format=3]\n\n[node name=\"E\" type=\"Node3D\"]\n", "r/x.godot": "", "r/x.remap": "", "r/x.import": "", "r/x.tscn.import": "", "r/x.webm": "x", "r/x.theora": "x", "r/x.ctexarray": "x", "r/x.ccube": "x", "r/x.pot": "x", "r/x.pfm": "x", "r/x.lmbake": "x", "r/x.hdr.uid": "uid://iw1x2y3a4b5c6\n", "r/x.occ": "x", "r/x.meshlib": "x", "r/x.scn": "x",
		"n/no_uid.tscn": "[gd_scene format=3]\n\n[node name=\"N\" type=\"Node2D\"]\n", "n/a.tscn": "[gd_scene format=3 uid=\"uid://jw1x2y3a4b5c6\"]\n\n[node name=\"N\" type=\"Node2D\"]\n", "n/b.tscn": "[gd_scene format=3 uid=\"uid://jw1x2y3a4b5c6\"]\n\n[node name=\"N\" type=\"Node2D\"]\n", "n/Old.tscn": "[gd_scene load_steps=2 format=2]\n\n[node name=\"N\" type=\"Node2D\"]\n",
	}
	startsAlike(t, project)
}
