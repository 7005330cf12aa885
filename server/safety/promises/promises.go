// Package promises lists what the safety model promises, each with the tests
// and scenarios that prove it or with the reason why none does. The table in
// server/safety/PROMISES.md is generated from promises.tsv; a test holds that
// it is current and that every test and scenario it names exists.
//
//go:generate go run ./internal/gen
package promises

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed promises.tsv
var table string

// Promise is one row: either Proof or Reason is there.
type Promise struct {
	Group, Text string
	Proof       []string // names of tests, and paths of scenarios from the top of the tree
	Reason      string
}

// All reads the table.
func All() ([]Promise, error) {
	var out []Promise
	for i, line := range strings.Split(strings.TrimRight(table, "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := append(strings.Split(line, "\t"), "")
		if len(cells) < 4 {
			return nil, fmt.Errorf("line %d has %d cells", i+1, len(cells)-1)
		}
		p := Promise{Group: cells[0], Text: cells[1], Proof: strings.Fields(cells[2]), Reason: cells[3]}
		if p.Text == "" || (len(p.Proof) == 0) == (p.Reason == "") {
			return nil, fmt.Errorf("line %d needs a promise, and either proof or a reason", i+1)
		}
		out = append(out, p)
	}
	return out, nil
}

// Markdown is the text of PROMISES.md.
func Markdown() (string, error) {
	all, err := All()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# What the safety model promises\n\nGenerated from promises/promises.tsv by `go generate ./server/safety/...`; do not edit.\nEach promise names the tests and scenarios that prove it, or says why there is none.\n")
	group := ""
	for _, p := range all {
		if p.Group != group {
			group = p.Group
			fmt.Fprintf(&b, "\n## %s\n\n| Promise | Proof |\n|---|---|\n", strings.ToUpper(group[:1])+group[1:])
		}
		proof := p.Reason
		if proof == "" {
			proof = "`" + strings.Join(p.Proof, "` `") + "`"
		} else {
			proof = "None: " + proof
		}
		fmt.Fprintf(&b, "| %s | %s |\n", p.Text, proof)
	}
	return b.String(), nil
}
