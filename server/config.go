// Package server puts the server together: configuration, the catalogue and
// its safety gate, the bridge to the editor, and the MCP front over stdio and HTTP.
package server

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"godot-mcp/server/bridge"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/isolate"
	"godot-mcp/server/safety"
	"godot-mcp/server/safety/rulefile"
)

// Config is everything that is fixed at start. Make one with [DefaultConfig].
type Config struct {
	Version string
	Profile safety.Profile
	// Mode is empty for the profile's default.
	Mode safety.Mode
	// Permissions are the rules of the permission file; nil without one.
	Permissions *safety.Layer
	// AskExecutes: calls that a rule wants a person to approve run although
	// there is nobody to ask.
	AskExecutes bool
	// AllowDestructive exposes irreversible tools although nobody approves calls.
	AllowDestructive bool
	Approval         Approval
	// ConfirmEcho wants confirm to repeat the target of a destructive call.
	ConfirmEcho bool
	// RequireIdempotency wants an idempotencyId for every change.
	RequireIdempotency bool
	// StateDir is where the server remembers things; empty: [DefaultStateDir].
	StateDir string
	// Step is called at the steps of a journaled call, where tests of crashes
	// stop the process. Nil otherwise.
	Step func(step string)
	// Audit is the audit file; empty for none.
	Audit string
	// Toolsets, when set, are the only ones there are for this run; "all" names all.
	Toolsets []string
	// DefaultToolsets are on at start when Toolsets is empty.
	DefaultToolsets []string
	BridgeURL       string
	BridgeToken     string
	ProjectDir      string // empty: the connected editor's
	GodotBin        string // empty: none known
	// MaxCalls is how many tool calls run at once; further ones wait.
	MaxCalls int
	// CallsPerMinute bounds the calls of one client; 0 does not.
	CallsPerMinute int
	// AnswerMemory bounds the bytes of answers that a client has not read yet;
	// while there are more, its calls are refused.
	AnswerMemory int64
	// CallTimeout bounds a tool call that sets no time of its own.
	CallTimeout time.Duration
	LogLevel    slog.Level
	// Transport is [Stdio] or [HTTP]; HTTP says how that is served.
	Transport string
	HTTP      HTTPOptions
	// Isolation bounds the process; [Config.Isolate] does it.
	Isolation isolate.Mode
	// Listen opens the bridge's listener; nil is net.Listen. Worlds that live in
	// one process listen in memory.
	Listen func(network, address string) (net.Listener, error)
	// Log gets one JSON object a line; nil is stderr.
	Log io.Writer
}

// DefaultConfig is the configuration when nobody says anything.
func DefaultConfig() Config {
	return Config{
		Version: "dev", Profile: safety.Core, DefaultToolsets: catalog.DefaultToolsets(),
		BridgeURL: bridge.DefaultURL, MaxCalls: 32, AnswerMemory: 64 << 20, CallTimeout: 30 * time.Second,
		GodotBin: findGodot(), Transport: Stdio, HTTP: HTTPOptions{Addr: defaultHTTP},
	}
}

// Option is one setting with its flag and its environment variable.
type Option struct {
	Flag string
	Env  []string // the first that is set counts
	// Value is the name of the value in help texts; empty for a switch. In
	// brackets it can be left out, and is then the first choice of them.
	Value string
	Usage string
	Set   func(*Config, string) error
}

// Options is the table of settings.
func Options() []Option {
	return slices.Concat(generalOptions(), approvalOptions(), httpOptions(), isolationOptions())
}

