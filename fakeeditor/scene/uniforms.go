package scene

import (
	"regexp"
	"slices"
	"strings"

	"godot-mcp/server/godot/variant"
)

// uniformPrefix begins the names of the parameters of a material's shader.
const uniformPrefix = "shader_parameter/"

// uniform is one parameter that a shader declares.
type uniform struct {
	name string
	typ  variant.Type // TypeNil if values of any type are taken
}

var (
	shaderComment = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	uniformLine   = regexp.MustCompile(`(instance\s+)?\buniform\s+(?:(?:lowp|mediump|highp)\s+)?(\w+)(\s*\[[^\]]*\])?\s+(\w+)\s*(\[[^\]]*\])?\s*(:[^;=]*)?`)
	// What makes the list another than the order of the declarations, or depends on more
	// than the text.
	uniformsUnclear = regexp.MustCompile(`#|\bgroup_uniforms\b|\bglobal\s+uniform\b`)
)

var uniformTypes = map[string]variant.Type{
	"bool": variant.TypeBool, "int": variant.TypeInt, "uint": variant.TypeInt, "float": variant.TypeFloat,
	"vec2": variant.TypeVector2, "vec3": variant.TypeVector3, "vec4": variant.TypeVector4,
}

// uniforms gives the parameters that the shader of a material declares, in order; known
// is false where that cannot be told from a text.
func (e Env) uniforms(o object) (list []uniform, known bool) {
	if o.class != "ShaderMaterial" {
		return nil, false
	}
	v, _ := o.props.Get("shader")
	r := e.Res(ResOf(v))
	if r == nil || r.Class != "Shader" {
		return nil, false
	}
	text, ok := e.Lib.Read(r.Path)
	if !r.Opaque || !strings.HasSuffix(r.Path, ".gdshader") {
		var code variant.Value
		code, ok = r.Props.Get("code")
		text, _ = code.Text()
	}
	text = shaderComment.ReplaceAllString(text, " ")
	if !ok || uniformsUnclear.MatchString(text) {
		return nil, false
	}
	for _, m := range uniformLine.FindAllStringSubmatch(text, -1) {
		u := uniform{name: uniformPrefix + m[4], typ: uniformTypes[m[2]]}
		switch {
		case m[1] != "":
			continue // is set at the instances
		case strings.Contains(m[2], "sampler"):
			u.typ = variant.TypeObject
		case m[3] != "" || m[5] != "":
			u.typ = variant.TypeNil
		case strings.Contains(m[6], "source_color"):
			u.typ = variant.TypeColor
		}
		list = append(list, u)
	}
	return list, true
}

// keptUniforms gives the values of a material that was read with those parameters only
// that its shader declares, in its order.
func (e Env) keptUniforms(o object) Props {
	list, known := e.uniforms(o)
	if !known {
		return o.props
	}
	var out Props
	for _, p := range o.props {
		if !strings.HasPrefix(p.Name, uniformPrefix) {
			out = append(out, p)
		}
	}
	at := slices.IndexFunc(out, func(p Prop) bool { return strings.HasPrefix(p.Name, MetaPrefix) })
	if at < 0 {
		at = len(out)
	}
	var params Props
	for _, u := range list {
		if v, ok := o.props.Get(u.name); ok && u.takes(v) && !v.IsNil() {
			params = append(params, Prop{u.name, v})
		}
	}
	return slices.Insert(out, at, params...)
}

func (u uniform) takes(v variant.Value) bool { return u.typ == variant.TypeNil || v.Type() == u.typ }

// asUniforms gives the parameters of a material's shader as a save writes them: null
// where nothing of the type is set (engine 4.6 without a display, which knows no
// defaults of shaders).
func (e Env) asUniforms(r *Resource, props []PackedProp) []PackedProp {
	list, known := e.uniforms(r.object())
	if !known {
		return props
	}
	out := make([]PackedProp, 0, len(props)+len(list))
	for _, p := range props {
		if !strings.HasPrefix(p.Name, uniformPrefix) {
			out = append(out, p)
		}
	}
	at := slices.IndexFunc(out, func(p PackedProp) bool { return p.Name == "script" || strings.HasPrefix(p.Name, MetaPrefix) })
	if at < 0 {
		at = len(out)
	}
	var params []PackedProp
	for _, u := range list {
		v, _ := r.Props.Get(u.name)
		if !u.takes(v) {
			v = variant.Nil
		}
		if !isNull(v) || u.typ != variant.TypeObject {
			params = append(params, PackedProp{Name: u.name, Value: v})
		}
	}
	return slices.Insert(out, at, params...)
}
