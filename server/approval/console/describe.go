package console

import (
	"encoding/json"

	"godot-mcp/server/approval"
)

// detail is a question as the page shows it. All judgement about what the
// preview means is made here, so that the page only sets text.
type detail struct {
	ID           string   `json:"id"`
	Tool         string   `json:"tool"`
	Class        string   `json:"class"`
	Irreversible bool     `json:"irreversible"`
	Targets      []string `json:"targets"`
	Client       string   `json:"client"`
	Rule         string   `json:"rule"`
	Asked        string   `json:"asked"` // RFC 3339
	// Phrase has to be typed to approve; empty when pressing is enough.
	Phrase string `json:"phrase"`
	// Parts are the call, or the entries of a batch.
	Parts []part `json:"parts"`
	// Raw is the whole preview, indented; empty without one.
	Raw string `json:"raw"`
}

// part is one call: what it would do, then what it was told.
type part struct {
	Tool    string     `json:"tool"`
	Class   string     `json:"class"`
	Targets []string   `json:"targets"`
	Notes   []note     `json:"notes"`
	Changes []change   `json:"changes"`
	Lists   []list     `json:"lists"`
	Diffs   []fileDiff `json:"diffs"`
	Facts   []fact     `json:"facts"`
	// Preview says whether there is one.
	Preview   bool       `json:"preview"`
	Arguments []argument `json:"arguments"`
}

// note is a sentence; a warning is one that should stop a hurried reader.
type note struct {
	Warning bool   `json:"warning"`
	Text    string `json:"text"`
	// Quote is text of the editor or the project that belongs to it.
	Quote string `json:"quote"`
}

// change is one value before and after. Values are JSON.
type change struct {
	Object string  `json:"object"`
	Name   string  `json:"name"`
	Before *string `json:"before"` // nil: not known
	After  *string `json:"after"`
	New    bool    `json:"new"` // there was nothing before
}

// list names things of one fate.
type list struct {
	Title string   `json:"title"`
	Tone  string   `json:"tone"` // added, removed, changed or lost
	Items []string `json:"items"`
	More  int      `json:"more"` // that the editor counted and did not name
}

// fileDiff is a text file before and after, as lines that begin with a space,
// +, - or @ (a place in the file).
type fileDiff struct {
	Path  string   `json:"path"`
	Title string   `json:"title"`
	Lines []string `json:"lines"`
	Cut   int      `json:"cut"` // further lines; the arguments hold all
}

type fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// argument is one argument of a call. Text is a long text as it is; otherwise
// JSON is the value, indented when it is long.
type argument struct {
	Name string `json:"name"`
	JSON string `json:"json"`
	Text string `json:"text"`
}

func describe(it *item) detail {
	q := &it.question
	d := detail{
		ID: q.ID, Tool: q.Tool, Class: q.Class, Irreversible: q.Irreversible, Targets: orEmpty(targets(q)), Client: q.Client, Rule: q.Rule,
		Asked: q.Asked.UTC().Format("2006-01-02T15:04:05.000Z07:00"), Phrase: it.phrase, Raw: indent(q.Preview),
	}
	if len(q.Entries) == 0 {
		d.Parts = []part{describeCall(q.Tool, q.Class, q.Targets, q.Arguments, q.Preview, q.Present)}
		return d
	}
	previews := entryPreviews(q)
	for i, e := range q.Entries {
		var preview json.RawMessage
		if i < len(previews) {
			preview = previews[i]
		}
		d.Parts = append(d.Parts, describeCall(e.Tool, e.Class, e.Targets, e.Arguments, preview, q.Present))
	}
	return d
}

// entryPreviews are the previews of a batch in the order of its entries. The
// preview of a batch holds them as results; an entry that fails holds its
// failure instead.
func entryPreviews(q *approval.Question) []json.RawMessage {
	var p struct {
		Results []struct {
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
		} `json:"results"`
	}
	if json.Unmarshal(q.Preview, &p) != nil {
		return nil
	}
	var out []json.RawMessage
	for _, r := range p.Results {
		if r.Result == nil {
			r.Result = r.Error
		}
		out = append(out, r.Result)
	}
	return out
}

func describeCall(tool, class string, targets []string, args, preview json.RawMessage, present approval.Present) part {
	p := part{
		Tool: tool, Class: class, Targets: orEmpty(targets), Arguments: arguments(args),
		Notes: []note{}, Changes: []change{}, Lists: []list{}, Diffs: []fileDiff{}, Facts: []fact{},
	}
	r := &reading{part: &p, args: object(args), preview: object(preview), order: members(preview), present: present, used: map[string]bool{}}
	p.Preview = len(r.preview) > 0
	r.read()
	return p
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
