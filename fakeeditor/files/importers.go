package files

// importer is what the editor does with one kind of source file: its name and
// resource type in the .import file, the extension of the imported file, and
// the parameters a fresh .import gets (engine 4.6 experiment, one file each).
type importer struct {
	name, typ, ext string
	version        int
	metadata       string
	params         string
}

var importers = func() map[string]importer {
	texture := importer{name: "texture", typ: "CompressedTexture2D", ext: "ctex", metadata: "metadata={\n\"vram_texture\": false\n}\n", params: textureParams}
	svg := texture
	svg.params += "svg/scale=1.0\neditor/scale_with_editor_scale=false\neditor/convert_colors_with_editor_theme=false\n"
	font := importer{name: "font_data_dynamic", typ: "FontFile", ext: "fontdata", params: fontParams}
	scene := importer{name: "scene", typ: "PackedScene", ext: "scn", version: 1, params: sceneParams}
	return map[string]importer{
		"png": texture, "jpg": texture, "jpeg": texture, "webp": texture, "bmp": texture, "tga": texture, "hdr": texture, "exr": texture, "dds": texture,
		"svg":  svg,
		"ttf":  font,
		"otf":  font,
		"woff": font, "woff2": font,
		"gltf": scene, "glb": scene,
		"obj": {name: "wavefront_obj", typ: "Mesh", ext: "mesh", version: 1, params: objParams},
		"wav": {name: "wav", typ: "AudioStreamWAV", ext: "sample", params: wavParams},
		"ogg": {name: "oggvorbisstr", typ: "AudioStreamOggVorbis", ext: "oggvorbisstr", params: streamParams},
		"mp3": {name: "mp3", typ: "AudioStreamMP3", ext: "mp3str", params: streamParams},
		"csv": {name: "csv_translation", typ: "Translation", params: csvParams},
	}
}()

// Importable says whether the editor imports a file instead of loading it as it is.
func Importable(p string) bool {
	_, ok := importers[Ext(p)]
	return ok
}

// ImportedType is the resource class that an importable file becomes, or "".
func ImportedType(p string) string { return importers[Ext(p)].typ }

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
gltf/naming_version=2
gltf/embedded_image_handling=1
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
