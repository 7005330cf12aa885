package safety

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is how deep JSON from outside may nest. The deepest sound call, a
// value in an entry of a batch, stays below a tenth of it.
const maxDepth = 256

// StrictJSON proves that a JSON text means the same to everybody who reads it:
// no object has a member twice (readers disagree on which counts), all text is
// Unicode without lone surrogates, and nothing nests deeper than 256 levels. The
// error says what is wrong in a few words, and where.
func StrictJSON(raw []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		_, err := d.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, jsontext.ErrDuplicateName):
			return fmt.Errorf("%s is given twice", at(err))
		case err != nil:
			return errors.New("it is not valid JSON in UTF-8")
		case d.StackDepth() > maxDepth:
			return fmt.Errorf("it nests deeper than %d levels", maxDepth)
		}
	}
}

// at is the place of a fault as a JSON pointer, cut to a bearable length.
func at(err error) string {
	const most = 80
	var s *jsontext.SyntacticError
	if !errors.As(err, &s) {
		return "a member"
	}
	p := []rune(string(s.JSONPointer))
	if len(p) > most {
		p = append(p[:most], '…')
	}
	return fmt.Sprintf("%q", string(p))
}
