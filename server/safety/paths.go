package safety

import (
	"errors"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxPathBytes = 4096

// ResPath cleans a path of a project file and proves that it stays inside the
// project by its text alone: res:// only, no "..", no drive, no backslash, no
// percent escape, no control character. [InProject] follows links
// besides. The error says what is wrong in a few words.
func ResPath(s string) (string, error) {
	if err := plainText(s); err != nil {
		return "", err
	}
	rest, ok := strings.CutPrefix(s, "res://")
	switch {
	case strings.HasPrefix(s, "user://"):
		return "", errors.New("user:// is outside the project")
	case strings.HasPrefix(s, "uid://"):
		return "", errors.New("a uid is not a path; give the res:// path")
	case !ok:
		return "", errors.New("it does not begin with res://")
	case strings.Contains(rest, `\`):
		return "", errors.New("backslashes are not allowed")
	case strings.Contains(rest, "%"):
		return "", errors.New("percent signs are not allowed")
	case strings.Contains(rest, ":"):
		return "", errors.New("colons are not allowed")
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." {
			return "", errors.New("it leaves its folder (..)")
		}
		if part != "." && part != "" && strings.Trim(part, ". ") == "" {
			return "", errors.New("a name of dots or blanks only is not allowed")
		}
	}
	clean := path.Clean("/" + rest)[1:]
	return "res://" + clean, nil
}

// CleanNodePath turns the forms that callers invent into a path below the root
// of the edited scene: "/root", a leading "/", "./" and an empty text are the
// root or begin there. rootName, when known, also drops "/root/<rootName>/".
// A path that climbs out of the scene is refused.
func CleanNodePath(s, rootName string) (string, error) {
	if err := plainText(s); err != nil {
		return "", err
	}
	if strings.HasPrefix(s, ":") {
		// A reference to a node that an earlier step of the same edit makes.
		return s, nil
	}
	if i := strings.IndexByte(s, ':'); i >= 0 {
		return "", errors.New("a property is not part of a node path")
	}
	rest := s
	if abs := strings.HasPrefix(s, "/"); abs {
		rest = strings.TrimLeft(s, "/")
		if rest == "root" || strings.HasPrefix(rest, "root/") {
			rest = strings.TrimLeft(rest[len("root"):], "/")
			if rootName != "" && (rest == rootName || strings.HasPrefix(rest, rootName+"/")) {
				rest = rest[len(rootName):]
			}
		}
	}
	var parts []string
	for part := range strings.SplitSeq(rest, "/") {
		switch part {
		case "", ".":
		case "..":
			if len(parts) == 0 {
				return "", errors.New("it climbs above the scene root")
			}
			parts = parts[:len(parts)-1]
		default:
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return ".", nil
	}
	return strings.Join(parts, "/"), nil
}

func plainText(s string) error {
	if len(s) > maxPathBytes {
		return errors.New("it is too long")
	}
	if !utf8.ValidString(s) {
		return errors.New("it is not valid UTF-8")
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return errors.New("it has a control or invisible character")
		}
	}
	return nil
}
