package shading

import (
	"strings"

	"godot-mcp/server/godot/variant"
)

// kinds are the shader types with their render modes.
var kinds = map[string]map[string]bool{
	"spatial": set(`blend_mix blend_add blend_sub blend_mul blend_premul_alpha depth_draw_opaque depth_draw_always
		depth_draw_never depth_prepass_alpha depth_test_default depth_test_disabled depth_test_inverted
		sss_mode_skin cull_back cull_front cull_disabled unshaded wireframe skip_vertex_transform
		diffuse_lambert diffuse_lambert_wrap diffuse_burley diffuse_toon specular_schlick_ggx
		specular_toon specular_disabled world_vertex_coords ensure_correct_normals shadows_disabled
		ambient_light_disabled shadow_to_opacity vertex_lighting particle_trails alpha_to_coverage
		alpha_to_coverage_and_one debug_shadow_splits fog_disabled specular_occlusion_disabled`),
	"canvas_item": set(`skip_vertex_transform blend_mix blend_add blend_sub blend_mul blend_premul_alpha
		blend_disabled unshaded light_only world_vertex_coords`),
	"particles": set("collision_use_scale disable_force disable_velocity keep_data"),
	"sky":       set("use_half_res_pass use_quarter_res_pass disable_fog use_debanding"),
	"fog":       set(""),
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// uniformType says what values a parameter has: single, in arrays, and as a colour.
type uniformType struct{ one, many, color, colors variant.Type }

var uniformTypes = map[string]uniformType{
	"bool":  {one: variant.TypeBool, many: variant.TypePackedInt32Array},
	"bvec2": {one: variant.TypeInt, many: variant.TypePackedInt32Array},
	"bvec3": {one: variant.TypeInt, many: variant.TypePackedInt32Array},
	"bvec4": {one: variant.TypeInt, many: variant.TypePackedInt32Array},
	"int":   {one: variant.TypeInt, many: variant.TypePackedInt32Array},
	"uint":  {one: variant.TypeInt, many: variant.TypePackedInt32Array},
	"ivec2": {one: variant.TypeVector2i, many: variant.TypePackedInt32Array},
	"uvec2": {one: variant.TypeVector2i, many: variant.TypePackedInt32Array},
	"ivec3": {one: variant.TypeVector3i, many: variant.TypePackedInt32Array},
	"uvec3": {one: variant.TypeVector3i, many: variant.TypePackedInt32Array},
	"ivec4": {one: variant.TypeVector4i, many: variant.TypePackedInt32Array},
	"uvec4": {one: variant.TypeVector4i, many: variant.TypePackedInt32Array},
	"float": {one: variant.TypeFloat, many: variant.TypePackedFloat32Array},
	"vec2":  {one: variant.TypeVector2, many: variant.TypePackedVector2Array},
	"vec3":  {one: variant.TypeVector3, many: variant.TypePackedVector3Array, color: variant.TypeColor, colors: variant.TypePackedColorArray},
	"vec4":  {one: variant.TypeVector4, many: variant.TypePackedVector4Array, color: variant.TypeColor, colors: variant.TypePackedColorArray},
	"mat2":  {one: variant.TypeTransform2D, many: variant.TypePackedFloat32Array},
	"mat3":  {one: variant.TypeBasis, many: variant.TypePackedFloat32Array},
	"mat4":  {one: variant.TypeProjection, many: variant.TypePackedFloat32Array},
}

// samplers are the types of textures with the classes that they take.
var samplers = map[string]string{
	"sampler2D": "Texture2D", "isampler2D": "Texture2D", "usampler2D": "Texture2D",
	"sampler2DArray": "TextureLayered", "isampler2DArray": "TextureLayered", "usampler2DArray": "TextureLayered",
	"sampler3D": "Texture3D", "isampler3D": "Texture3D", "usampler3D": "Texture3D",
	"samplerCube": "TextureLayered", "samplerCubeArray": "TextureLayered", "samplerExternalOES": "ExternalTexture",
}

// hintFor says which types a hint is for: n numbers, b whole numbers, c colours, t
// textures, a all (engine 4.6 experiment).
var hintFor = map[string]string{
	"source_color": "ct", "hint_range": "n", "hint_enum": "b", "instance_index": "a",
	"hint_normal": "t", "hint_default_white": "t", "hint_default_black": "t", "hint_default_transparent": "t",
	"hint_anisotropy": "t", "hint_roughness_r": "t", "hint_roughness_g": "t", "hint_roughness_b": "t",
	"hint_roughness_a": "t", "hint_roughness_normal": "t", "hint_roughness_gray": "t",
	"hint_screen_texture": "t", "hint_depth_texture": "t", "hint_normal_roughness_texture": "t",
	"filter_nearest": "t", "filter_linear": "t", "filter_nearest_mipmap": "t", "filter_linear_mipmap": "t",
	"filter_nearest_mipmap_anisotropic": "t", "filter_linear_mipmap_anisotropic": "t",
	"repeat_enable": "t", "repeat_disable": "t",
}

// globalType gives the type that a shader declares for one of the settings.
func globalType(setting string) string {
	switch setting {
	case "color", "rect2":
		return "vec4"
	case "rect2i":
		return "ivec4"
	case "transform":
		return "mat4"
	}
	return setting
}

func isType(word string) bool {
	_, value := uniformTypes[word]
	return value || samplers[word] != "" || word == "void"
}

func takesHint(hint, typ string) bool {
	for _, c := range hintFor[hint] {
		switch {
		case c == 't' && samplers[typ] != "",
			c == 'n' && (typ == "float" || typ == "int"),
			c == 'b' && typ == "int",
			c == 'a',
			c == 'c' && (typ == "vec3" || typ == "vec4"):
			return true
		}
	}
	return false
}

// keywords are the other words of the language.
var keywords = set(`true false lowp mediump highp const struct uniform instance global varying in out inout flat smooth
	if else for while do switch case default break continue return discard shader_type render_mode group_uniforms
	stencil_mode`)

// builtinFunctions are those of every shader.
var builtinFunctions = set(`radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2
	log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep
	isnan isinf floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat length distance dot cross normalize
	reflect refract faceforward fma matrixCompMult outerProduct transpose determinant inverse lessThan greaterThan
	lessThanEqual greaterThanEqual equal notEqual any all not textureSize texture textureProj textureLod
	textureProjLod textureGrad textureProjGrad textureGather textureQueryLod textureQueryLevels texelFetch dFdx
	dFdxCoarse dFdxFine dFdy dFdyCoarse dFdyFine fwidth fwidthCoarse fwidthFine ldexp frexp packHalf2x16
	packUnorm2x16 packSnorm2x16 packUnorm4x8 packSnorm4x8 unpackHalf2x16 unpackUnorm2x16 unpackSnorm2x16
	unpackUnorm4x8 unpackSnorm4x8 bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB findMSB
	umulExtended imulExtended uaddCarry usubBorrow`)

// drawingFunctions are those of canvas_item and particle shaders, which are no reserved names.
var drawingFunctions = set("emit_subparticle texture_sdf texture_sdf_normal sdf_to_screen_uv screen_uv_to_sdf")

// globalValues are what every function of a kind of shader may use; "" stands for all
// kinds (engine 4.6 experiment).
var globalValues = map[string]map[string]bool{
	"":        set("TIME PI TAU E"),
	"spatial": set("OUTPUT_IS_SRGB CLIP_SPACE_FAR IN_SHADOW_PASS"),
	"sky": set(`AT_CUBEMAP_PASS AT_HALF_RES_PASS AT_QUARTER_RES_PASS POSITION RADIANCE
		LIGHT0_COLOR LIGHT0_DIRECTION LIGHT0_ENABLED LIGHT0_ENERGY LIGHT0_SIZE
		LIGHT1_COLOR LIGHT1_DIRECTION LIGHT1_ENABLED LIGHT1_ENERGY LIGHT1_SIZE
		LIGHT2_COLOR LIGHT2_DIRECTION LIGHT2_ENABLED LIGHT2_ENERGY LIGHT2_SIZE
		LIGHT3_COLOR LIGHT3_DIRECTION LIGHT3_ENABLED LIGHT3_ENERGY LIGHT3_SIZE`),
}

func isGlobal(kind, word string) bool { return globalValues[""][word] || globalValues[kind][word] }

// modeGroups are what render modes begin with of which there can be one.
var modeGroups = []string{"blend_", "depth_draw_", "depth_test_", "cull_", "diffuse_", "specular_"}

// modeGroup gives what a render mode excludes: its group, or itself.
func modeGroup(mode string) string {
	if mode != "specular_occlusion_disabled" {
		for _, g := range modeGroups {
			if strings.HasPrefix(mode, g) {
				return g
			}
		}
	}
	return mode
}

// stencilModes are the words of stencil_mode, besides a number.
var stencilModes = set(`read write write_if_depth_fail write_depth_fail compare_always compare_less compare_equal
	compare_less_or_equal compare_greater compare_not_equal compare_greater_or_equal`)

// builtinValues are what the engine gives to the main functions of shaders (engine 4.6
// experiment).
var builtinValues = map[string]map[string]map[string]bool{
	"spatial": {
		"vertex": set(`VERTEX NORMAL TANGENT BINORMAL POSITION UV UV2 COLOR POINT_SIZE INSTANCE_ID INSTANCE_CUSTOM
			ROUGHNESS BONE_INDICES BONE_WEIGHTS CUSTOM0 CUSTOM1 CUSTOM2 CUSTOM3 MODEL_MATRIX MODEL_NORMAL_MATRIX
			VIEW_MATRIX INV_VIEW_MATRIX PROJECTION_MATRIX INV_PROJECTION_MATRIX MODELVIEW_MATRIX
			MODELVIEW_NORMAL_MATRIX VIEWPORT_SIZE OUTPUT_IS_SRGB MAIN_CAM_INV_VIEW_MATRIX NODE_POSITION_WORLD
			CAMERA_POSITION_WORLD CAMERA_DIRECTION_WORLD CAMERA_VISIBLE_LAYERS NODE_POSITION_VIEW VIEW_INDEX
			VIEW_MONO_LEFT VIEW_RIGHT EYE_OFFSET VERTEX_ID Z_CLIP_SCALE CLIP_SPACE_FAR IN_SHADOW_PASS`),
		"fragment": set(`VERTEX NORMAL TANGENT BINORMAL UV UV2 COLOR ROUGHNESS MODEL_MATRIX MODEL_NORMAL_MATRIX VIEW_MATRIX
			INV_VIEW_MATRIX PROJECTION_MATRIX INV_PROJECTION_MATRIX VIEWPORT_SIZE OUTPUT_IS_SRGB
			NODE_POSITION_WORLD CAMERA_POSITION_WORLD CAMERA_DIRECTION_WORLD CAMERA_VISIBLE_LAYERS
			NODE_POSITION_VIEW VIEW_INDEX VIEW_MONO_LEFT VIEW_RIGHT EYE_OFFSET CLIP_SPACE_FAR IN_SHADOW_PASS
			FRAGCOORD FRONT_FACING VIEW NORMAL_MAP NORMAL_MAP_DEPTH ALBEDO ALPHA METALLIC SPECULAR RIM RIM_TINT
			CLEARCOAT CLEARCOAT_ROUGHNESS ANISOTROPY ANISOTROPY_FLOW SSS_STRENGTH SSS_TRANSMITTANCE_COLOR
			SSS_TRANSMITTANCE_DEPTH SSS_TRANSMITTANCE_BOOST BACKLIGHT AO AO_LIGHT_AFFECT EMISSION DEPTH
			SCREEN_UV POINT_COORD FOG RADIANCE IRRADIANCE ALPHA_SCISSOR_THRESHOLD ALPHA_HASH_SCALE
			ALPHA_ANTIALIASING_EDGE ALPHA_TEXTURE_COORDINATE LIGHT_VERTEX PREMUL_ALPHA_FACTOR BENT_NORMAL_MAP`),
		"light": set(`NORMAL UV UV2 ROUGHNESS MODEL_MATRIX VIEW_MATRIX INV_VIEW_MATRIX PROJECTION_MATRIX
			INV_PROJECTION_MATRIX VIEWPORT_SIZE OUTPUT_IS_SRGB CLIP_SPACE_FAR IN_SHADOW_PASS FRAGCOORD VIEW
			ALBEDO ALPHA METALLIC BACKLIGHT SCREEN_UV LIGHT LIGHT_COLOR LIGHT_IS_DIRECTIONAL ATTENUATION
			DIFFUSE_LIGHT SPECULAR_LIGHT SPECULAR_AMOUNT`),
	},
	"canvas_item": {
		"vertex": set(`VERTEX UV COLOR POINT_SIZE CUSTOM0 CUSTOM1 MODEL_MATRIX CANVAS_MATRIX SCREEN_MATRIX INSTANCE_CUSTOM
			INSTANCE_ID VERTEX_ID AT_LIGHT_PASS TEXTURE_PIXEL_SIZE`),
		"fragment": set(`VERTEX UV COLOR AT_LIGHT_PASS TEXTURE_PIXEL_SIZE FRAGCOORD NORMAL NORMAL_MAP NORMAL_MAP_DEPTH
			LIGHT_VERTEX SHADOW_VERTEX TEXTURE NORMAL_TEXTURE SPECULAR_SHININESS_TEXTURE SPECULAR_SHININESS
			SCREEN_UV SCREEN_PIXEL_SIZE REGION_RECT POINT_COORD`),
		"light": set(`UV COLOR TEXTURE_PIXEL_SIZE FRAGCOORD NORMAL LIGHT_VERTEX TEXTURE SPECULAR_SHININESS SCREEN_UV
			POINT_COORD LIGHT LIGHT_COLOR LIGHT_POSITION LIGHT_DIRECTION LIGHT_IS_DIRECTIONAL LIGHT_ENERGY
			SHADOW_MODULATE`),
	},
	"particles": {
		"start": set(`COLOR VELOCITY MASS ACTIVE CUSTOM TRANSFORM LIFETIME DELTA NUMBER INDEX EMISSION_TRANSFORM
			RANDOM_SEED RESTART_POSITION RESTART_ROT_SCALE RESTART_VELOCITY RESTART_COLOR RESTART_CUSTOM
			USERDATA1 USERDATA2 USERDATA3 USERDATA4 USERDATA5 USERDATA6 FLAG_EMIT_POSITION FLAG_EMIT_ROT_SCALE
			FLAG_EMIT_VELOCITY FLAG_EMIT_COLOR FLAG_EMIT_CUSTOM INTERPOLATE_TO_END AMOUNT_RATIO EMITTER_VELOCITY`),
		"process": set(`COLOR VELOCITY MASS ACTIVE CUSTOM TRANSFORM LIFETIME DELTA NUMBER INDEX EMISSION_TRANSFORM
			RANDOM_SEED RESTART USERDATA1 USERDATA2 USERDATA3 USERDATA4 USERDATA5 USERDATA6 FLAG_EMIT_POSITION
			FLAG_EMIT_ROT_SCALE FLAG_EMIT_VELOCITY FLAG_EMIT_COLOR FLAG_EMIT_CUSTOM COLLIDED COLLISION_NORMAL
			COLLISION_DEPTH ATTRACTOR_FORCE INTERPOLATE_TO_END AMOUNT_RATIO EMITTER_VELOCITY`),
	},
	"sky": {
		"sky": set(`COLOR ALPHA RADIANCE AT_HALF_RES_PASS AT_QUARTER_RES_PASS AT_CUBEMAP_PASS POSITION EYEDIR SCREEN_UV
			SKY_COORDS HALF_RES_COLOR QUARTER_RES_COLOR FOG FRAGCOORD LIGHT0_ENABLED LIGHT0_DIRECTION
			LIGHT0_ENERGY LIGHT0_COLOR LIGHT0_SIZE LIGHT1_ENABLED LIGHT1_DIRECTION LIGHT1_ENERGY LIGHT1_COLOR
			LIGHT1_SIZE LIGHT2_ENABLED LIGHT2_DIRECTION LIGHT2_ENERGY LIGHT2_COLOR LIGHT2_SIZE LIGHT3_ENABLED
			LIGHT3_DIRECTION LIGHT3_ENERGY LIGHT3_COLOR LIGHT3_SIZE`),
	},
	"fog": {
		"fog": set(`WORLD_POSITION OBJECT_POSITION UVW SIZE SDF ALBEDO DENSITY EMISSION`),
	},
}

// isBuiltin reports whether some main function of a kind of shader has a value.
func isBuiltin(kind, word string) bool {
	for _, values := range builtinValues[kind] {
		if values[word] {
			return true
		}
	}
	return isGlobal(kind, word)
}
