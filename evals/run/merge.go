package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
)

// Merge joins the shards of one run into a folder. missing are the keys of
// trials that no shard has.
func Merge(out Folder, parts []Folder) (n int, missing []string, err error) {
	if _, err := out.Manifest(); err == nil {
		return 0, nil, fmt.Errorf("%s holds a run already; choose another folder", string(out))
	}
	var whole Manifest
	all := map[string]Record{}
	for i, p := range parts {
		m, err := p.Manifest()
		if err != nil {
			return 0, nil, err
		}
		m.Shard = Shard{}
		if i > 0 && !reflect.DeepEqual(m, whole) {
			return 0, nil, fmt.Errorf("%s and %s are not shards of one run", string(parts[0]), string(p))
		}
		whole = m
		records, err := p.Records()
		if err != nil {
			return 0, nil, err
		}
		for _, r := range records {
			if o, twice := all[r.Key()]; twice {
				if !same(o, r) {
					return 0, nil, fmt.Errorf("%s stands in two shards, with different results", r.Key())
				}
				continue
			}
			all[r.Key()] = r
			if err := os.MkdirAll(filepath.Dir(out.trial(r)), 0o755); err != nil {
				return 0, nil, err
			}
			if err := os.CopyFS(out.trial(r), os.DirFS(p.trial(r))); err != nil {
				return 0, nil, err
			}
		}
	}
	if err := out.begin(whole); err != nil {
		return 0, nil, err
	}
	var records []Record
	for _, r := range all {
		records = append(records, r)
	}
	for id := range whole.Tasks {
		for _, a := range whole.Agents {
			for trial := 1; trial <= whole.Trials; trial++ {
				if key := (Record{Agent: a.Name, Task: id, Trial: trial}).Key(); all[key].Task == "" {
					missing = append(missing, key)
				}
			}
		}
	}
	slices.Sort(missing)
	return len(records), missing, out.write(records)
}

// same compares all but the wall times.
func same(a, b Record) bool {
	a.WallMS, b.WallMS = 0, 0
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && string(x) == string(y)
}
