// The page: what is selected, what the keys do, what is said to the server.
import { make } from "./text.js";
import { ask, listen, Refused } from "./stream.js";
import { badge, forever, shortTool, clock, detail } from "./render.js";

const $ = (id) => document.getElementById(id);
const store = "godot_mcp_console_key", letters = "godot_mcp_console_keys";
// A call must have been on the screen for so long before it can be approved, so
// that a key meant for another one does not approve it; longer when the other one
// went by itself.
const settle = 600, settleLong = 1500;
const soon = 15000;

let key = "";
let pending = [], selected = "", shown = null, received = 0;
let live = false, ready = false, busy = false, closing = "";
let wentAt = -Infinity, choose = false; // a call went by itself: when, and the next is to be chosen
const warned = new Set();

const say = (text) => { $("say").textContent = text; };
const now = () => performance.now();
const find = (id) => pending.find((r) => r.id === id);
const left = (r) => r.left - (now() - received);
const title = (r) => shortTool(r.tool) + (r.targets.length ? " on " + r.targets[0] : "");

// A browser may forbid to keep anything; then a reload signs out.
function kept(name) {
  try { return localStorage.getItem(name) || ""; } catch { return ""; }
}

function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* as said */ }
}

function warn(text) {
  $("alert").hidden = !text;
  $("alert").textContent = text;
}

// start signs in with the token of the link, or with what the page kept.
async function start() {
  const token = location.hash.slice(1);
  if (token) history.replaceState(null, "", "/"); // not into history, bookmarks or a screenshot
  key = kept(store);
  let refusal = "";
  if (token) {
    try {
      key = (await ask("/session", { body: { token } })).key;
      keep(store, key);
    } catch (e) {
      refusal = e instanceof Refused ? e.message : "The server does not answer.";
    }
  }
  if (!key) return gate(refusal ? "This link does not work" : "Not signed in", refusal || "Open the link that the server printed at its start. It works once.");
  if (refusal) warn(refusal);
  open();
}

function open() {
  $("gate").hidden = true;
  $("console").hidden = $("new-link").hidden = false;
  listen(key, {
    state: update,
    link: (how) => {
      const was = live;
      live = how === "live";
      $("link-state").dataset.state = how;
      $("link-text").textContent = live ? "live" : "connection lost";
      if (was && !live) warn("The connection to the server is lost. What is shown may be out of date; trying again.");
      if (!was && live) warn("");
      document.body.classList.toggle("stale", !live);
      enable();
    },
    ended: (why) => {
      live = false;
      enable();
      if (why === "moved") return gate("Paused here", "The page is open in other tabs, and only some can be live.", "Go on in this tab", open);
      keep(store, "");
      gate("Not signed in", "Open the link that the server printed at its start. It works once; when the server was started again, it printed a new one.");
    },
  });
}

function gate(head, text, button, act) {
  $("console").hidden = $("new-link").hidden = true;
  $("gate").hidden = false;
  $("gate-title").textContent = head;
  $("gate-text").textContent = text;
  $("gate-button").hidden = !button;
  if (button) { $("gate-button").textContent = button; $("gate-button").onclick = act; }
  $("link-state").dataset.state = "off";
  $("link-text").textContent = "not connected";
  $("gate-title").focus();
}

// update takes a state of the server.
function update(state) {
  const before = new Set(pending.map((r) => r.id));
  const first = received === 0;
  pending = state.pending;
  if (!pending.length) choose = false;
  received = now();
  const fresh = pending.filter((r) => !before.has(r.id));
  if (!first && fresh.length) say("New call: " + title(fresh[0]) + ", " + fresh[0].class.replace("_", " ") + (fresh[0].irreversible ? ", no undo" : "") + ". " + pending.length + " waiting.");
  rows($("pending"), pending, waiting);
  rows($("decided"), state.decided, past);
  $("none").hidden = pending.length > 0;
  $("none-decided").hidden = state.decided.length > 0;
  $("count").textContent = pending.length;
  document.title = (pending.length ? "(" + pending.length + ") " : "") + "Approvals – godot-mcp";
  if (selected && !find(selected)) gone(state.decided.find((d) => d.id === selected));
  else if (!selected && pending.length && !choose) select(pending[0].id);
  else if (selected && !shown) load(selected);
  mark();
  tick();
}

