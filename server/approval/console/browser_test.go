//go:build browser

package console_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"

	"godot-mcp/server/approval/console/consoletest"
)

// browser is one for all tests; each opens a profile of its own in it.
var browser *consoletest.Chromium

func TestMain(m *testing.M) {
	os.Exit(func() int {
		b, end, err := consoletest.Start()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer end()
		browser = b
		return m.Run()
	}())
}

// TestBrowserPictures draws the page with several calls, light and dark, wide and
// narrow. A person looks at the pictures; here only that nothing overflows.
func TestBrowserPictures(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	page.UntilText("#link-text", "live")
	page.Shot("empty-light")
	w.ask(samples()...)
	page.Until(`document.querySelectorAll("#pending li").length === ` + count(len(samples())))
	for _, scheme := range []string{"light", "dark"} {
		page.Look(scheme, 1280, 860)
		for i, q := range samples() {
			page.Do(clickRow(q.ID))
			page.UntilReady()
			page.Shot(scheme + "-" + count(i) + "-" + q.Tool)
		}
		assert.Empty(t, pale(page), "text without contrast, %s", scheme)
		page.Look(scheme, 420, 900)
		page.Shot(scheme + "-narrow")
		assert.False(t, consoletest.Eval[bool](page, `document.documentElement.scrollWidth > innerWidth`), "the page is wider than the window")
	}
	assert.Empty(t, page.Messages())
}

// TestBrowserApproveByKeyboard: a call appears by itself and is approved with the
// keyboard alone.
func TestBrowserApproveByKeyboard(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	page.UntilText("#link-text", "live")
	assert.Equal(t, "/", consoletest.Eval[string](page, `location.pathname + location.hash + location.search`), "the token leaves the address")
	assert.EqualValues(t, 1, consoletest.Eval[int](page, `history.length - 1`), "and the history")

	w.ask(samples()[1])
	page.UntilText("#say", "New call: scene_edit_set_node_property on Player, mutating. 1 waiting.")
	w.ask(samples()[3])
	page.UntilText("#say", "2 waiting.")
	page.UntilText("#detail-title", "scene_edit_set_node_property")
	assert.Contains(t, page.Text("#body"), `{"x":64,"y":128}`)
	assert.Equal(t, "(2) Approvals – godot-mcp", consoletest.Eval[string](page, `document.title`))

	page.Press("j")
	page.UntilText("#detail-title", "batch_set_property")
	assert.Equal(t, "q-many", consoletest.Eval[string](page, `document.activeElement.parentElement.dataset.id`), "focus goes along")
	page.Press("k")
	page.UntilText("#detail-title", "set_node_property")
	page.UntilReady()
	w.unanswered("q-set")
	page.Press("a")
	v := w.verdict("q-set")
	assert.True(t, v.Approved)
	assert.Equal(t, "console", v.By)
	page.UntilText("#decided", "approved")
	page.UntilText("#detail-title", "batch_set_property")

	// With Tab alone: from the list to the reason, to deny, to approve.
	page.UntilReady()
	page.Do(chromedp.Focus(chromedp.CSS("#reason")))
	page.Press("fine by me")
	page.Press(kb.Tab)
	assert.Equal(t, "deny", consoletest.Eval[string](page, `document.activeElement.id`))
	page.Press(kb.Tab)
	assert.Equal(t, "approve", consoletest.Eval[string](page, `document.activeElement.id`))
	assert.NotEqual(t, "none", consoletest.Eval[string](page, `getComputedStyle(document.activeElement).outlineStyle`), "focus is visible")
	page.Press(kb.Enter)
	v = w.verdict("q-many")
	assert.True(t, v.Approved)
	assert.Equal(t, "fine by me", v.Reason)
	page.UntilText("#empty-title", "Nothing waits")
	assert.Empty(t, page.Messages())
}

