package classdb

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"godot-mcp/server/godot/classdb/internal/format"
)

//go:embed table.gz
var tableGz []byte

//go:embed methods.gz
var methodsGz []byte

// table is the unpacked text with its classes found but not parsed.
type table struct {
	version string
	names   []string
	classes map[string]*entry
	engine  func() format.Engine
}

// entry is one class; record and resolve are parsed on first use.
type entry struct {
	info    ClassInfo
	parent  *entry
	record  func() *format.Class
	resolve func() *resolved
}

var load = sync.OnceValue(func() *table { return parseTable(unpack(tableGz)) })

// methodLines maps a class to the unparsed list of its own methods.
var methodLines = sync.OnceValue(func() map[string][]byte {
	out := map[string][]byte{}
	eachLine(unpack(methodsGz), func(name, _, _ string, text []byte) { out[name] = text })
	return out
})

func parseTable(text []byte) *table {
	t := &table{classes: make(map[string]*entry, 1100)}
	eachLine(text, func(name, parent, flags string, text []byte) {
		if name == "@" {
			t.version = parent
			t.engine = sync.OnceValue(func() format.Engine { return decode[format.Engine](text) })
			return
		}
		e := &entry{info: ClassInfo{
			Name: name, Parent: parent,
			Instantiable: (flags[0]-'0')&format.Instantiable != 0, Editor: (flags[0]-'0')&format.Editor != 0,
		}}
		e.record = sync.OnceValue(func() *format.Class {
			record := decode[format.Class](text)
			return &record
		})
		e.resolve = sync.OnceValue(func() *resolved { return resolveProperties(e) })
		t.classes[name] = e
		t.names = append(t.names, name)
	})
	for _, e := range t.classes {
		e.parent = t.classes[e.info.Parent]
	}
	return t
}

// eachLine calls f for each line of an unpacked text.
func eachLine(text []byte, f func(name, parent, flags string, json []byte)) {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		text = rest
		fields := bytes.SplitN(line, []byte("\t"), 4)
		f(string(fields[0]), string(fields[1]), string(fields[2]), fields[3])
	}
}

// unpack and decode panic on a fault, since the text is part of the program and read by its tests.
func unpack(packed []byte) []byte {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		panic(fmt.Sprintf("classdb: %v", err))
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		panic(fmt.Sprintf("classdb: %v", err))
	}
	return text
}

func decode[T any](text []byte) T {
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		panic(fmt.Sprintf("classdb: %v", err))
	}
	return v
}
