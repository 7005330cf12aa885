package evidence

import (
	"encoding/json"
	"slices"
	"strings"
)

// Report is what the agent says at the end, in the words of [Contract].
type Report struct {
	Outcome    string         `json:"outcome"`
	Saved      string         `json:"saved"`
	Why        string         `json:"why,omitempty"`
	Unverified []string       `json:"unverified,omitempty"`
	Answers    map[string]any `json:"answers,omitempty"`
}

// Outcomes and Saves are the words that a report may use.
var (
	Outcomes = []string{"done", "partial", "not_done"}
	Saves    = []string{"yes", "no", "partly", "not_needed", "unknown"}
)

// Contract follows every prompt. The words are the same everywhere, so that
// they carry no hint.
const Contract = `When you have finished, end your last message with one JSON block:
{"outcome":"done|partial|not_done","saved":"yes|no|partly|not_needed|unknown","why":"short, if not done","unverified":["what you did not check"],"answers":{}}`

// ContractVersion names the wording in manifests.
const ContractVersion = 1

// ParseReport finds the last JSON object in a text that is a report; nil if
// there is none.
func ParseReport(text string) *Report {
	for end := len(text); end > 0; {
		start := strings.LastIndexByte(text[:end], '{')
		if start < 0 {
			return nil
		}
		end = start
		var r Report
		d := json.NewDecoder(strings.NewReader(text[start:]))
		if d.Decode(&r) == nil && slices.Contains(Outcomes, r.Outcome) && slices.Contains(Saves, r.Saved) {
			return &r
		}
	}
	return nil
}

// String is the report as an agent writes it.
func (r *Report) String() string {
	b, err := json.Marshal(r)
	if err != nil {
		return ""
	}
	return string(b)
}