func TestBrowserDenyWithReason(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	w.ask(samples()[0], samples()[1])
	page.UntilText("#detail-title", "close_scene")
	page.Press("d")
	assert.Equal(t, "reason", consoletest.Eval[string](page, `document.activeElement.id`))
	page.Press("a jk?") // letters are letters in a field
	page.Press(kb.Escape)
	w.unanswered("q-close")
	page.Press("d")
	page.Press(kb.Enter)
	v := w.verdict("q-close")
	assert.False(t, v.Approved)
	assert.False(t, v.Fault)
	assert.Equal(t, "a jk?", v.Reason)
	page.UntilText("#decided", "a jk?")
	w.unanswered("q-set")
	assert.Equal(t, "", consoletest.Eval[string](page, `document.getElementById("reason").value`), "the reason was for one call")
}

// TestBrowserNoUndoTakesTwoActions: one key does not approve what nothing undoes.
func TestBrowserNoUndoTakesTwoActions(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	w.ask(samples()[0])
	page.UntilReady()
	page.Press("a")
	assert.Equal(t, "phrase", consoletest.Eval[string](page, `document.activeElement.id`))
	page.Press(kb.Enter)
	page.UntilText("#say", "Not approved")
	page.Press("res://level.tsc")
	assert.True(t, consoletest.Eval[bool](page, `document.getElementById("approve").disabled`))
	w.unanswered("q-close")
	page.Press("n")
	page.Until(`!document.getElementById("approve").disabled`)
	page.Press(kb.Enter)
	assert.True(t, w.verdict("q-close").Approved)
}

// TestBrowserCancelledCallVanishes: and no other call slips under the person's finger.
func TestBrowserCancelledCallVanishes(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	w.ask(samples()[1], samples()[3])
	page.UntilReady()
	w.asked["q-set"].cancel()
	page.UntilText("#empty-text", "The caller withdrew it")
	page.Press("a")
	page.Until(`document.querySelectorAll("#pending li").length === 1`)
	w.unanswered("q-many")
	page.Press("j")
	page.UntilReady()
	w.asked["q-many"].cancel()
	page.UntilText("#empty-title", "Nothing waits")
	page.UntilText("#decided", "withdrawn")
	assert.True(t, w.verdict("q-many").Fault)
}

func TestBrowserExpiry(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	q := samples()[1]
	q.Asked = time.Now().Add(-time.Hour)
	q.Until = time.Now().Add(3 * time.Second)
	w.ask(q)
	page.UntilText("#pending .left", "0:0")
	page.Until(`document.querySelector("#pending button").classList.contains("soon")`)
	page.UntilText("#empty-text", "Nobody answered in time")
	assert.True(t, w.verdict(q.ID).Fault)
}

// TestBrowserTwoTabsAgree: what one decides, the other shows; the session is the
// browser's, and a reload keeps it.
func TestBrowserTwoTabsAgree(t *testing.T) {
	w := newWorld(t)
	link := w.link()
	one := browser.Open(t, link)
	one.UntilText("#link-text", "live")
	at, _, _ := strings.Cut(link, "#")
	two := one.Tab(at)
	two.UntilText("#link-text", "live")
	w.ask(samples()[1], samples()[3])
	two.UntilReady()
	one.UntilReady()
	one.Press("a")
	two.UntilText("#empty-text", "The call that was shown here is over. Approved: scene_edit_set_node_property on Player.")
	two.UntilText("#decided", "approved")
	one.Do(chromedp.Reload())
	one.UntilText("#link-text", "live")
	one.UntilText("#detail-title", "batch_set_property")
	one.UntilText("#decided", "approved")
	one.UntilReady()
	one.Press("a")
	two.UntilText("#none", "Nothing waits")
	assert.Empty(t, one.Messages())
	assert.Empty(t, two.Messages())
}

