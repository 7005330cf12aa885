// The look of one call.
import { make, inline, visible, block, fold } from "./text.js";

const classes = { read_only: "reads only", mutating: "changes", destructive: "destroys", runtime: "runs" };
const firstItems = 40;

// badge names the class of a call.
export function badge(kind) {
  const b = make("span", "badge", kind.replace("_", " "));
  b.dataset.class = kind;
  b.title = classes[kind] || "";
  return b;
}

export const forever = () => make("span", "badge forever", "no undo");

// shortTool drops what every name begins with.
export const shortTool = (name) => name.replace(/^godot_/, "");

export function clock(ms) {
  const s = Math.max(0, Math.ceil(ms / 1000));
  return Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0");
}

// detail fills an element with a question.
export function detail(body, q) {
  body.textContent = "";
  const title = make("h2", "title", make("code", "tool", shortTool(q.tool)), badge(q.class), q.irreversible ? forever() : null);
  title.id = "detail-title";
  title.tabIndex = -1;
  const left = make("span", "left");
  left.id = "left";
  const meter = make("span", "meter", make("span", "fill"));
  meter.id = "meter";
  body.append(make("div", "head", title, make("div", "time", left, meter)));

  const about = make("dl", "about");
  row(about, q.targets.length > 1 ? "Targets" : "Target", q.targets.length ? items(q.targets) : make("span", "dim", "none named"));
  row(about, "Why asked", inline(q.rule));
  row(about, "Client", inline(q.client || "not named"));
  row(about, "Asked", make("span", "", new Date(q.asked).toLocaleTimeString()));
  body.append(about);
  if (q.irreversible) body.append(warning("Nothing in the editor takes this call back."));

  q.parts.forEach((p, i) => body.append(part(p, q.parts.length > 1 ? i + 1 : 0, q.parts.length)));
  if (q.raw) {
    const d = make("details", "raw", make("summary", "", "Preview as the tool answered it"));
    // Made when opened: it may be long.
    d.addEventListener("toggle", () => { if (d.open && !d.querySelector("pre")) d.append(block(q.raw, "Preview as JSON")); });
    body.append(d);
  }
}

function row(dl, name, value) {
  dl.append(make("div", "", make("dt", "", name), make("dd", "", value)));
}

function items(targets) {
  const ul = make("ul", "targets");
  more(ul, targets, (t) => make("li", "", make("code", "", t)));
  return ul;
}

// more appends a few now and the rest on demand.
function more(list, all, one, first = firstItems) {
  all.slice(0, first).forEach((x) => list.append(one(x)));
  if (all.length <= first) return list;
  const box = make("li", "rest");
  fold(box, "Show " + (all.length - first).toLocaleString("en") + " more", () => {
    const rest = document.createDocumentFragment();
    all.slice(first).forEach((x) => rest.append(one(x)));
    box.replaceWith(rest);
  });
  list.append(box);
  return list;
}

function part(p, number, of) {
  const s = make("section", number ? "part entry" : "part");
  if (number) {
    const head = make("h3", "entry-title", make("span", "dim", number + " of " + of), make("code", "tool", shortTool(p.tool)), badge(p.class));
    p.targets.slice(0, 3).forEach((t) => head.append(make("code", "target", t)));
    s.append(head);
  }
  s.append(make("h4", "label", "What it would do"));
  if (!p.preview) s.append(make("p", "dim", "There is no preview of this call. Go by the arguments."));
  p.notes.forEach((n) => s.append(n.warning ? warning(n.text, n.quote) : sentence("note", n.text, n.quote)));
  if (p.changes.length) s.append(changes(p.changes));
  p.lists.forEach((l) => s.append(list(l)));
  p.diffs.forEach((d) => s.append(fileDiff(d)));
  if (p.facts.length) {
    const dl = make("dl", "facts");
    p.facts.forEach((f) => row(dl, f.name, make("code", "", f.value)));
    s.append(dl);
  }
  s.append(make("h4", "label", "Arguments"));
  s.append(p.arguments.length ? args(p.arguments) : make("p", "dim", "none"));
  return s;
}

