// The link to the server: requests, and server-sent events that are read with
// fetch, since EventSource cannot send the page's key.

const silent = 25000; // without a sign of life for so long the link counts as lost
const waits = [300, 1000, 2000, 4000];

export class Refused extends Error {
  constructor(status, body) {
    super(body.hint || "The server refuses this.");
    this.status = status;
    this.code = body.error || "";
  }
}

export async function ask(path, { key = "", body } = {}) {
  const init = { headers: { "X-Console-Key": key }, cache: "no-store" };
  if (body !== undefined) {
    init.method = "POST";
    init.headers["Content-Type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  const r = await fetch(path, init);
  const answer = await r.json().catch(() => ({}));
  if (!r.ok) throw new Refused(r.status, answer);
  return answer;
}

// listen keeps a stream open for as long as it makes sense. It calls state(data),
// link("live" | "lost"), and at the end once ended("moved" | "signed_out").
export function listen(key, { state, link, ended }) {
  let tries = 0, timer = 0;
  const again = () => {
    link("lost");
    clearTimeout(timer);
    timer = setTimeout(open, waits[Math.min(tries++, waits.length - 1)]);
  };
  async function open() {
    const stop = new AbortController();
    let watch = 0;
    const alive = () => { clearTimeout(watch); watch = setTimeout(() => stop.abort(), silent); };
    alive();
    try {
      const r = await fetch("/stream", { headers: { "X-Console-Key": key }, cache: "no-store", signal: stop.signal });
      if (r.status === 401) return ended("signed_out");
      if (!r.ok) return again();
      const reader = r.body.pipeThrough(new TextDecoderStream()).getReader();
      let buffer = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return again();
        alive();
        buffer += value;
        for (let end; (end = buffer.indexOf("\n\n")) >= 0; buffer = buffer.slice(end + 2)) {
          const { event, data } = parse(buffer.slice(0, end));
          if (event === "moved") return ended("moved");
          if (event === "bye") return again();
          if (event === "state") { tries = 0; link("live"); state(data); }
        }
      }
    } catch {
      again();
    } finally {
      clearTimeout(watch);
      stop.abort();
    }
  }
  open();
}

function parse(text) {
  let event = "", data = "{}";
  for (const line of text.split("\n")) {
    if (line.startsWith("event: ")) event = line.slice(7);
    if (line.startsWith("data: ")) data = line.slice(6);
  }
  return { event, data: JSON.parse(data) };
}
