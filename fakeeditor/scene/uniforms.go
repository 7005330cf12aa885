package scene

import (
	"slices"
	"strings"
	"sync"

	"godot-mcp/fakeeditor/internal/shading"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// uniformPrefix begins the names of the parameters of a material's shader.
const uniformPrefix = "shader_parameter/"

// shaders remembers what a shader text says that uses nothing of its project; texts
// repeat often.
var shaders struct {
	sync.Mutex
	byText map[string]shading.Shader
}

// readShader reads a shader text; includes start from its file.
func (e Env) readShader(text, file string) shading.Shader {
	include := func(path string) (string, bool) {
		if !strings.HasSuffix(path, ".gdshaderinc") {
			return "", false
		}
		return e.Lib.Read(path)
	}
	project := shading.Project{Include: include, Globals: e.Lib.Startup().Globals}
	if strings.Contains(text, "#include") || strings.Contains(text, "global") {
		return shading.Read(text, file, project)
	}
	shaders.Lock()
	defer shaders.Unlock()
	s, ok := shaders.byText[text]
	if !ok {
		if len(shaders.byText) > 512 || shaders.byText == nil {
			shaders.byText = map[string]shading.Shader{}
		}
		s = shading.Read(text, file, project)
		shaders.byText[text] = s
	}
	return s
}

// shaderOf reads the shader of a material; ok is false where there is none, or none
// that is a text.
func (e Env) shaderOf(o object) (s shading.Shader, ok bool) {
	if o.class != "ShaderMaterial" {
		return s, false
	}
	v, _ := o.props.Get("shader")
	r := e.Res(ResOf(v))
	if r == nil || r.Class != "Shader" {
		return s, false
	}
	text, ok := e.Lib.Read(r.Path)
	if !r.Opaque || !strings.HasSuffix(r.Path, ".gdshader") {
		if r.Opaque {
			return s, false
		}
		code, _ := r.Props.Get("code")
		text, ok = code.Text()
	}
	file, _, _ := strings.Cut(r.Path, "::")
	return e.readShader(text, file), ok || text == ""
}

// uniforms gives the parameters that the shader of a material declares, in order; known
// is false where that cannot be told from a text.
func (e Env) uniforms(o object) (list []shading.Uniform, known bool) {
	s, known := e.shaderOf(o)
	return s.Uniforms, known
}

// passes are the properties that materials of spatial shaders alone have.
var passes = []string{"next_pass", "render_priority"}

// withPasses gives the names to write of a material's properties: one of a spatial shader
// always writes its priority, since a material without a shader has none, so that there
// is no default that it could be; others lose what they have of these (engine 4.6
// experiment).
func (e Env) withPasses(o object, names []string) []string {
	if o.class != "ShaderMaterial" {
		return names
	}
	s, known := e.shaderOf(o)
	if v, _ := o.props.Get("shader"); !known && !v.IsNil() {
		return names
	}
	if known && s.Kind == "spatial" {
		if !slices.Contains(names, "render_priority") {
			names = append(names, "render_priority")
		}
		return names
	}
	return slices.DeleteFunc(names, func(n string) bool { return contains(passes, n) })
}

// keptUniforms gives the values of a material that was read: the parameters that its
// shader declares, in its order, as far as it takes their values, and a priority where
// there has to be one. What the shader does not declare is there again once it does, and
// is not told until then.
func (e Env) keptUniforms(o object) Props {
	s, known := e.shaderOf(o)
	if !known {
		return o.props
	}
	_, ranked := o.props.Get("render_priority")
	var out, others Props
	for _, p := range o.props {
		if p.Name == "shader" && s.Kind == "spatial" && !ranked {
			out = append(out, Prop{"render_priority", variant.Int(0)})
		}
		switch {
		case !strings.HasPrefix(p.Name, uniformPrefix):
			out = append(out, p)
		case !declares(s, p.Name):
			others = append(others, p)
		}
	}
	at := slices.IndexFunc(out, func(p Prop) bool { return strings.HasPrefix(p.Name, MetaPrefix) })
	if at < 0 {
		at = len(out)
	}
	var params Props
	for _, u := range s.Uniforms {
		name := uniformPrefix + u.Name
		if v, ok := o.props.Get(name); ok && e.takes(u, v) && !v.IsNil() {
			params = append(params, Prop{name, v})
		}
	}
	return slices.Insert(out, at, append(params, others...)...)
}

func declares(s shading.Shader, name string) bool {
	return slices.ContainsFunc(s.Uniforms, func(u shading.Uniform) bool { return uniformPrefix+u.Name == name })
}

// untoldOf gives the names that a material has a value of and that its shader does not
// let it tell.
func (e Env) untoldOf(o object) (out []string) {
	s, known := e.shaderOf(o)
	if !known {
		return nil
	}
	for _, p := range o.props {
		if strings.HasPrefix(p.Name, uniformPrefix) && !declares(s, p.Name) || s.Kind != "spatial" && contains(passes, p.Name) {
			out = append(out, p.Name)
		}
	}
	return out
}

// takes reports whether a parameter keeps a value: one of its type, a texture of its
// class; lists of one kind stand for others.
func (e Env) takes(u shading.Uniform, v variant.Value) bool {
	if isList(v.Type()) {
		return v.Type() == u.Type || isList(u.Type) && (v.Type() == variant.TypeArray || u.Type == variant.TypeArray)
	}
	if v.Type() != u.Type {
		return false
	}
	if r := e.Res(ResOf(v)); r != nil && (u.Class == "Texture2D" || u.Class == "Texture3D") && classdb.Exists(r.Class) {
		return classdb.Inherits(r.Class, u.Class)
	}
	return true
}

func isList(t variant.Type) bool { return t >= variant.TypeArray }

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
		name := uniformPrefix + u.Name
		v, _ := r.Props.Get(name)
		if !e.takes(u, v) {
			v = variant.Nil
		}
		if !isNull(v) || u.Type != variant.TypeObject {
			params = append(params, PackedProp{Name: name, Value: v})
		}
	}
	return slices.Insert(out, at, params...)
}
