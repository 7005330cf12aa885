// Package rulefile reads permission files: a layer of rules ([safety.Layer]) in
// YAML.
//
//	rules:
//	  - effect: deny                     # allow, ask or deny
//	    path: res://addons/*             # glob; * crosses slashes
//	    reason: the addons are vendored  # told to the caller
//	  - effect: ask
//	    class: destructive               # read_only, mutating, destructive, runtime
//	  - effect: allow
//	    tool: godot_scene_edit_delete_node  # glob over names
//	    args:
//	      node_path: {glob: "Tmp/*"}     # or {equals: Tmp/A}, or just the text
//	    overrides: true                  # loosen what the mode says
//
// All conditions of a rule must hold; further ones are toolset and gated. The
// file is read strictly: whatever it says that is not understood, or that could
// never apply, is an error with its line. Nothing of a faulty file is used.
package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
)

const (
	maxFile   = 1 << 20
	maxReason = 200
)

// Load reads a permission file for a catalogue. A file that anybody may write
// is refused.
func Load(file string, c *catalog.Catalog) (*safety.Layer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", file)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0:
		return nil, fmt.Errorf("%s can be written by everybody; take that right away (chmod o-w)", file)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	return Parse(filepath.Base(file), text, c)
}

// Parse reads the text of a permission file; name is what rulings call it.
func Parse(name string, text []byte, c *catalog.Catalog) (*safety.Layer, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s is longer than 1 MiB", name)
	}
	p := &parser{name: name, catalog: c}
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, more yaml.Node
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s is empty; it needs the key rules", name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: only one YAML document is allowed", name)
	}
	layer := &safety.Layer{Name: name}
	var list *yaml.Node
	if err := p.mapping(doc.Content[0], map[string]func(*yaml.Node) error{
		"rules": func(n *yaml.Node) error { list = n; return nil },
	}); err != nil {
		return nil, err
	}
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return nil, p.bad(doc.Content[0], "rules must be a list with at least one rule")
	}
	for _, n := range list.Content {
		r, err := p.rule(n)
		if err != nil {
			return nil, err
		}
		layer.Rules = append(layer.Rules, r)
	}
	return layer, nil
}

type parser struct {
	name    string
	catalog *catalog.Catalog
}

func (p *parser) bad(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("%s line %d: %s", p.name, n.Line, fmt.Sprintf(format, args...))
}

// mapping hands the values of a mapping to the readers of its keys.
func (p *parser) mapping(n *yaml.Node, keys map[string]func(*yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return p.bad(n, "keys with values are expected here")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read := keys[key.Value]
		if read == nil {
			known := make([]string, 0, len(keys))
			for k := range keys {
				known = append(known, k)
			}
			slices.Sort(known)
			return p.bad(key, "unknown key %q; there are %s", key.Value, strings.Join(known, ", "))
		}
		if seen[key.Value] {
			return p.bad(key, "%q stands twice", key.Value)
		}
		seen[key.Value] = true
		if err := read(value); err != nil {
			return err
		}
	}
	return nil
}

// text reads a value that is one text. Numbers and booleans count as written.
func (p *parser) text(n *yaml.Node, into *string) error {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Value == "" {
		return p.bad(n, "a text is expected here")
	}
	*into = n.Value
	return nil
}

func (p *parser) flag(n *yaml.Node, into *bool) error {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		return p.bad(n, "true or false is expected here")
	}
	return n.Decode(into)
}

func (p *parser) pattern(n *yaml.Node, into *string) error {
	if err := p.text(n, into); err != nil {
		return err
	}
	if _, err := path.Match(*into, ""); err != nil || strings.Contains(*into, "[!") {
		return p.bad(n, "%q is not a pattern: * stands for any text, ? for one letter, [ab] for one of them, [^ab] for none of them", *into)
	}
	return nil
}

func (p *parser) choice(n *yaml.Node, into *string, choices []string) error {
	if err := p.text(n, into); err != nil {
		return err
	}
	if !slices.Contains(choices, *into) {
		return p.bad(n, "%q is none of %s", *into, strings.Join(choices, ", "))
	}
	return nil
}
