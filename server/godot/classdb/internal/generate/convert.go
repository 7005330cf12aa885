package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"godot-mcp/server/godot/classdb/internal/format"
)

// dumped is one line of generate.gd.
type dumped struct {
	Name, Parent string
	Instantiable bool
	Editor       bool
	Properties   [][]any
	Defaults     map[string]*string
	Signals      [][]any
	Methods      [][]any
	Enums        [][]any
	Constants    [][]any
	Dynamic      [][]any
	Conditional  []string
	Written      [][]any
	Order        []string
}

func convert(dump, api, out string) error {
	file, err := os.Open(dump)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewReader(file)
	head, err := lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("no engine line: %w", err)
	}
	var engine struct {
		Version    string
		Singletons []string
	}
	if err := json.Unmarshal(head, &engine); err != nil {
		return err
	}
	decoder := json.NewDecoder(lines)
	decoder.UseNumber()
	var classes []dumped
	for decoder.More() {
		var class dumped
		if err := decoder.Decode(&class); err != nil {
			return fmt.Errorf("class %d: %w", len(classes), err)
		}
		classes = append(classes, class)
	}
	if len(classes) < 500 {
		return fmt.Errorf("only %d classes dumped", len(classes))
	}
	sort.Slice(classes, func(i, j int) bool { return classes[i].Name < classes[j].Name })
	if err := checkOrder(classes); err != nil {
		return err
	}
	var table, methods bytes.Buffer
	globals, err := globalScope(api)
	if err != nil {
		return err
	}
	line(&table, "@", engine.Version, 0, format.Engine{Singletons: engine.Singletons, Globals: globals})
	for _, class := range classes {
		flags := 0
		if class.Instantiable {
			flags |= format.Instantiable
		}
		if class.Editor {
			flags |= format.Editor
		}
		line(&table, class.Name, class.Parent, flags, record(class))
		if len(class.Methods) > 0 {
			line(&methods, class.Name, "", 0, methodList(class.Methods))
		}
	}
	if err := compress(filepath.Join(out, "table.gz"), table.Bytes()); err != nil {
		return err
	}
	return compress(filepath.Join(out, "methods.gz"), methods.Bytes())
}

func record(class dumped) format.Class {
	out := format.Class{Defaults: class.Defaults, Conditional: class.Conditional}
	slices.Sort(out.Conditional)
	for _, p := range class.Properties {
		out.Properties = append(out.Properties, property(p))
	}
	for _, d := range class.Dynamic {
		p := property(d[1:])
		p.Owner = str(d[0])
		out.Dynamic = append(out.Dynamic, p)
	}
	for _, s := range class.Signals {
		out.Signals = append(out.Signals, format.Signal{Name: str(s[0]), Args: arguments(s[1])})
	}
	for _, e := range class.Enums {
		bitfield, _ := e[1].(bool)
		out.Enums = append(out.Enums, format.Enum{Name: str(e[0]), Bitfield: bitfield, Values: constants(e[2].([]any))})
	}
	for _, c := range class.Constants {
		out.Constants = append(out.Constants, constants([]any{c})...)
	}
	for _, w := range class.Written {
		out.Written = append(out.Written, format.Written{Name: str(w[0]), Value: text(w[1])})
	}
	if class.Order != nil {
		out.Sampled = true
	}
	return out
}

func property(p []any) format.Property {
	out := format.Property{
		Name: str(p[0]), Type: num(p[1]), Class: str(p[2]), Hint: num(p[3]), HintString: str(p[4]), Usage: num(p[5]),
		Default: text(p[6]),
	}
	if len(p) > 7 {
		out.Initial = text(p[7])
	}
	return out
}

func methodList(methods [][]any) []format.Method {
	var out []format.Method
	for _, m := range methods {
		out = append(out, format.Method{
			Name: str(m[0]), Flags: num(m[1]), Return: num(m[2]), ReturnClass: str(m[3]), Args: arguments(m[4]),
			Defaults: num(m[5]), ReturnsVariant: num(m[6]) != 0,
		})
	}
	return out
}

func arguments(v any) []format.Arg {
	var out []format.Arg
	for _, a := range v.([]any) {
		a := a.([]any)
		out = append(out, format.Arg{Name: str(a[0]), Type: num(a[1]), Class: str(a[2])})
	}
	return out
}

func constants(v []any) []format.Constant {
	var out []format.Constant
	for _, c := range v {
		c := c.([]any)
		value, _ := c[1].(json.Number).Int64()
		out = append(out, format.Constant{Name: str(c[0]), Value: value})
	}
	return out
}

// checkOrder fails if an instance lists its properties in another order than the table does (base class first, each
// class in its own order): the scene writer's order rests on that.
func checkOrder(classes []dumped) error {
	byName := map[string]dumped{}
	for _, class := range classes {
		byName[class.Name] = class
	}
	for _, class := range classes {
		var expected []string
		for at := class.Name; at != ""; at = byName[at].Parent {
			var own []string
			for _, p := range byName[at].Properties {
				own = append(own, str(p[0]))
			}
			expected = append(own, expected...)
		}
		both := func(list, other []string) []string {
			return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return !slices.Contains(other, name) })
		}
		if class.Order != nil && !slices.Equal(both(class.Order, expected), both(expected, class.Order)) {
			return fmt.Errorf("an instance of %s lists its properties in another order than the class", class.Name)
		}
	}
	return nil
}

func line(to *bytes.Buffer, name, parent string, flags int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // Only plain structs come here.
	}
	fmt.Fprintf(to, "%s\t%s\t%d\t%s\n", name, parent, flags, text)
}

func compress(path string, text []byte) error {
	var out bytes.Buffer
	writer, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := writer.Write(text); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, %d compressed\n", filepath.Base(path), len(text), out.Len())
	return os.WriteFile(path, out.Bytes(), 0o644)
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func num(v any) int {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return int(i)
}

func text(v any) *string {
	if s, ok := v.(string); ok {
		return &s
	}
	return nil
}
