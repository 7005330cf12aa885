package files

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strconv"
	"strings"
)

// readable reports whether the importer of an extension takes a source. It looks as far
// as a file that is not what its name says can be told: the engine imports broken sound
// files and fonts, and refuses broken pictures, models and streams (4.6 experiment).
func readable(ext, data string) bool {
	check, ok := checks[ext]
	return !ok || check(data)
}

var checks = map[string]func(string) bool{
	"png": func(s string) bool { _, err := png.Decode(strings.NewReader(s)); return err == nil },
	"jpg": readableJPEG, "jpeg": readableJPEG,
	"webp": func(s string) bool { return len(s) > 20 && s[:4] == "RIFF" && s[8:15] == "WEBPVP8" },
	"bmp":  func(s string) bool { return len(s) >= 54 && s[:2] == "BM" },
	"tga": func(s string) bool {
		return len(s) > 18 && (s[2] == 1 || s[2] == 2 || s[2] == 3 || s[2] == 9 || s[2] == 10 || s[2] == 11)
	},
	"hdr": func(s string) bool {
		return (strings.HasPrefix(s, "#?RADIANCE") || strings.HasPrefix(s, "#?RGBE")) && strings.Contains(s, "\n-Y ")
	},
	"exr":  func(s string) bool { return strings.HasPrefix(s, "v/1\x01") },
	"svg":  readableSVG,
	"ogg":  func(s string) bool { return strings.HasPrefix(s, "OggS") && strings.Contains(s, "\x01vorbis") },
	"mp3":  readableMP3,
	"gltf": readableGLTF,
	"glb": func(s string) bool {
		if len(s) < 20 || s[:4] != "glTF" || s[16:20] != "JSON" {
			return false
		}
		n := uint64(binary.LittleEndian.Uint32([]byte(s[12:16])))
		return uint64(len(s)-20) >= n && readableGLTF(s[20:20+n])
	},
	"obj": readableOBJ,
	"fbx": func(s string) bool {
		return strings.HasPrefix(s, "Kaydara FBX Binary") || strings.Contains(s, "FBXHeader")
	},
	"dae": func(s string) bool { return strings.Contains(s, "<COLLADA") },
}

func readableJPEG(s string) bool { _, err := jpeg.Decode(strings.NewReader(s)); return err == nil }

// readableSVG finds a whole svg element that has a size or holds something.
func readableSVG(s string) bool {
	at := strings.Index(s, "<svg")
	if at < 0 {
		return false
	}
	d := xml.NewDecoder(strings.NewReader(s[at:]))
	d.Strict = false
	sized, depth := false, 0
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		switch t := token.(type) {
		case xml.StartElement:
			sized = sized || depth > 0 || slices.ContainsFunc(t.Attr, func(a xml.Attr) bool {
				return a.Name.Local == "width" || a.Name.Local == "height" || a.Name.Local == "viewBox"
			})
			depth++
		case xml.EndElement:
			if depth--; depth == 0 {
				return sized
			}
		}
	}
}

// readableMP3 finds a whole frame of MPEG audio, layer III.
func readableMP3(s string) bool {
	rates := [...]int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	for i := 0; i+4 <= len(s); i++ {
		if s[i] != 0xff || s[i+1]&0xe6 != 0xe2 || s[i+2]>>4 == 0 || s[i+2]>>4 == 15 || s[i+2]>>2&3 == 3 {
			continue
		}
		size := 144_000 * rates[s[i+2]>>4] / [...]int{44_100, 48_000, 32_000}[s[i+2]>>2&3]
		if i+size <= len(s) {
			return true
		}
	}
	return false
}

func readableGLTF(s string) bool {
	var doc struct{ Asset struct{ Version string } }
	return json.NewDecoder(strings.NewReader(s)).Decode(&doc) == nil && doc.Asset.Version != ""
}

// readableOBJ finds faces, all of vertices that there are.
func readableOBJ(s string) bool {
	vertices, faces := 0, 0
	for line := range strings.Lines(s) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "v":
			vertices++
		case words[0] == "f":
			faces++
			for _, w := range words[1:] {
				first, _, _ := strings.Cut(w, "/")
				if n, err := strconv.Atoi(first); err != nil || n > vertices || n < -vertices || n == 0 {
					return false
				}
			}
		}
	}
	return faces > 0
}

// makesSample reports whether anything comes of a sound: the .import says so in any case.
func makesSample(s string) bool {
	if len(s) < 12 || s[:4] != "RIFF" || s[8:12] != "WAVE" {
		return false
	}
	r := bytes.NewReader([]byte(s[12:]))
	for {
		var head struct {
			Name [4]byte
			Size uint32
		}
		if binary.Read(r, binary.LittleEndian, &head) != nil {
			return true
		}
		if string(head.Name[:]) == "fmt " && int64(head.Size) > int64(r.Len()) {
			return false
		}
		if _, err := io.CopyN(io.Discard, r, int64(head.Size)); err != nil {
			return true
		}
	}
}
