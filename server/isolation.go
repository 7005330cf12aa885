package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"

	"godot-mcp/server/isolate"
)

func isolationOptions() []Option {
	return []Option{
		{"isolate", []string{"GODOT_MCP_ISOLATE"}, "[on|strict]", "bound this process itself to the project and its own files (Linux); needs --project-dir, see godot-mcp help isolation", func(c *Config, v string) (err error) {
			c.Isolation, err = isolate.Parse(v)
			return err
		}},
	}
}

// IsolationPlan is what the configuration leaves to an isolated process.
func (c *Config) IsolationPlan() isolate.Plan {
	p := isolate.Plan{
		Mode: c.Isolation, Project: c.ProjectDir, State: cmp.Or(c.StateDir, DefaultStateDir()), Audit: c.Audit,
	}
	if c.GodotBin != "" {
		p.Programs = []string{c.GodotBin}
	}
	if u, err := url.Parse(c.BridgeURL); err == nil {
		p.Ports = append(p.Ports, portOf(u.Port()))
	}
	if c.Transport == HTTP {
		if _, port, err := splitAddr(c.HTTP.Addr); err == nil {
			p.Ports = append(p.Ports, portOf(port))
		}
	}
	if c.Approval.By == byConsole {
		_, port, _ := net.SplitHostPort(c.Approval.Console)
		p.Ports = append(p.Ports, portOf(port))
	}
	return p
}

// portOf reads a port; what is none is refused where it is used.
func portOf(text string) uint16 {
	n, _ := strconv.ParseUint(text, 10, 16)
	return uint16(n)
}

// CheckIsolation says whether the process can be isolated as the configuration
// wants it and still do what that says.
func (c *Config) CheckIsolation() error {
	if c.Isolation == isolate.Strict {
		switch {
		case c.Approval.By == byWebhook:
			return errors.New("--isolate=strict forbids dialling out, which the approval webhook needs; use --isolate=on or another approver")
		case c.Approval.By == byConsole && c.Approval.Open:
			return errors.New("--isolate=strict forbids starting programs, so no browser can be opened; open the approval page yourself")
		}
	}
	return c.IsolationPlan().Check()
}

// Isolate bounds this process as the configuration wants it, for good. It comes
// before [New], which refuses to make a server that should be isolated and is not.
func (c *Config) Isolate() error {
	if c.Isolation == isolate.Off {
		return nil
	}
	if err := c.CheckIsolation(); err != nil {
		return err
	}
	if err := c.IsolationPlan().Enter(); err != nil {
		return err
	}
	if c.Isolation == isolate.Strict {
		c.GodotBin = "" // it could not be started
	}
	return nil
}

// isolated says whether the process is bounded as the configuration wants it.
func (c *Config) isolated() error {
	if c.Isolation != isolate.Entered() {
		return fmt.Errorf("the process is isolated as %q, and %q is wanted", isolate.Entered(), c.Isolation)
	}
	return nil
}
