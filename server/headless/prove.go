package headless

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// proveLimit bounds the one start of a program that has not proved itself.
const proveLimit = 20 * time.Second

// versionLine is what Godot prints, such as 4.6.3.stable.official.9b2b9c9d8.
var versionLine = regexp.MustCompile(`^\d+\.\d+(\.\d+)?\.(dev|alpha|beta|rc|stable)\d*(\.[\w.+~-]+)*$`)

// NotGodot says that a program is something other than Godot.
type NotGodot struct {
	Bin  string
	Said string // first line of its output
}

func (e *NotGodot) Error() string {
	return fmt.Sprintf("%s is not Godot: it answered --version with %q", e.Bin, e.Said)
}

// Prove makes a program show that it is Godot before it gets to see a project.
// It is started with --version and nothing else. The result is its version; the
// error is [*NotGodot] or that of starting it.
func Prove(ctx context.Context, bin string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, proveLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "--version")
	cmd.Env = environ(os.Environ())
	out := &head{}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	// Some builds end --version with code 255.
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		return "", err
	}
	if ctx.Err() != nil {
		return "", fmt.Errorf("%s: %w", bin, ctx.Err())
	}
	said := ""
	for line := range strings.SplitSeq(out.String(), "\n") {
		line = strings.TrimSpace(line)
		if versionLine.MatchString(line) {
			return line, nil
		}
		if said == "" {
			said = line
		}
	}
	if r := []rune(said); len(r) > 120 {
		said = string(r[:120])
	}
	return "", &NotGodot{Bin: bin, Said: said}
}
