package files

import (
	"encoding/csv"
	"strings"
)

// translations are the languages of a translation table, as the files that an import
// makes of it are named (engine 4.6 experiment). A column without a single text gets the
// language that a new translation has.
func translations(data string) []string {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(data, "\ufeff")))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	head, err := r.Read()
	if err != nil || len(head) < 2 {
		return nil
	}
	var columns []int
	for i, name := range head[1:] {
		if name != "" && name[0] != '_' && name[0] != '?' {
			columns = append(columns, i+1)
		}
	}
	filled := map[int]bool{}
	for {
		row, err := r.Read()
		if err != nil {
			break
		}
		if row[0] == "" || len(row) < len(head) {
			continue
		}
		for _, i := range columns {
			filled[i] = filled[i] || row[i] != ""
		}
	}
	var out []string
	for _, i := range columns {
		if !filled[i] {
			out = append(out, "en")
			continue
		}
		out = append(out, locale(head[i]))
	}
	return out
}

// renamed are languages that the engine knows by newer codes.
var renamed = map[string]string{"in": "id", "iw": "he", "no": "nb", "jw": "jv", "mo": "ro", "sh": "sr", "tl": "fil"}

// locale is the standard form of a locale: language, script and country.
func locale(s string) string {
	parts := strings.Split(strings.NewReplacer("-", "_", "@", "_").Replace(s), "_")
	out := parts[0]
	if to, ok := renamed[out]; ok {
		out = to
	}
	parts = parts[1:]
	for _, p := range parts {
		switch {
		case strings.EqualFold(p, "latin"):
			out += "_Latn"
		case len(p) == 4 && upper(p[:1]) && p[1:] == strings.ToLower(p[1:]), len(p) == 2 && upper(p):
			out += "_" + p
		}
	}
	return out
}

func upper(s string) bool { return s == strings.ToUpper(s) && s != strings.ToLower(s) }
