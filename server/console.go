package server

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"
	"time"

	"godot-mcp/server/approval/console"
)

// openConsole serves the page on which a person approves calls. Its link works
// once and is said on stderr only: who has it first may approve.
func (s *Server) openConsole() error {
	page, err := console.Start(console.Config{Address: s.cfg.Approval.Console}, s.queue)
	if err != nil {
		return err
	}
	s.page = page
	link, err := page.Link()
	if err != nil {
		return err
	}
	if s.cfg.Approval.Open {
		if err = openBrowser(s.base, link); err == nil {
			s.log.Info("the approval page is opened in the browser")
			return nil
		}
		s.log.Warn("no browser could be started", "error", err.Error())
	}
	// Whatever the log level: without the link nobody can approve anything.
	r := slog.NewRecord(time.Now(), slog.LevelInfo, "calls wait for approval on this page; the link works once", 0)
	r.Add("link", link)
	return s.log.Handler().Handle(s.base, r)
}

// openBrowser starts the system's program that opens a link.
func openBrowser(ctx context.Context, link string) error {
	command := map[string][]string{
		"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"},
	}[runtime.GOOS]
	if command == nil {
		command = []string{"xdg-open"}
	}
	// Stdin and stdout belong to the client; the null device is the default.
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], link)...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", command[0], err)
	}
	go func() { _ = cmd.Wait() }()
	return nil
}