// gone is the end of the call that is on the screen. Another one does not take
// its place by itself unless the person has just decided this one here.
function gone(end) {
  const here = closing === selected;
  const had = $("actions").contains(document.activeElement) || $("body").contains(document.activeElement);
  if (!here) wentAt = now();
  choose = !here && pending.length > 0;
  closing = selected = "";
  shown = null;
  ready = false;
  $("question").hidden = true;
  $("empty").hidden = false;
  const words = { approved: "Approved", denied: "Denied", expired: "Nobody answered in time; denied", withdrawn: "The caller withdrew it", stopped: "The server stopped" };
  const text = end ? (here ? "" : "The call that was shown here is over. ") + words[end.outcome] + ": " + shortTool(end.tool) + (end.targets.length ? " on " + end.targets[0] : "") + "." : "";
  $("empty-title").textContent = pending.length ? "Choose the next call" : "Nothing waits for you";
  $("empty-text").textContent = "";
  $("empty-text").append(make("span", "", text || "Calls that need a person appear here by themselves."));
  if (text) say(text);
  if (here && pending.length) return select(pending[0].id, true);
  if (had || here) $("empty-title").focus();
}

// rows brings a list up to date and leaves what is there where it is, so that
// focus stays.
function rows(ul, list, make) {
  const old = new Map([...ul.children].map((li) => [li.dataset.id, li]));
  list.forEach((r, i) => {
    const li = old.get(r.id) || make(r);
    old.delete(r.id);
    if (ul.children[i] !== li) ul.insertBefore(li, ul.children[i] || null);
  });
  old.forEach((li) => li.remove());
}

function waiting(r) {
  const target = make("span", "target", r.targets[0] || "");
  if (r.targets.length + r.more > 1) target.append(make("span", "dim", "  +" + (r.targets.length + r.more - 1)));
  const b = make("button", "row",
    make("span", "line", make("code", "tool", shortTool(r.tool)), make("span", "left")), target,
    make("span", "line small", badge(r.class), r.irreversible ? forever() : null, r.entries ? make("span", "dim", r.entries + " calls") : null, make("span", "client dim", r.client)),
    make("span", "meter", make("span", "fill")));
  b.type = "button";
  b.addEventListener("click", () => select(r.id));
  const li = make("li", "", b);
  li.dataset.id = r.id;
  return li;
}

function past(d) {
  const li = make("li", "past",
    make("span", "line", make("span", "outcome", d.outcome), make("code", "tool", shortTool(d.tool)), make("time", "dim", new Date(Date.now() - d.ago).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }))),
    d.targets.length ? make("span", "target", d.targets[0]) : null, d.reason ? make("span", "why", d.reason) : null);
  li.dataset.id = d.id;
  li.dataset.outcome = d.outcome;
  return li;
}

function select(id, focus) {
  if (selected !== id) {
    selected = id;
    choose = false;
    shown = null;
    ready = false;
    $("reason").value = $("phrase").value = "";
    $("body").textContent = "";
    $("phrase-row").hidden = true;
    $("empty").hidden = true;
    $("question").hidden = false;
    mark();
    enable();
    load(id);
  }
  if (focus) rowOf(id)?.focus();
}

// load fetches what is to be known of a call. It may fail when the link is lost;
// then the next state tries again.
let loading = "";
async function load(id) {
  if (loading === id) return;
  loading = id;
  try {
    const q = await ask("/question?id=" + encodeURIComponent(id), { key });
    if (selected !== id || shown) return;
    shown = q;
    detail($("body"), q);
    $("body").scrollTop = 0;
    $("phrase-row").hidden = !q.phrase;
    $("phrase-text").textContent = q.phrase;
    tick();
    enable();
    setTimeout(() => { if (selected === id) { ready = true; enable(); } }, now() - wentAt < 2 * settleLong ? settleLong : settle);
  } catch {
    // It is gone, or the link is: the next state says which.
  } finally {
    if (loading === id) loading = "";
  }
}

const rowOf = (id) => document.querySelector('#pending [data-id="' + CSS.escape(id) + '"] button');

