package journal

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Book is a journal as a person reads it, without a server.
type Book struct {
	File    string
	Project string
	Records []Record // oldest first
}

// Files lists the journals of a state folder; with a project only that one's, if
// it has one.
func Files(dir, project string) ([]string, error) {
	if project != "" {
		abs, err := filepath.Abs(project)
		if err != nil {
			return nil, err
		}
		file := File(dir, clean(abs))
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no journal of %s", project)
		}
		return []string{file}, nil
	}
	return filepath.Glob(filepath.Join(dir, "journal", "*.db"))
}

// ReadFile reads a journal. While a server has it open it is busy.
func ReadFile(file string) (Book, error) {
	s, records, err := openFile(file, "", true)
	if err != nil {
		return Book{}, err
	}
	b := Book{File: file}
	b.Project, err = s.project()
	for _, r := range records {
		b.Records = append(b.Records, r)
	}
	slices.SortFunc(b.Records, func(x, y Record) int { return cmp.Or(x.Began.Compare(y.Began), cmp.Compare(x.ID, y.ID)) })
	if closed := s.close(); err == nil {
		err = closed
	}
	return b, err
}

// SettleFile ends a record by a person's word: the change is there, and a repeat
// is answered, or it is not, and the id is free.
func SettleFile(file, id string, applied bool, now time.Time) error {
	s, records, err := openFile(file, "", false)
	if err != nil {
		return err
	}
	defer func() { _ = s.close() }()
	r, ok := records[id]
	switch {
	case !ok:
		return fmt.Errorf("there is no record of %q", id)
	case r.State == Done:
		return fmt.Errorf("the record of %q is settled already", id)
	case !applied:
		return s.remove(id)
	}
	r.end(Done, ByPerson, BareAnswer("A person has seen that the change is there."), nil, now)
	return s.put(r)
}
