//go:build browser

// Package consoletest drives the approval console in a headless Chromium, for
// tests that are built with the tag browser.
package consoletest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patience bounds what a test waits for one thing.
const patience = 20 * time.Second

// Shots names the variable with the folder that screenshots go to; without it
// none are kept.
const Shots = "CONSOLE_SHOTS"

var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Browser starts a Chromium that ends with the test.
func Browser(t *testing.T) *Chromium {
	t.Helper()
	c, end, err := Start()
	require.NoError(t, err)
	t.Cleanup(end)
	return c
}

// Start starts a Chromium that runs until end is called.
func Start() (c *Chromium, end func(), err error) {
	program := ""
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		return nil, nil, errors.New("no Chromium here: install the package chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.WindowSize(1280, 860))
	if os.Geteuid() == 0 {
		opts = append(opts, chromedp.NoSandbox)
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc)
	end = func() {
		cancel()
		stop()
	}
	if err = chromedp.Do(ctx); err != nil {
		end()
		return nil, nil, err
	}
	return &Chromium{ctx: ctx}, end, nil
}

// Chromium is a running browser.
type Chromium struct{ ctx context.Context }

// Open opens an address in a browser profile of its own, with no cookies.
func (c *Chromium) Open(t *testing.T, address string) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(c.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	return newPage(t, ctx, address)
}

// Page is one tab.
type Page struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	messages []string
}

func newPage(t *testing.T, ctx context.Context, address string) *Page {
	t.Helper()
	p := &Page{t: t, ctx: ctx}
	require.NoError(t, chromedp.Do(ctx))
	said := chromedp.Console(ctx)
	go func() {
		for m, err := range said {
			if err != nil {
				return
			}
			p.mu.Lock()
			p.messages = append(p.messages, m.String())
			p.mu.Unlock()
		}
	}()
	p.Do(chromedp.Navigate(address))
	return p
}

// Tab opens another tab of the same browser profile.
func (p *Page) Tab(address string) *Page {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	return newPage(p.t, ctx, address)
}

// Messages is what the page wrote to its console: errors, and what the content
// security policy stopped.
func (p *Page) Messages() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.messages...)
}

// Do runs actions.
func (p *Page) Do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, actions...))
}

// Press sends keys to whatever has the focus, as a keyboard does: a page that
// takes a key for itself keeps its letter from being typed.
func (p *Page) Press(keys string) {
	p.t.Helper()
	for _, r := range keys {
		if !unicode.IsPrint(r) || r >= 0xe000 && r < 0xf900 { // how package kb writes keys without a letter
			p.Do(chromedp.KeyEvent(string(r)))
			continue
		}
		for _, kind := range []input.DispatchKeyEventType{input.DispatchKeyEventTypeKeyDown, input.DispatchKeyEventTypeKeyUp} {
			e := input.DispatchKeyEventParams{Type: kind, Key: string(r)}
			if kind == input.DispatchKeyEventTypeKeyDown {
				e.Text, e.UnmodifiedText = string(r), string(r)
			}
			_, err := chromedp.Call(p.ctx, input.DispatchKeyEvent, e)
			require.NoError(p.t, err)
		}
	}
}

// Until waits for a JavaScript expression to be true. The page's policy forbids
// code from text, so the waiting is written out.
func (p *Page) Until(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	code := fmt.Sprintf(`new Promise((done) => {
		const look = () => { let is = false; try { is = %s; } catch {} if (is) done(true); else setTimeout(look, 10); };
		look();
	})`, expression)
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](code, chromedp.EvalAwaitPromise))
	if !assert.NoError(p.t, err, "waited for: %s", expression) {
		shown, _ := chromedp.Run(p.ctx, chromedp.Evaluate[string](`document.body.innerText`))
		p.t.Fatalf("the page shows:\n%s\nand says: %q", shown, p.Messages())
	}
}

// UntilText waits until an element's text contains something.
func (p *Page) UntilText(selector, text string) {
	p.t.Helper()
	p.Until(fmt.Sprintf("document.querySelector(%s).textContent.includes(%s)", quote(selector), quote(text)))
}

// UntilReady waits until the call that is shown can be approved.
func (p *Page) UntilReady() {
	p.t.Helper()
	p.Until(`document.getElementById("question").dataset.ready === "true"`)
}

// Eval gives the value of a JavaScript expression.
func Eval[T any](p *Page, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err, expression)
	return v
}

// Text is the text of an element as a person sees it.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	return Eval[string](p, fmt.Sprintf("document.querySelector(%s).innerText", quote(selector)))
}

// Look sets the colour scheme ("light" or "dark") and the width of the window.
func (p *Page) Look(scheme string, width, height int64) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	require.NoError(p.t, err)
	p.Do(chromedp.EmulateViewport(width, height))
}

// Shot keeps a picture of the page when the environment names a folder.
func (p *Page) Shot(name string) {
	p.t.Helper()
	png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	require.NotEmpty(p.t, png)
	if dir := os.Getenv(Shots); dir != "" {
		require.NoError(p.t, os.MkdirAll(dir, 0o755))
		require.NoError(p.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