func TestBrowserSecondUseOfTheLink(t *testing.T) {
	w := newWorld(t)
	link := w.link()
	first := browser.Open(t, link)
	first.UntilText("#link-text", "live")
	second := browser.Open(t, link)
	second.UntilText("#gate-text", "was used before")
	second.Shot("link-used")
	assert.True(t, consoletest.Eval[bool](second, `document.getElementById("console").hidden`))
	at, _, _ := strings.Cut(link, "#")
	third := browser.Open(t, at)
	third.UntilText("#gate-text", "Open the link")

	// The first can make a link for another browser.
	first.Do(chromedp.Click(chromedp.CSS("#new-link")))
	first.Until(`document.getElementById("link-value").value.includes("#")`)
	first.Shot("new-link")
	fresh := consoletest.Eval[string](first, `document.getElementById("link-value").value`)
	first.Do(chromedp.Click(chromedp.CSS("#link-sheet button")))
	first.Until(`!document.querySelector("dialog[open]")`)
	browser.Open(t, fresh).UntilText("#link-text", "live")
	// A used link does not cost a session that there is.
	again := first.Tab(link)
	again.UntilText("#link-text", "live")
}

// TestBrowserHostileTexts: what an agent writes is text, and what hides in it is shown.
func TestBrowserHostileTexts(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	evil := `<script>document.title="owned"</script><img src=x onerror="document.title='owned'">"'&lt;`
	q := samples()[1]
	q.Tool, q.Client, q.Rule = "godot_"+evil, evil+"\u202egnp.exe", evil+"\x1b[31m\u0000"
	q.Targets = []string{"res://\u202egpj.\u200btscn", evil, strings.Repeat("😀\u0301", 300), "Pl\u0430yer\u00a0"}
	q.Arguments = raw(obj{
		"a" + evil: evil, "rtl": "ab\u202ecd\u2066ef\u2069", "zalgo": "a" + strings.Repeat("\u0301", 500), "controls": strings.Repeat("\u0007", 5000),
		"big": strings.Repeat("x", 1<<20) + "END", "lines": strings.Repeat("line <b>\u202e\n", 3000), "tags": "\U000e0041\U000e0042",
	})
	q.Preview = raw(obj{"node_path": evil, "property": "\u202e", "value": evil, "previous": "</code><script>", "changed": true, "persisted": false, "hint": evil, evil: evil})
	w.ask(q)
	page.UntilReady()
	page.Shot("hostile")
	page.Press("e")
	page.Until(`!document.querySelector("#body [data-fold]")`)
	page.Do(chromedp.Click(chromedp.CSS("#body summary")))
	page.Until(`document.querySelector("#body details pre")`)
	assert.EqualValues(t, 0, consoletest.Eval[int](page, `document.querySelectorAll("#console script, #console img, #console b").length`))
	body := consoletest.Eval[string](page, `document.getElementById("body").textContent`)
	for _, want := range []string{`<script>document.title="owned"</script>`, "U+202E", "U+200B", "U+001B", "U+0000", "U+00A0", "U+0430", "U+E0041", "xEND", "500 marks"} {
		assert.Contains(t, body, want)
	}
	for _, r := range "\u202e\u2066\u2069\u200b\u0007\u001b\u00a0\U000e0041" {
		assert.False(t, strings.ContainsRune(body, r), "%U is not shown as itself", r)
	}
	side := consoletest.Eval[string](page, `document.querySelector("nav").textContent`)
	assert.NotContains(t, side, "\u202e")
	assert.False(t, consoletest.Eval[bool](page, `document.documentElement.scrollWidth > innerWidth`))
	assert.Contains(t, consoletest.Eval[string](page, `document.title`), "Approvals")
	page.Press("d")
	page.Press(evil + kb.Enter)
	assert.Equal(t, evil, w.verdict(q.ID).Reason)
	page.UntilText("#decided", "<script>")
	assert.Empty(t, page.Messages())
}

