// Package format is the shape of the embedded class table, shared by its generator and its reader.
//
// Each line is "name TAB parent TAB flags TAB JSON". The first line of table.gz has the name "@", the engine's version
// as parent and an [Engine]; the others hold a [Class]. Lines of methods.gz hold a list of [Method].
package format

// Flags of a class line.
const (
	Instantiable = 1 << iota
	Editor
)

// Engine is what belongs to no class.
type Engine struct {
	Singletons []string `json:"s"`
	Globals    Globals  `json:"g"`
}

// Globals are the names of @GlobalScope and of the builtin types.
type Globals struct {
	Enums     []Enum   `json:"e"`
	Functions []string `json:"f"`
	Builtin   []string `json:"b"`
}

// Class is what a class adds to its parent.
type Class struct {
	Properties []Property `json:"p,omitempty"`
	// Defaults are the changed defaults of inherited properties, nil where the default is an object or unknown.
	Defaults  map[string]*string `json:"d,omitempty"`
	Signals   []Signal           `json:"s,omitempty"`
	Enums     []Enum             `json:"e,omitempty"`
	Constants []Constant         `json:"c,omitempty"`
	// Sampled says that an instance was looked at; Dynamic, Conditional and Written are known only then.
	Sampled bool `json:"x,omitempty"`
	// Dynamic are stored properties that only an instance reports.
	Dynamic []Property `json:"y,omitempty"`
	// Conditional are stored properties of the class that a fresh instance does not store.
	Conditional []string `json:"o,omitempty"`
	// Written is what PackedScene writes for an untouched node.
	Written []Written `json:"w,omitempty"`
}

// Property is one property. Owner and Initial are set for dynamic ones only.
type Property struct {
	Name       string  `json:"n"`
	Type       int     `json:"t,omitempty"`
	Class      string  `json:"c,omitempty"`
	Hint       int     `json:"h,omitempty"`
	HintString string  `json:"s,omitempty"`
	Usage      int     `json:"u,omitempty"`
	Default    *string `json:"d,omitempty"`
	Owner      string  `json:"o,omitempty"`
	Initial    *string `json:"i,omitempty"`
}

// Written is a property line of an untouched node.
type Written struct {
	Name  string  `json:"n"`
	Value *string `json:"v,omitempty"`
}

// Signal is one signal.
type Signal struct {
	Name string `json:"n"`
	Args []Arg  `json:"a,omitempty"`
}

// Method is one method.
type Method struct {
	Name           string `json:"n"`
	Flags          int    `json:"f,omitempty"`
	Return         int    `json:"r,omitempty"`
	ReturnClass    string `json:"c,omitempty"`
	ReturnsVariant bool   `json:"v,omitempty"`
	Args           []Arg  `json:"a,omitempty"`
	Defaults       int    `json:"d,omitempty"`
}

// Arg is one argument of a signal or method.
type Arg struct {
	Name  string `json:"n"`
	Type  int    `json:"t,omitempty"`
	Class string `json:"c,omitempty"`
}

// Enum is an enumeration with its constants in the engine's order.
type Enum struct {
	Name     string     `json:"n"`
	Bitfield bool       `json:"b,omitempty"`
	Values   []Constant `json:"v"`
}

// Constant is an integer constant.
type Constant struct {
	Name  string `json:"n"`
	Value int64  `json:"v"`
}
