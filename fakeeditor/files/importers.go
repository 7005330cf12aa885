package files

import "strings"

// importer is what the editor does with a source file: its name and resource type in
// the .import file, the extension of the imported file, and the parameters that a
// fresh .import gets, one "key=value" a line (engine 4.6 experiment, one file each).
type importer struct {
	name, typ, ext string
	version        int
	params         string
	texture        bool // it notes in which formats a graphics card gets the texture
}

// importersByName are those that a .import can name, whatever the extension of its
// source.
var importersByName = func() map[string]importer {
	byName := map[string]importer{}
	for _, im := range []importer{
		{name: "texture", typ: "CompressedTexture2D", ext: "ctex", params: textureParams, texture: true},
		{name: "2d_array_texture", typ: "CompressedTexture2DArray", ext: "ctexarray", params: layeredParams + "slices/horizontal=8\nslices/vertical=8\n", texture: true},
		{name: "3d_texture", typ: "CompressedTexture3D", ext: "ctex3d", params: layeredParams + "slices/horizontal=8\nslices/vertical=8\n", texture: true},
		{name: "cubemap_texture", typ: "CompressedCubemap", ext: "ccube", params: layeredParams + "slices/arrangement=1\n", texture: true},
		{name: "cubemap_array_texture", typ: "CompressedCubemapArray", ext: "ccubearray", params: layeredParams + "slices/arrangement=1\nslices/layout=1\nslices/amount=1\n", texture: true},
		{name: "bitmap", typ: "BitMap", ext: "res", params: "create_from=0\nthreshold=0.5\n"},
		{name: "image", typ: "Image", ext: "image"},
		{name: "texture_atlas", typ: "Texture2D", ext: "res", params: "atlas_file=\"\"\nimport_mode=0\ncrop_to_region=false\ntrim_alpha_border_from_region=true\n"},
		{name: "svg", typ: "DPITexture", ext: "dpitex", params: "base_scale=1.0\nsaturation=1.0\ncolor_map={}\ncompress=true\n"},
		{name: "font_data_dynamic", typ: "FontFile", ext: "fontdata", params: fontParams},
		{name: "font_data_bmfont", typ: "FontFile", ext: "fontdata", params: "fallbacks=[]\ncompress=true\nscaling_mode=2\n"},
		{name: "font_data_image", typ: "FontFile", ext: "fontdata", params: imageFontParams},
		{name: "scene", typ: "PackedScene", ext: "scn", version: 1, params: sceneParams},
		{name: "animation_library", typ: "AnimationLibrary", ext: "res", version: 1, params: sceneParams},
		{name: "wavefront_obj", typ: "Mesh", ext: "mesh", version: 1, params: objParams},
		{name: "wav", typ: "AudioStreamWAV", ext: "sample", params: wavParams},
		{name: "oggvorbisstr", typ: "AudioStreamOggVorbis", ext: "oggvorbisstr", params: streamParams},
		{name: "mp3", typ: "AudioStreamMP3", ext: "mp3str", params: streamParams},
		{name: "csv_translation", typ: "Translation", params: csvParams},
		{name: "glsl", typ: "RDShaderFile", ext: "res"},
	} {
		byName[im.name] = im
	}
	return byName
}()

// importerOf names the importer that a fresh source of an extension gets.
var importerOf = func() map[string]string {
	of := map[string]string{}
	for name, extensions := range map[string]string{
		"texture":           "png jpg jpeg webp bmp tga hdr exr svg",
		"font_data_dynamic": "ttf ttc otf otc woff woff2 pfb pfm",
		"font_data_bmfont":  "fnt font",
		"scene":             "gltf glb fbx dae escn",
		"wavefront_obj":     "obj", "wav": "wav", "oggvorbisstr": "ogg", "mp3": "mp3", "csv_translation": "csv", "glsl": "glsl",
	} {
		for ext := range strings.FieldsSeq(extensions) {
			of[ext] = name
		}
	}
	return of
}()

// Importable says whether the editor imports a file instead of loading it as it is.
func Importable(p string) bool { return importerOf[Ext(p)] != "" }

// ImportedType is the resource class that an importable file becomes, or "".
func ImportedType(p string) string { return importersByName[importerOf[Ext(p)]].typ }

