package main

import (
	"encoding/json"
	"os"

	"godot-mcp/server/godot/classdb/internal/format"
)

// globalScope takes from the extension API what ClassDB does not have: the enums of @GlobalScope and the builtin
// types, whose names a script may use as types.
func globalScope(path string) (format.Globals, error) {
	var out format.Globals
	raw, err := os.ReadFile(path)
	if err != nil {
		return out, err
	}
	var api struct {
		GlobalEnums []struct {
			Name       string
			IsBitfield bool `json:"is_bitfield"`
			Values     []struct {
				Name  string
				Value int64
			}
		} `json:"global_enums"`
		UtilityFunctions []struct{ Name string } `json:"utility_functions"`
		BuiltinClasses   []struct{ Name string } `json:"builtin_classes"`
	}
	if err := json.Unmarshal(raw, &api); err != nil {
		return out, err
	}
	for _, e := range api.GlobalEnums {
		enum := format.Enum{Name: e.Name, Bitfield: e.IsBitfield}
		for _, v := range e.Values {
			enum.Values = append(enum.Values, format.Constant{Name: v.Name, Value: v.Value})
		}
		out.Enums = append(out.Enums, enum)
	}
	for _, f := range api.UtilityFunctions {
		out.Functions = append(out.Functions, f.Name)
	}
	for _, c := range api.BuiltinClasses {
		out.Builtin = append(out.Builtin, c.Name)
	}
	return out, nil
}