function mark() {
  for (const b of $("pending").querySelectorAll("button")) {
    if (b.parentElement.dataset.id === selected) b.setAttribute("aria-current", "true");
    else b.removeAttribute("aria-current");
  }
}

// enable: denying is always possible, approving only what has been seen.
function enable() {
  const typed = !shown?.phrase || $("phrase").value === shown.phrase;
  $("approve").disabled = !(shown && ready && live && !busy && typed);
  $("question").dataset.ready = String(Boolean(shown && ready && live));
}

// tick keeps the times that remain.
function tick() {
  for (const r of pending) {
    const ms = left(r), share = r.total > 0 ? Math.max(0, Math.min(1, ms / r.total)) : 0;
    const places = [rowOf(r.id)];
    if (r.id === selected && shown) places.push($("body").querySelector(".time"));
    for (const p of places) {
      if (!p) continue;
      p.querySelector(".left").textContent = clock(ms) + (p.className === "time" ? " left" : "");
      p.querySelector(".fill").style.width = 100 * share + "%";
      p.classList.toggle("soon", ms < soon);
    }
    if (ms < soon && ms > 0 && r.total > 2 * soon && !warned.has(r.id)) {
      warned.add(r.id);
      say("Soon too late: " + title(r));
    }
  }
}

async function decide(approve) {
  const q = shown || find(selected);
  if (!q || busy || (approve && $("approve").disabled)) return;
  busy = true;
  closing = q.id;
  enable();
  try {
    const reason = $("reason").value.trim(), typed = $("phrase").value;
    await ask("/decide", { key, body: { id: q.id, approve, reason, ...(approve && q.phrase ? { typed } : {}) } });
    say(approve ? "Approved." : "Denied.");
  } catch (e) {
    closing = "";
    warn(e instanceof Refused ? e.message : "The server did not hear that. Try again when the connection is back.");
  } finally {
    busy = false;
    enable();
  }
}

function approve() {
  if (shown?.phrase && $("phrase").value !== shown.phrase) {
    $("phrase").focus();
    return;
  }
  decide(true);
}

function step(by) {
  if (!pending.length) return;
  const i = pending.findIndex((r) => r.id === selected);
  const next = i < 0 ? 0 : Math.max(0, Math.min(pending.length - 1, i + by));
  select(pending[next].id, true);
  rowOf(pending[next].id)?.scrollIntoView({ block: "nearest" });
}

const keys = {
  j: () => step(1),
  k: () => step(-1),
  a: approve,
  d: () => { if (selected) $("reason").focus(); },
  e: () => { for (let b; (b = $("body").querySelector("[data-fold]")); ) b.click(); },
  "?": () => $("help").showModal(),
};

addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || document.querySelector("dialog[open]")) return;
  if (e.key === "Escape" && !$("console").hidden) {
    (rowOf(selected) || $("empty-title")).focus();
    return;
  }
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || e.repeat || !$("keys-on").checked || $("console").hidden) return;
  const act = keys[e.key];
  if (act) { e.preventDefault(); act(); }
});

$("actions").addEventListener("submit", (e) => e.preventDefault());
$("reason").addEventListener("keydown", (e) => { if (e.key === "Enter" && !e.isComposing) { e.preventDefault(); decide(false); } });
$("phrase").addEventListener("keydown", (e) => {
  if (e.key !== "Enter") return;
  e.preventDefault();
  if ($("approve").disabled) say("Not approved: the text is not the same.");
  else decide(true);
});
$("phrase").addEventListener("input", enable);
$("approve").addEventListener("click", approve);
$("deny").addEventListener("click", () => decide(false));
$("help-button").addEventListener("click", () => $("help").showModal());
$("keys-on").checked = kept(letters) !== "off";
$("keys-on").addEventListener("change", () => keep(letters, $("keys-on").checked ? "on" : "off"));
$("new-link").addEventListener("click", async () => {
  try {
    $("link-value").value = (await ask("/link", { key, body: {} })).link;
    $("link-sheet").showModal();
    $("link-value").select();
  } catch (e) {
    warn(e.message);
  }
});
setInterval(tick, 500);
start();