// TestBrowserLostConnection: the page says so, cannot approve, and comes back.
func TestBrowserLostConnection(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	w.ask(samples()[1])
	page.UntilReady()
	w.wire.cut(true)
	page.UntilText("#link-text", "connection lost")
	page.Shot("lost")
	assert.True(t, consoletest.Eval[bool](page, `document.getElementById("approve").disabled`))
	assert.False(t, consoletest.Eval[bool](page, `document.getElementById("alert").hidden`))
	page.Press("a")
	w.wire.cut(false)
	page.UntilText("#link-text", "live")
	w.unanswered("q-set")
	page.UntilReady()
	page.Press("a")
	assert.True(t, w.verdict("q-set").Approved)
}

// TestBrowserFifthTab: only some tabs of a browser are live, so that a decision always
// finds a connection.
func TestBrowserFifthTab(t *testing.T) {
	w := newWorld(t)
	link := w.link()
	first := browser.Open(t, link)
	first.UntilText("#link-text", "live")
	at, _, _ := strings.Cut(link, "#")
	var last *consoletest.Page
	for range 4 {
		last = first.Tab(at)
		last.UntilText("#link-text", "live")
	}
	first.UntilText("#gate-title", "Paused here")
	w.ask(samples()[1])
	last.UntilReady()
	last.Press("a")
	assert.True(t, w.verdict("q-set").Approved)
	first.Do(chromedp.Click(chromedp.CSS("#gate-button")))
	first.UntilText("#link-text", "live")
	first.UntilText("#decided", "approved")
}

// TestBrowserOrderAndNames: what a screen reader and the Tab key meet.
func TestBrowserOrderAndNames(t *testing.T) {
	w := newWorld(t)
	page := browser.Open(t, w.link())
	w.ask(samples()[0], samples()[2])
	page.UntilReady()
	page.Press("?")
	page.Until(`document.querySelector("#help[open]")`)
	page.Shot("help")
	page.Press(kb.Escape)
	page.Until(`!document.querySelector("dialog[open]")`)
	unnamed := consoletest.Eval[[]string](page, `[...document.querySelectorAll("button, input, a, [tabindex='0']")].filter((e) => e.checkVisibility() &&
		!(e.labels?.length || e.textContent.trim() || e.getAttribute("aria-label"))).map((e) => e.outerHTML)`)
	assert.Empty(t, unnamed)
	assert.Equal(t, "polite", consoletest.Eval[string](page, `document.getElementById("say").getAttribute("aria-live")`))
	var met []string
	page.Do(chromedp.Focus(chromedp.CSS("#new-link")))
	for range 12 {
		page.Press(kb.Tab)
		met = append(met, consoletest.Eval[string](page, `(() => { const e = document.activeElement; return e.id || e.parentElement.dataset.id || e.tagName.toLowerCase(); })()`))
	}
	order := strings.Join(met, " ")
	assert.Contains(t, order, "help-button q-close q-patch")
	assert.Contains(t, order, "summary phrase reason deny")
	// Letters can be switched off for those whose software types them.
	page.Do(chromedp.Click(chromedp.CSS("#help-button")), chromedp.Click(chromedp.CSS("#keys-on")), chromedp.Click(chromedp.CSS("#help button")))
	page.Press("j")
	assert.Contains(t, page.Text("#detail-title"), "close_scene")
	assert.Empty(t, page.Messages())
}

// pale lists the texts whose contrast is below 4.5 to 1 (WCAG AA).
func pale(page *consoletest.Page) []string {
	return consoletest.Eval[[]string](page, `(() => {
		const rgb = (c) => (c.match(/[\d.]+/g) || []).map(Number);
		const light = ([r, g, b]) => [r, g, b].map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
		const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
		const bad = [];
		for (const e of document.querySelectorAll("body *")) {
			if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility() || e.closest(":disabled, .unseen, kbd")) continue;
			const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
			const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
			if (ratio < 4.5) bad.push(e.tagName + "." + e.className + " " + e.textContent.slice(0, 30) + " " + ratio.toFixed(2));
		}
		return bad;
	})()`)
}