func generalOptions() []Option {
	return []Option{
		{"profile", []string{"GODOT_MCP_PROFILE"}, "NAME", "what the server may do at all: core (reads only, default), editor, runtime or full", func(c *Config, v string) (err error) {
			c.Profile, err = safety.ParseProfile(v)
			return err
		}},
		{"mode", []string{"GODOT_MCP_MODE"}, "NAME", "how risky a call may be: read-only, non-destructive or full (default: read-only for profile core, else full)", func(c *Config, v string) (err error) {
			c.Mode, err = safety.ParseMode(v)
			return err
		}},
		{"permissions", []string{"GODOT_MCP_PERMISSIONS"}, "FILE", "permission rules over the mode, in YAML; they tighten, and loosen where a rule overrides (see godot-mcp help permissions)", func(c *Config, v string) (err error) {
			c.Permissions, err = rulefile.Load(v, toolsets.Catalog())
			return err
		}},
		{"ask", []string{"GODOT_MCP_ASK"}, "deny|execute", "what becomes of calls that a rule wants a person to approve while there is nobody to ask: deny (default) or execute", func(c *Config, v string) (err error) {
			c.AskExecutes, err = oneOf(v, "deny", "execute")
			return err
		}},
		{"allow-destructive", []string{"GODOT_MCP_ALLOW_DESTRUCTIVE"}, "", "open the tools that do what nothing undoes, without anybody who approves calls", func(c *Config, v string) (err error) {
			c.AllowDestructive, err = strconv.ParseBool(v)
			return err
		}},
		{"confirm", []string{"GODOT_MCP_CONFIRM"}, "plain|echo", "how a caller confirms a destructive call: with true (plain, default), or by repeating what it acts on (echo)", func(c *Config, v string) (err error) {
			c.ConfirmEcho, err = oneOf(v, "plain", "echo")
			return err
		}},
		{"audit", []string{"GODOT_MCP_AUDIT"}, "FILE", "append a line for every call to this file, besides stderr; while it cannot be written no change is made", func(c *Config, v string) (err error) {
			c.Audit, err = filepath.Abs(v)
			return err
		}},
		{"require-idempotency", []string{"GODOT_MCP_REQUIRE_IDEMPOTENCY"}, "", "want an idempotencyId with every change, so that a repeat is always safe", func(c *Config, v string) (err error) {
			c.RequireIdempotency, err = strconv.ParseBool(v)
			return err
		}},
		{"state-dir", []string{"GODOT_MCP_STATE_DIR"}, "DIR", "where the journal of calls with an idempotencyId is kept (default: the user's state folder)", func(c *Config, v string) (err error) {
			c.StateDir, err = filepath.Abs(v)
			return err
		}},
		{"toolsets", []string{"GODOT_MCP_TOOLSETS"}, "A,B", "show exactly these toolsets for the whole run (\"all\" for all); clients can then not switch any", func(c *Config, v string) error {
			c.Toolsets = names(v)
			return knownToolsets(c.Toolsets)
		}},
		{"default-toolsets", []string{"GODOT_MCP_DEFAULT_TOOLSETS"}, "A,B", "toolsets that are on at start (default inspection); clients can switch more on", func(c *Config, v string) error {
			c.DefaultToolsets = names(v)
			return nil
		}},
		{"bridge-url", []string{"GODOT_MCP_BRIDGE_URL"}, "URL", "where the server waits for the editor (default " + bridge.DefaultURL + ")", func(c *Config, v string) error {
			c.BridgeURL = v
			return nil
		}},
		{"bridge-token", []string{"GODOT_MCP_BRIDGE_TOKEN"}, "TEXT", "secret that the editor must present; better set in the environment", func(c *Config, v string) error {
			c.BridgeToken = v
			return nil
		}},
		{"project-dir", []string{"GODOT_MCP_PROJECT_DIR"}, "DIR", "project folder (default: the connected editor's)", func(c *Config, v string) (err error) {
			c.ProjectDir, err = filepath.Abs(v)
			return err
		}},
		{"godot-bin", []string{"GODOT_MCP_GODOT_BIN", "GODOT_BIN"}, "FILE", "Godot program for headless work (default: godot on the PATH)", func(c *Config, v string) error {
			c.GodotBin = v
			return nil
		}},
		{"max-calls", []string{"GODOT_MCP_MAX_CALLS"}, "N", "tool calls that run at once (default 32)", func(c *Config, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 || n > 1024 {
				return errors.New("must be a number from 1 to 1024")
			}
			c.MaxCalls = n
			return nil
		}},
		{"calls-per-minute", []string{"GODOT_MCP_CALLS_PER_MINUTE"}, "N", "tool calls that one client may make in a minute (default 0, any number)", func(c *Config, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > 1_000_000 {
				return errors.New("must be a number from 0 to 1000000")
			}
			c.CallsPerMinute = n
			return nil
		}},
		{"answer-memory", []string{"GODOT_MCP_ANSWER_MEMORY"}, "MB", "answers that a client has not read yet, before its calls are refused (default 64)", func(c *Config, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 || n > 4096 {
				return errors.New("must be a number from 1 to 4096")
			}
			c.AnswerMemory = int64(n) << 20
			return nil
		}},
		{"call-timeout", []string{"GODOT_MCP_CALL_TIMEOUT"}, "SECONDS", "time limit of a tool call without one of its own (default 30)", func(c *Config, v string) error {
			s, err := strconv.ParseFloat(v, 64)
			if err != nil || !(s >= 1 && s <= 3600) { // NaN is neither
				return errors.New("must be seconds from 1 to 3600")
			}
			c.CallTimeout = time.Duration(s * float64(time.Second))
			return nil
		}},
		{"log-level", []string{"GODOT_MCP_LOG_LEVEL"}, "LEVEL", "debug, info, warn or error (default info); the log goes to stderr", func(c *Config, v string) error {
			return c.LogLevel.UnmarshalText([]byte(v))
		}},
	}
}

// Load fills a configuration: the environment over the defaults, flags (by
// name, only those given) over both.
func Load(flags map[string]string, getenv func(string) string) (Config, error) {
	c := DefaultConfig()
	for _, o := range Options() {
		source, value, given := "--"+o.Flag, "", false
		if value, given = flags[o.Flag]; !given {
			for _, env := range o.Env {
				if v := getenv(env); v != "" {
					source, value, given = env, v, true
					break
				}
			}
		}
		if !given {
			continue
		}
		if err := o.Set(&c, value); err != nil {
			return c, fmt.Errorf("%s: %w", source, err)
		}
	}
	return c, c.Approval.settle()
}

// oneOf reads a choice of two; true is the second.
func oneOf(v, first, second string) (bool, error) {
	if v != first && v != second {
		return false, fmt.Errorf("must be %s or %s", first, second)
	}
	return v == second, nil
}

func names(list string) []string {
	var out []string
	for n := range strings.SplitSeq(list, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}

func knownToolsets(list []string) error {
	for _, n := range list {
		if n != "all" && !slices.Contains(catalog.ToolsetNames(), n) {
			return fmt.Errorf("unknown toolset %q; there are %s", n, strings.Join(catalog.ToolsetNames(), ", "))
		}
	}
	return nil
}

func findGodot() string {
	for _, name := range []string{"godot", "godot4"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

func (c *Config) logger() *slog.Logger {
	w := c.Log
	if w == nil {
		w = os.Stderr
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "session_id" && a.Value.Kind() == slog.KindString {
			// Who has the id of a session can speak in it, and the log has other readers.
			a.Value = slog.StringValue(label(a.Value.String()))
		}
		return a
	}}))
}