function sentence(className, text, quote) {
  const p = make("p", className, text);
  if (quote) p.append(make("q", "", quote));
  return p;
}

function warning(text, quote) {
  const p = sentence("note warning", text, quote);
  p.prepend(make("strong", "sign", "!"));
  p.firstChild.setAttribute("aria-label", "Warning");
  return p;
}

function changes(rows) {
  const known = rows.some((c) => c.before !== null);
  const head = make("tr", "", th("Where"), th("What"), known ? th("Before") : null, th(known ? "After" : "Value"));
  const body = make("tbody");
  const one = (c) => {
    const before = c.new ? make("span", "dim", "new") : c.before === null ? make("span", "dim", "?") : make("code", "minus", c.before);
    return make("tr", "", make("td", "", make("code", "", c.object)), make("td", "", make("code", "", c.name)),
      known ? make("td", "", before) : null, make("td", "", valueOf(c.after)));
  };
  const first = rows.slice(0, firstItems);
  first.forEach((c) => body.append(one(c)));
  const box = make("div", "scroll", make("table", "changes", make("thead", "", head), body));
  if (rows.length > first.length) {
    fold(box, "Show " + (rows.length - first.length).toLocaleString("en") + " more", () => rows.slice(first.length).forEach((c) => body.append(one(c))));
  }
  return box;
}

function valueOf(text) {
  if (text === null) return make("span", "dim", "?");
  return text.length > 300 ? block(text, "Value") : make("code", "plus", text);
}

function th(text) {
  const e = make("th", "", text);
  e.scope = "col";
  return e;
}

const signs = { added: "+", removed: "−", changed: "~", lost: "!" };

function list(l) {
  const ul = make("ul", "things");
  ul.dataset.tone = l.tone;
  more(ul, l.items, (t) => make("li", "", sign(l.tone), make("code", "", t)));
  if (l.more) ul.append(make("li", "dim", sign(l.tone), "and " + l.more.toLocaleString("en") + (l.tone === "removed" ? " more below it" : " more")));
  return make("div", "list", make("h5", "", l.title), ul);
}

function sign(tone) {
  const s = make("span", "sign", signs[tone] || "");
  s.setAttribute("aria-hidden", "true");
  return s;
}

const kinds = { "+": "plus", "-": "minus", "@": "place" };
const spoken = { "+": "added: ", "-": "removed: " };
const firstLines = 60;

function fileDiff(d) {
  const pre = make("div", "diff code");
  pre.tabIndex = 0;
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", "Changes of " + d.path);
  const line = (text) => {
    const kind = text.slice(0, 1);
    const e = make("div", "line " + (kinds[kind] || ""));
    if (kind === "@") return visible(e, text) && e;
    const mark = make("span", "sign", kind === "-" ? "−" : kind);
    mark.setAttribute("aria-hidden", "true");
    e.append(mark, spoken[kind] ? make("span", "unseen", spoken[kind]) : "", visible(make("span", "text"), text.slice(1), { lines: true }));
    return e;
  };
  d.lines.slice(0, firstLines).forEach((l) => pre.append(line(l)));
  const head = make("h5", "", make("code", "", d.path), make("span", "dim", d.title));
  const box = make("div", "file", head, pre);
  if (d.lines.length > firstLines) {
    fold(box, "Show " + (d.lines.length - firstLines).toLocaleString("en") + " more lines", () => d.lines.slice(firstLines).forEach((l) => pre.append(line(l))));
  }
  if (d.cut) box.append(make("p", "dim", d.cut.toLocaleString("en") + " further lines stand in the arguments."));
  return box;
}

function args(list) {
  const dl = make("dl", "args");
  const isLong = (a) => Boolean(a.text) || a.json.length > 300 || a.json.includes("\n");
  // Short ones first, so that a long text does not push them out of sight.
  for (const a of [...list.filter((a) => !isLong(a)), ...list.filter(isLong)]) {
    const long = isLong(a);
    const label = "Argument " + a.name;
    row(dl, a.name || "value", long ? block(a.text || a.json, label) : make("code", "", a.json));
    if (long) dl.lastChild.className = "wide";
  }
  return dl;
}
