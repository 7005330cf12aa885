package variant

// ResourceKind tells how a resource is referred to.
type ResourceKind uint8

const (
	// ResourcePath is a reference by path or uid: Resource("res://a.tres"), or a path in JSON.
	ResourcePath ResourceKind = iota
	// ResourceExt is ExtResource("id"): an [ext_resource] of the same file.
	ResourceExt
	// ResourceSub is SubResource("id"): a [sub_resource] of the same file.
	ResourceSub
)

// ResourceRef is a reference to a resource.
type ResourceRef struct {
	Kind ResourceKind
	// ID is the id inside the file, for ResourceExt and ResourceSub.
	ID string
	// Path is "res://..." (with "::id" for a resource embedded in that file). UID is "uid://...". For ResourcePath at
	// least one of them is set.
	Path, UID string
	// Class is the class if known; it is not part of any text form.
	Class string
}

// Location is the path, or the uid if there is no path, or the id.
func (r ResourceRef) Location() string {
	switch {
	case r.Kind != ResourcePath:
		return r.ID
	case r.Path != "":
		return r.Path
	}
	return r.UID
}

// ExtResource makes a reference to an [ext_resource] of the same file.
func ExtResource(id string) Value { return ResourceRef{Kind: ResourceExt, ID: id}.Value() }

// SubResource makes a reference to a [sub_resource] of the same file.
func SubResource(id string) Value { return ResourceRef{Kind: ResourceSub, ID: id}.Value() }

// Resource makes a reference by path ("res://...") or uid ("uid://...").
func Resource(location string) Value {
	if len(location) >= 6 && location[:6] == "uid://" {
		return ResourceRef{UID: location}.Value()
	}
	return ResourceRef{Path: location}.Value()
}

// Value makes a value of the reference.
func (r ResourceRef) Value() Value { return Value{typ: TypeObject, ref: r} }

// Resource reports the reference if the value is one.
func (v Value) Resource() (ResourceRef, bool) { return refAs[ResourceRef](v) }

// Property is one property of an [Object].
type Property struct {
	Name  string
	Value Value
}

// Object is an object given by its content: Object(InputEventKey,"keycode":65,...) in files, {"new":...} in JSON.
type Object struct {
	Class      string
	Properties []Property
}

// NewObject makes an object value. It takes ownership of properties.
func NewObject(class string, properties ...Property) Value {
	return Value{typ: TypeObject, ref: &Object{Class: class, Properties: properties}}
}

// Object reports the content if the value is an object given by content.
func (v Value) Object() (*Object, bool) { return refAs[*Object](v) }

// Get finds a property by name.
func (o *Object) Get(name string) (Value, bool) {
	for i := range o.Properties {
		if o.Properties[i].Name == name {
			return o.Properties[i].Value, true
		}
	}
	return Value{}, false
}
