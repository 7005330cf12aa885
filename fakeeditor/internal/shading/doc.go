// Package shading reads the text of a shader as far as an editor without a display needs it: what kind of shader it
// is, whether the engine compiles it, and which parameters a material of it has.
//
// The preprocessor is whole. Of functions only the shape and the names are looked at: an expression whose types do
// not fit together is not found.
package shading

import "godot-mcp/server/godot/variant"

// Shader is what a shader text says.
type Shader struct {
	// Kind is the shader_type, spatial where the text gives none.
	Kind string
	// Fault says why the engine does not compile the text; empty if it does. A shader that is not compiled has no
	// parameters (engine 4.6 experiment).
	Fault string
	// Uniforms are the parameters of materials, in the order of the engine's property list: group after group.
	Uniforms []Uniform
}

// Uniform is one parameter.
type Uniform struct {
	Name string
	// Type is the type of its values; Class is the engine class of a texture.
	Type  variant.Type
	Class string
	group string
}

// Project is what a shader uses of its project.
type Project struct {
	// Include gives the text of an included file.
	Include func(path string) (string, bool)
	// Globals are the types of the global parameters that the settings name.
	Globals map[string]string
}

// Read reads a shader. File is its path, which relative includes start from.
func Read(text, file string, project Project) Shader {
	s := Shader{Kind: kindOf(text)}
	if text == "" {
		s.Fault = "no code"
		return s
	}
	p := preprocessor{include: project.Include, defines: builtinDefines()}
	code, err := p.run(text, file)
	if err != "" {
		s.Fault = err
		return s
	}
	r := parser{toks: tokens(code), globals: project.Globals}
	r.run()
	if r.fault != "" {
		s.Fault = r.fault
		return s
	}
	s.Uniforms = grouped(r.uniforms)
	return s
}

// kindOf finds the first shader_type in a text.
func kindOf(text string) string {
	toks := tokens(withoutComments(text))
	for i := range toks {
		if toks[i].text == "shader_type" && i+1 < len(toks) {
			if _, ok := kinds[toks[i+1].text]; ok {
				return toks[i+1].text
			}
			break
		}
	}
	return "spatial"
}

// grouped puts the parameters of a group together, at the first of them.
func grouped(list []Uniform) []Uniform {
	var order []string
	by := map[string][]Uniform{}
	for _, u := range list {
		if by[u.group] == nil {
			order = append(order, u.group)
		}
		by[u.group] = append(by[u.group], u)
	}
	out := make([]Uniform, 0, len(list))
	for _, g := range order {
		out = append(out, by[g]...)
	}
	return out
}
