"use strict";
const $ = (q, in_ = document) => [...in_.querySelectorAll(q)];
const trials = $("section.trial").sort((a, b) => a.dataset.order - b.dataset.order);
let back = 0; // where the overview was left
function light(id) {
  $(".lit").forEach(x => x.classList.remove("lit"));
  const row = document.getElementById(id);
  if (row) { row.classList.add("lit"); row.scrollIntoView({block: "center"}); }
}
function show() {
  const key = decodeURIComponent(location.hash.slice(1));
  const at = trials.findIndex(s => s.id === key);
  if (at >= 0 && !document.body.classList.contains("one")) back = scrollY;
  document.body.classList.toggle("one", at >= 0);
  trials.forEach((s, i) => s.classList.toggle("on", i === at));
  if (at < 0) { scrollTo(0, back); return; }
  const go = (q, i) => { const a = trials[at].querySelector(q); a.hidden = !trials[i]; if (trials[i]) a.href = "#" + encodeURIComponent(trials[i].id); };
  go(".prev", at - 1);
  go(".next", at + 1);
  scrollTo(0, 0);
}
addEventListener("hashchange", show);
document.addEventListener("click", e => {
  const to = e.target.dataset && e.target.dataset.go;
  if (!to) return;
  e.preventDefault();
  const key = to.slice(0, to.lastIndexOf("/"));
  if (decodeURIComponent(location.hash.slice(1)) === key) { light(to); return; }
  addEventListener("hashchange", () => light(to), {once: true});
  location.hash = encodeURIComponent(key);
});
const category = document.getElementById("category"), finding = document.getElementById("finding");
const rows = $("#matrix tr[data-task]"), wrong = $("#wrong tr[data-task]");
new Set(rows.map(r => r.dataset.task.split("/")[0])).forEach(c => category.add(new Option(c, c)));
[...new Set(wrong.map(r => r.dataset.check))].sort().forEach(c => finding.add(new Option(c, c)));
function filter() {
  const inCategory = r => category.value === "" || r.dataset.task.startsWith(category.value + "/");
  rows.forEach(r => r.hidden = !inCategory(r));
  wrong.forEach(r => r.hidden = !inCategory(r) || finding.value !== "" && r.dataset.check !== finding.value);
  $("#matrix .sq").forEach(s => s.classList.toggle("faded", finding.value !== "" && !s.dataset.failed.split(" ").includes(finding.value)));
}
category.addEventListener("change", filter);
finding.addEventListener("change", filter);
show();
