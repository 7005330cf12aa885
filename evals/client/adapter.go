// Package client measures agents that are programs of others: any MCP client
// that starts a server on stdin and stdout. How one is started is data, an
// [Adapter]; what it says to its server reaches a world through [Attach].
package client

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// Adapter says how a client is started. In Argv, Env and Files these stand for
// something: {prompt}, {model}, {base_url}, {dir} (an empty folder, where the
// client runs), {home} (another one), {self} (this program), and how the world of
// the trial is reached: over HTTP at {url} with the bearer {token}, or by a server
// that the client starts, {self} "eval attach" with {address} and {token} in its
// environment. Where {url} stands nowhere it is the latter.
type Adapter struct {
	Name string   `json:"name"`
	Argv []string `json:"argv"`
	// Env is the whole environment, but for PATH and what PassEnv names.
	Env     map[string]string `json:"env,omitempty"`
	PassEnv []string          `json:"pass_env,omitempty"`
	// Files are written below {dir} or {home} first.
	Files map[string]string `json:"files,omitempty"`
	// Stream says how the client's output is read: text, claude, codex or opencode.
	Stream string `json:"stream"`
	// FixedTools: the client reads the list of tools once and takes no notice when
	// it changes. It finds the toolsets that a task needs switched on.
	FixedTools bool `json:"fixed_tools,omitempty"`
}

// Ready says what is missing to start the client: its program, or a value that
// the adapter wants. Nil when nothing is.
func (a Adapter) Ready(o Options) error {
	if o.Model == "" && a.mentions("{model}") {
		return fmt.Errorf("client %s needs --model", a.Name)
	}
	if _, err := exec.LookPath(a.Argv[0]); err != nil && !strings.Contains(a.Argv[0], "{") {
		return fmt.Errorf("client %s: there is no program %s on PATH", a.Name, a.Argv[0])
	}
	return nil
}

// HTTP says whether the client reaches its world over HTTP.
func (a Adapter) HTTP() bool { return a.mentions("{url}") }

func (a Adapter) mentions(name string) bool {
	all := slices.Concat(a.Argv, slices.Collect(maps.Values(a.Env)), slices.Collect(maps.Values(a.Files)))
	return slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, name) })
}

//go:embed adapters/*.json
var builtin embed.FS

// Names lists the adapters that come with the program.
func Names() []string {
	all, _ := fs.Glob(builtin, "adapters/*.json")
	for i, p := range all {
		all[i] = strings.TrimSuffix(path.Base(p), ".json")
	}
	slices.Sort(all)
	return all
}

// Load reads an adapter: one of those that come with the program, or a file.
func Load(name string) (Adapter, error) {
	var a Adapter
	text, err := builtin.ReadFile("adapters/" + name + ".json")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			return a, fmt.Errorf("no adapter %q: there are %s, or give a file: %w", name, strings.Join(Names(), " "), err)
		}
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return a, fmt.Errorf("adapter %s: %w", name, err)
	}
	switch {
	case a.Name == "" || len(a.Argv) == 0:
		return a, fmt.Errorf("adapter %s: name and argv are needed", name)
	case !slices.Contains(streams(), a.Stream):
		return a, fmt.Errorf("adapter %s: stream is one of %s", name, strings.Join(streams(), " "))
	}
	return a, nil
}

// fill puts values into a text. In JSON files a value stands inside quotes.
func fill(text string, values map[string]string, quoted bool) string {
	var pairs []string
	for k, v := range values {
		if quoted {
			b, _ := json.Marshal(v)
			v = string(b[1 : len(b)-1])
		}
		pairs = append(pairs, "{"+k+"}", v)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
