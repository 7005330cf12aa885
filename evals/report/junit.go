package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"godot-mcp/evals/run"
)

type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Props    []property `xml:"properties>property,omitempty"`
	Cases    []testcase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testcase struct {
	Class   string  `xml:"classname,attr"`
	Name    string  `xml:"name,attr"`
	Time    string  `xml:"time,attr"`
	Failure *detail `xml:"failure,omitempty"`
	Error   *detail `xml:"error,omitempty"`
	Skipped *detail `xml:"skipped,omitempty"`
}

type detail struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the trials as test cases: one suite an agent and category. A
// trial that is not trusted is a failure, a fault of the infrastructure or of a
// grader an error, a tainted trial is skipped.
func JUnit(w io.Writer, records []run.Record, agents []Agent) error {
	by := map[string]*suite{}
	for _, r := range records {
		category, _, _ := strings.Cut(r.Task, "/")
		name := r.Agent + "/" + category
		s := by[name]
		if s == nil {
			s = &suite{Name: name}
			for _, a := range agents {
				if a.Name == r.Agent {
					s.Props = []property{{"trusted^1", a.Trusted1.String()}, {fmt.Sprintf("trusted^%d", a.K), a.TrustedK.String()}, {"pass@1", a.Pass1.String()}}
				}
			}
			by[name] = s
		}
		c := testcase{Class: name, Name: fmt.Sprintf("%s #%d", r.Task, r.Trial), Time: fmt.Sprintf("%.3f", float64(r.WallMS)/1000)}
		var why []string
		for _, f := range r.Grade.Findings {
			if f.Verdict == "fail" {
				why = append(why, f.Check+": "+f.Why+refs(f.Calls, f.Effects))
			}
		}
		s.Tests++
		switch {
		case r.Outcome == run.Tainted:
			s.Skipped++
			c.Skipped = &detail{Message: r.Cause}
		case r.Outcome != run.Scored:
			s.Errors++
			c.Error = &detail{Message: r.Cause}
		case !r.Trusted:
			s.Failures++
			c.Failure = &detail{Message: strings.Join(r.Failed, " "), Text: printable(strings.Join(why, "\n"))}
		}
		s.Cases = append(s.Cases, c)
	}
	var out suites
	for _, name := range slices.Sorted(mapKeys(by)) {
		out.Suites = append(out.Suites, *by[name])
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// printable leaves out what XML cannot hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}
