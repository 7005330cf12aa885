// Text from outside, made safe to look at. Nothing here or elsewhere sets markup.

// What a reader would not see, or what changes how the rest is read: controls,
// format characters (direction marks, zero widths), fillers, odd spaces,
// variation selectors, unassigned and private characters, piles of marks, and
// letters of another script that pass for Latin ones in the middle of a word.
const hidden = /(?<=\p{Script=Latin})[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]|[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}](?=\p{Script=Latin})|[\uff01-\uff5e]|[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u034f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|(?! )\p{Zs}|\p{M}{6,}/gu;
const few = 400; // with more of them, marks would cost more than they tell

const names = {
  0x00: "null", 0x09: "tab", 0x0a: "new line", 0x0d: "carriage return", 0x1b: "escape", 0x7f: "delete", 0xa0: "no-break space",
  0xad: "soft hyphen", 0x61c: "arabic letter mark", 0x200b: "zero width space", 0x200c: "zero width non-joiner",
  0x200d: "zero width joiner", 0x200e: "left-to-right mark", 0x200f: "right-to-left mark", 0x2028: "line separator",
  0x2029: "paragraph separator", 0x202a: "left-to-right embedding", 0x202b: "right-to-left embedding",
  0x202c: "pop directional formatting", 0x202d: "left-to-right override", 0x202e: "right-to-left override", 0x2060: "word joiner",
  0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "pop directional isolate",
  0xfeff: "byte order mark",
};

// code writes a character as its number.
const code = (s) => "U+" + s.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");

// visible puts text into an element with what hides in it shown as marks. lines
// keeps line ends and tabs.
export function visible(element, text, { lines = false } = {}) {
  element.textContent = "";
  element.dir = "ltr";
  text = String(text);
  const keep = (c) => lines && (c === "\n" || c === "\t");
  let from = 0, marks = 0;
  for (const m of text.matchAll(hidden)) {
    if (keep(m[0])) continue;
    if (++marks > few) {
      // Plain text from here on; the numbers are still told.
      const rest = text.slice(from).replace(hidden, (c) => (keep(c) ? c : [...c].map((x) => "⟨" + code(x) + "⟩").join("")));
      element.append(rest);
      return element;
    }
    element.append(text.slice(from, m.index));
    const mark = document.createElement("span");
    mark.className = "mark";
    const one = [...m[0]].length === 1;
    mark.textContent = one ? code(m[0]) : [...m[0]].length + " marks";
    mark.title = one ? names[m[0].codePointAt(0)] || "a character that does not show or passes for another" : "combining marks piled up";
    element.append(mark);
    from = m.index + m[0].length;
  }
  element.append(text.slice(from));
  return element;
}

// make builds an element: make("p", "class", child, child…). A string child is
// shown with what hides in it.
export function make(tag, className, ...children) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  for (const c of children) {
    if (c === null || c === undefined) continue;
    e.append(typeof c === "string" ? inline(c) : c);
  }
  return e;
}

// inline is text of its own direction in a line.
export function inline(text) {
  return visible(document.createElement("bdi"), text);
}

const headLines = 16, headChars = 1200;

export function amount(text) {
  const n = text.length;
  const size = n < 1000 ? n + " characters" : n < 1e6 ? (n / 1000).toFixed(1) + "k characters" : (n / 1e6).toFixed(2) + "M characters";
  const lines = text.split("\n").length;
  return lines > 1 ? lines.toLocaleString("en") + " lines, " + size : size;
}

// block shows a text of any length; a long one is folded, and says what is left.
export function block(text, label) {
  const pre = make("pre", "code");
  pre.tabIndex = 0;
  pre.setAttribute("role", "region");
  pre.setAttribute("aria-label", label);
  let end = Math.min(text.length, headChars), at = -1;
  for (let i = 0; i < headLines; i++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0 || at > end) break;
    if (i === headLines - 1) end = at;
  }
  const box = make("div", "block", pre);
  if (text.length - end < 200) {
    visible(pre, text, { lines: true });
    return box;
  }
  visible(pre, text.slice(0, end), { lines: true });
  fold(box, "Show all: " + amount(text), () => visible(pre, text, { lines: true }));
  return box;
}

// fold adds a button that shows the rest and goes.
export function fold(box, label, unfold) {
  const b = make("button", "more", label);
  b.type = "button";
  b.dataset.fold = "1";
  b.addEventListener("click", () => { unfold(); b.remove(); });
  box.append(b);
}
