package gdscript_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"godot-mcp/server/godot/gdscript"
)

// FuzzScan looks for scripts that make the reader panic, hang, or report places that the script does not have.
func FuzzScan(f *testing.F) {
	archive, err := txtar.ParseFile("testdata/faults.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range archive.Files {
		if strings.HasSuffix(file.Name, ".gd") {
			f.Add(string(file.Data))
		}
	}
	f.Add(enemy)
	f.Fuzz(func(t *testing.T, src string) {
		script := gdscript.Scan(src)
		lines := strings.Count(src, "\n") + 1
		for _, v := range script.Variables {
			if v.Line < 1 || v.Line > lines || v.Name == "" {
				t.Errorf("variable %q in line %d of %d", v.Name, v.Line, lines)
			}
		}
		for _, fn := range script.Functions {
			if fn.Line < 1 || fn.EndLine < fn.Line || fn.EndLine > lines {
				t.Errorf("function %q in lines %d to %d of %d", fn.Name, fn.Line, fn.EndLine, lines)
			}
		}
		for _, finding := range gdscript.Check(src, nothingKnown) {
			if finding.Line < 1 || finding.Line > lines+1 || finding.Column < 1 || finding.TokenColumn < 1 || finding.Message == "" {
				t.Errorf("finding %+v in %d lines", finding, lines)
			}
		}
	})
}
