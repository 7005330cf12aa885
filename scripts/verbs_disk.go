package scripts

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/testscript"
)

// verbDisk looks at and changes the project's files from outside the editor.
func verbDisk(ts *testscript.TestScript, neg bool, args []string) {
	if err := disk(of(ts), ts, neg, args); err != nil {
		ts.Fatalf("%v", err)
	}
}

func disk(sc *scenario, ts *testscript.TestScript, neg bool, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: disk cat|has|write|rewrite|rm|mkdir|link|pipe|same PATH …")
	}
	verb, path := args[0], strings.TrimPrefix(args[1], "res://")
	if neg && verb != "has" && verb != "same" && verb != "cat" {
		return fmt.Errorf("disk %s cannot be negated", verb)
	}
	switch verb {
	case "write", "rewrite":
		if len(args) != 3 {
			return fmt.Errorf("usage: disk %s PATH FILE", verb)
		}
		content, err := member(sc, ts, args[2])
		if err != nil {
			return err
		}
		return sc.each(func(s *session) error {
			if verb == "rewrite" {
				return s.backend.RewriteFile(sc.ctx, path, content)
			}
			return s.backend.WriteFile(sc.ctx, path, content)
		})
	case "link":
		if len(args) != 3 {
			return fmt.Errorf("usage: disk link PATH TARGET")
		}
		return sc.each(func(s *session) error {
			target := args[2]
			if rest, ok := strings.CutPrefix(target, beside); ok {
				target = filepath.Join(s.strange, rest)
			}
			return s.backend.Link(sc.ctx, path, target)
		})
	case "rm":
		return sc.each(func(s *session) error { return s.backend.RemoveFile(sc.ctx, path) })
	case "pipe":
		return sc.each(func(s *session) error { return s.backend.Pipe(sc.ctx, path) })
	case "mkdir":
		return sc.each(func(s *session) error { return s.backend.MakeFolder(sc.ctx, path) })
	}

	v, err := sc.agree(nil, func(s *session) (any, error) {
		files, err := s.backend.Files(sc.ctx)
		if err != nil {
			return nil, err
		}
		content, ok := files[path]
		if !ok {
			return nil, nil
		}
		return maskIDs(path, string(content)), nil
	})
	if err != nil {
		return err
	}
	text, exists := v.(string)
	switch verb {
	case "cat":
		if exists == neg {
			return fmt.Errorf("%s: exists is %v", path, exists)
		}
		_, err := io.WriteString(ts.Stdout(), text)
		return err
	case "has":
		if len(args) != 3 {
			return fmt.Errorf("usage: disk has PATH REGEXP")
		}
		re, err := regexp.Compile("(?m)" + args[2])
		if err != nil {
			return err
		}
		if !exists {
			return fmt.Errorf("%s does not exist", path)
		}
		if re.MatchString(text) == neg {
			return fmt.Errorf("%s: match of %q is %v in\n%s", path, args[2], !neg, text)
		}
		return nil
	case "same":
		start, had := sc.files[path]
		same := had == exists && bytes.Equal([]byte(maskIDs(path, string(start))), []byte(text))
		if same == neg {
			return fmt.Errorf("%s: same as at the start is %v:\n%s", path, same, diff.Diff("start", start, "now", []byte(text)))
		}
		return nil
	}
	return fmt.Errorf("unknown verb disk %s", verb)
}

var nodeID = regexp.MustCompile(`(unique_id=)\d+|(parent_id_path=PackedInt32Array\()[\d, ]+`)

// maskIDs hides the only digits of a scene file that the engine draws at random.
func maskIDs(path, text string) string {
	if !strings.HasSuffix(path, ".tscn") {
		return text
	}
	return nodeID.ReplaceAllString(text, "${1}${2}R")
}

// verbSave saves the edited scene and shows what that changed in its file.
func verbSave(sc *scenario, ts *testscript.TestScript, args []string) error {
	if len(args) != 0 {
		return fmt.Errorf("usage: save")
	}
	v, err := sc.agree(nil, func(s *session) (any, error) {
		before, err := s.backend.Files(sc.ctx)
		if err != nil {
			return nil, err
		}
		answer, err := s.mustSucceed(sc.ctx, s.tool("save_scene"), map[string]any{})
		if err != nil {
			return nil, err
		}
		path, _ := answer["path"].(string)
		path = strings.TrimPrefix(path, "res://")
		after, err := s.backend.Files(sc.ctx)
		if err != nil {
			return nil, err
		}
		// The digest is of bytes with digits drawn at random, so two editors
		// cannot agree on it; that it is the file's is checked here instead.
		if sum := fmt.Sprintf("%x", sha256.Sum256(after[path])); answer["sha256"] != sum {
			return nil, broken("sha256 is that of the saved file", "the answer says %v, the file has %s", answer["sha256"], sum)
		}
		answer = forgetKeys(answer, []string{"sha256"}).(map[string]any)
		a, b := maskIDs(path, string(before[path])), maskIDs(path, string(after[path]))
		return map[string]any{"answer": answer, "diff": string(diff.Diff("before", []byte(a), "after", []byte(b))), "file": b}, nil
	})
	if err != nil {
		return err
	}
	m := v.(map[string]any)
	sc.answer = m["answer"]
	_, err = io.WriteString(ts.Stdout(), m["diff"].(string))
	return err
}
