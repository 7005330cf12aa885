package catalog

import "encoding/json"

// MaxAnswer bounds the JSON text of one answer, in bytes. Clients refuse
// longer ones, and a long one fills the model's context.
const MaxAnswer = 25_000

// Page is embedded in the output of tools that list things.
type Page struct {
	Total     int  `json:"total"`
	Returned  int  `json:"returned"`
	Truncated bool `json:"truncated"`
	// NextOffset is where the rest begins; absent when there is none.
	NextOffset int `json:"next_offset,omitempty"`
}

// Paged fits a list that begins at offset of total things into an answer: it
// keeps as many items as budget bytes of JSON allow (budget 0: [MaxAnswer] less
// room for the other fields) and tells the truth about the rest. At least one
// item is kept, so that paging always gets on.
func Paged[T any](items []T, offset, total, budget int) ([]T, Page) {
	if budget <= 0 {
		budget = MaxAnswer - 1_500
	}
	kept := 0
	for _, it := range items {
		raw, err := json.Marshal(it)
		if err != nil {
			break
		}
		budget -= len(raw) + 1
		if budget < 0 && kept > 0 {
			break
		}
		kept++
	}
	p := Page{Total: total, Returned: kept, Truncated: offset+kept < total}
	if p.Truncated {
		p.NextOffset = offset + kept
	}
	if items == nil {
		items = []T{}
	}
	return items[:kept], p
}
