package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const smokeLimit = 20 * time.Second

// smokeTest is a client's first minute: start the server, initialize, list, call.
func smokeTest(ctx context.Context, p *paper) error {
	ctx, cancel := context.WithTimeout(ctx, smokeLimit)
	defer cancel()
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	args := []string{"serve", "--simulate", "--profile", "editor"}
	cmd := exec.Command(exe, args...)
	cmd.Stderr = &tail{}
	begin := time.Now()
	client := mcp.NewClient(&mcp.Implementation{Name: "godot-mcp-doctor", Version: buildVersion()}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: cmd, TerminateDuration: time.Second}, nil)
	if err != nil {
		return smokeFailure("initialize", fmt.Errorf("%w\n%s", err, cmd.Stderr))
	}
	defer func() { _ = session.Close() }()
	init := session.InitializeResult()
	p.row(good, "ok", "start", fmt.Sprintf("%s serve --simulate --profile editor, process %d", exe, cmd.Process.Pid))
	p.row(good, "ok", "init", fmt.Sprintf("%s %s, protocol %s, %d ms", init.ServerInfo.Name, init.ServerInfo.Version, init.ProtocolVersion, time.Since(begin).Milliseconds()))
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		return smokeFailure("tools/list", err)
	}
	p.row(good, "ok", "list", fmt.Sprintf("%d tools", len(list.Tools)))
	answer, err := smokeCall(ctx, session)
	if err != nil {
		return smokeFailure("tools/call", err)
	}
	p.row(good, "ok", "call", "godot_inspection_get_project_info: "+answer)
	p.line("\nThe server works. Give your MCP client the command: %s serve --profile editor", exe)
	return nil
}

// smokeCall waits for the simulated editor and asks it for the project.
func smokeCall(ctx context.Context, session *mcp.ClientSession) (string, error) {
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "godot_inspection_get_project_info", Arguments: map[string]any{}})
		if err != nil {
			return "", err
		}
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			return "", err
		}
		if !res.IsError {
			return string(raw), nil
		}
		var failure struct{ Required string }
		if json.Unmarshal(raw, &failure) != nil || failure.Required != "bridge_connected" {
			return "", fmt.Errorf("%s", raw)
		}
		select {
		case <-ctx.Done():
			return "", fmt.Errorf("%w: %s", ctx.Err(), raw)
		case <-retry.C:
		}
	}
}

// tail keeps the end of what a program logged.
type tail struct{ text []byte }

func (t *tail) Write(b []byte) (int, error) {
	const most = 4096
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-most):]
	return len(b), nil
}

func (t *tail) String() string { return string(t.text) }