// paramsFor are the parameters for a source: some depend on its extension.
func (im importer) paramsFor(source string) string {
	switch ext := Ext(source); {
	case im.name == "texture" && ext == "svg":
		return im.params + "svg/scale=1.0\neditor/scale_with_editor_scale=false\neditor/convert_colors_with_editor_theme=false\n"
	case im.params == sceneParams && (ext == "gltf" || ext == "glb"):
		return im.params + "gltf/naming_version=2\ngltf/embedded_image_handling=1\n"
	case im.params == sceneParams && ext == "fbx":
		return strings.Replace(im.params, "trimming=false", "trimming=true", 1) +
			"fbx/importer=0\nfbx/allow_geometry_helper_nodes=false\nfbx/embedded_image_handling=1\nfbx/naming_version=2\n"
	}
	return im.params
}

const textureParams = `compress/mode=0
compress/high_quality=false
compress/lossy_quality=0.7
compress/uastc_level=0
compress/rdo_quality_loss=0.0
compress/hdr_compression=1
compress/normal_map=0
compress/channel_pack=0
mipmaps/generate=false
mipmaps/limit=-1
roughness/mode=0
roughness/src_normal=""
process/channel_remap/red=0
process/channel_remap/green=1
process/channel_remap/blue=2
process/channel_remap/alpha=3
process/fix_alpha_border=true
process/premult_alpha=false
process/normal_map_invert_y=false
process/hdr_as_srgb=false
process/hdr_clamp_exposure=false
process/size_limit=0
detect_3d/compress_to=1
`

const layeredParams = `compress/mode=1
compress/high_quality=false
compress/lossy_quality=0.7
compress/uastc_level=0
compress/rdo_quality_loss=0.0
compress/hdr_compression=1
compress/channel_pack=0
mipmaps/generate=true
mipmaps/limit=-1
`

const imageFontParams = `character_ranges=PackedStringArray()
kerning_pairs=PackedStringArray()
columns=1
rows=1
image_margin=Rect2i(0, 0, 0, 0)
character_margin=Rect2i(0, 0, 0, 0)
ascent=0
descent=0
fallbacks=[]
compress=true
scaling_mode=2
`

const sceneParams = `nodes/root_type=""
nodes/root_name=""
nodes/root_script=null
nodes/apply_root_scale=true
nodes/root_scale=1.0
nodes/import_as_skeleton_bones=false
nodes/use_name_suffixes=true
nodes/use_node_type_suffixes=true
meshes/ensure_tangents=true
meshes/generate_lods=true
meshes/create_shadow_meshes=true
meshes/light_baking=1
meshes/lightmap_texel_size=0.2
meshes/force_disable_compression=false
skins/use_named_skins=true
animation/import=true
animation/fps=30
animation/trimming=false
animation/remove_immutable_tracks=true
animation/import_rest_as_RESET=false
import_script/path=""
materials/extract=0
materials/extract_format=0
materials/extract_path=""
_subresources={}
`

const objParams = `generate_tangents=true
generate_lods=true
generate_shadow_mesh=true
generate_lightmap_uv2=false
generate_lightmap_uv2_texel_size=0.2
scale_mesh=Vector3(1, 1, 1)
offset_mesh=Vector3(0, 0, 0)
force_disable_mesh_compression=false
`

const wavParams = `force/8_bit=false
force/mono=false
force/max_rate=false
force/max_rate_hz=44100
edit/trim=false
edit/normalize=false
edit/loop_mode=0
edit/loop_begin=0
edit/loop_end=-1
compress/mode=2
`

const streamParams = `loop=false
loop_offset=0
bpm=0
beat_count=0
bar_beats=4
`

const csvParams = `compress=1
delimiter=0
unescape_keys=false
unescape_translations=true
`

const fontParams = `Rendering=null
antialiasing=1
generate_mipmaps=false
disable_embedded_bitmaps=true
multichannel_signed_distance_field=false
msdf_pixel_range=8
msdf_size=48
allow_system_fallback=true
force_autohinter=false
modulate_color_glyphs=false
hinting=1
subpixel_positioning=4
keep_rounding_remainders=true
oversampling=0.0
Fallbacks=null
fallbacks=[]
Compress=null
compress=true
preload=[]
language_support={}
script_support={}
opentype_features={}
`
