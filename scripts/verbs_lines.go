package scripts

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// verbLines sends raw lines to the server on a connection of their own, as a
// client on stdio that keeps no rule might, and shows the lines that came back.
func verbLines(sc *scenario, ts *testscript.TestScript, args []string) error {
	return sc.sendRaw(ts, "lines", args, func(s *session, content []byte) (any, error) {
		var out bytes.Buffer
		err := s.srv.ServeLines(sc.ctx, io.NopCloser(bytes.NewReader(content)), &out)
		// Answers come in any order.
		got := strings.SplitAfter(strings.TrimRight(out.String(), "\n")+"\n", "\n")
		slices.Sort(got)
		return strings.Join(got, ""), err
	})
}

// sendRaw gives the bytes of a member to every session and shows what came of it.
func (sc *scenario) sendRaw(ts *testscript.TestScript, verb string, args []string, send func(*session, []byte) (any, error)) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: %s FILE", verb)
	}
	content, err := member(sc, ts, args[0])
	if err != nil {
		return err
	}
	for _, s := range sc.sessions {
		s.mark()
	}
	v, err := sc.agree(nil, func(s *session) (any, error) { return send(s, content) })
	if err != nil {
		return err
	}
	return sc.show(ts, v)
}
