package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Schema is the subset of JSON Schema 2020-12 that every client accepts: one
// type or none, no unions, no references, no boolean schemas. A schema without
// a type takes any value.
type Schema struct {
	Type        string
	Description string
	Enum        []string
	Minimum     *float64
	Maximum     *float64
	MinLength   *int
	MaxLength   *int
	MinItems    *int
	MaxItems    *int
	Default     json.RawMessage
	Items       *Schema
	Properties  []Property
	Required    []string
	Closed      bool    // no other properties
	Values      *Schema // of a map
}

// Property is one named member of an object schema, in declaration order.
type Property struct {
	Name string
	*Schema
}

// Property finds a property by name.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// MarshalJSON writes the schema without optional white space, properties in order.
func (s *Schema) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	put := func(name string, v any) error {
		raw, err := encode(v)
		if err != nil {
			return err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + name + `":`)
		b.Write(raw)
		return nil
	}
	var errs []error
	add := func(present bool, name string, v any) {
		if present {
			errs = append(errs, put(name, v))
		}
	}
	add(s.Type != "", "type", s.Type)
	add(s.Description != "", "description", s.Description)
	add(len(s.Enum) > 0, "enum", s.Enum)
	add(s.Minimum != nil, "minimum", s.Minimum)
	add(s.Maximum != nil, "maximum", s.Maximum)
	add(s.MinLength != nil, "minLength", s.MinLength)
	add(s.MaxLength != nil, "maxLength", s.MaxLength)
	add(s.MinItems != nil, "minItems", s.MinItems)
	add(s.MaxItems != nil, "maxItems", s.MaxItems)
	add(s.Default != nil, "default", s.Default)
	add(s.Items != nil, "items", s.Items)
	if s.Type == "object" && s.Values == nil && (len(s.Properties) > 0 || s.Closed) {
		var props bytes.Buffer
		props.WriteByte('{')
		for i, p := range s.Properties {
			if i > 0 {
				props.WriteByte(',')
			}
			name, err := encode(p.Name)
			errs = append(errs, err)
			raw, err := p.Schema.MarshalJSON()
			errs = append(errs, err)
			props.Write(name)
			props.WriteByte(':')
			props.Write(raw)
		}
		props.WriteByte('}')
		add(true, "properties", json.RawMessage(props.Bytes()))
	}
	add(len(s.Required) > 0, "required", s.Required)
	add(s.Closed, "additionalProperties", false)
	add(s.Values != nil && s.Values.Type != "", "additionalProperties", s.Values)
	b.WriteByte('}')
	return b.Bytes(), errors.Join(errs...)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Schema) UnmarshalJSON(raw []byte) error {
	var flat struct {
		Type                 string          `json:"type"`
		Description          string          `json:"description"`
		Enum                 []string        `json:"enum"`
		Minimum              *float64        `json:"minimum"`
		Maximum              *float64        `json:"maximum"`
		MinLength            *int            `json:"minLength"`
		MaxLength            *int            `json:"maxLength"`
		MinItems             *int            `json:"minItems"`
		MaxItems             *int            `json:"maxItems"`
		Default              json.RawMessage `json:"default"`
		Items                *Schema         `json:"items"`
		Properties           json.RawMessage `json:"properties"`
		Required             []string        `json:"required"`
		AdditionalProperties json.RawMessage `json:"additionalProperties"`
	}
	if err := json.Unmarshal(raw, &flat); err != nil {
		return err
	}
	*s = Schema{Type: flat.Type, Description: flat.Description, Enum: flat.Enum, Minimum: flat.Minimum, Maximum: flat.Maximum,
		MinLength: flat.MinLength, MaxLength: flat.MaxLength, MinItems: flat.MinItems, MaxItems: flat.MaxItems,
		Default: flat.Default, Items: flat.Items, Required: flat.Required}
	switch {
	case string(flat.AdditionalProperties) == "false":
		s.Closed = true
	case flat.AdditionalProperties != nil:
		s.Values = &Schema{}
		if err := s.Values.UnmarshalJSON(flat.AdditionalProperties); err != nil {
			return err
		}
	}
	members, err := objectMembers(flat.Properties)
	if err != nil {
		return err
	}
	for _, m := range members {
		p := &Schema{}
		if err := p.UnmarshalJSON(m.value); err != nil {
			return err
		}
		s.Properties = append(s.Properties, Property{m.name, p})
	}
	return nil
}

// member is one member of an object, in the order of the text.
type member struct {
	name  string
	value json.RawMessage
}

// objectMembers splits an object; nil is an empty one.
func objectMembers(raw json.RawMessage) ([]member, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	if tok != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	var out []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return nil, err
		}
		out = append(out, member{name, v})
	}
	return out, nil
}

// encode is json.Marshal without escaping <, > and &.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
