"use strict";
// Python, in a thread of its own: answers what the service worker passes on, one after the other,
// and keeps what that has changed before the answer is told. With `?beside` it works out what the
// first one gives it.
import "./built.js";
import {files, keep} from "./store.js";

const beside = new URL(self.location).searchParams.has("beside");
const FOLDER = "/kept/clue-solver/games";
const BASE = new URL("./", self.location).pathname;
const PROGRAM = "program.zip.xz", UNPACKED = `${BASE}parts/${BUILT.version}/program.zip`;
let alone, worked, bytes, heap, streaming = 0;

// All parts are fetched before Python asks for them, so that it can be said how far that is.
async function fetched() {
  const whole = {};
  let packed = 0;
  await Promise.all(Object.entries(BUILT.parts).map(async ([name, size]) => {
    if (name === PROGRAM && await caches.match(UNPACKED)) { packed += size.packed; return; }
    const answer = await fetch(`parts/${name}`);
    if (!answer.ok) throw new Error(`${name} cannot be loaded`);
    const chunks = [], reader = answer.body.getReader();
    for (let part; !(part = await reader.read()).done;) {
      if (name === PROGRAM) chunks.push(part.value);
      packed += part.value.length * size.packed / size.bytes;
      if (!beside) postMessage({loaded: packed});
    }
    if (name === PROGRAM) whole[name] = new Uint8Array(await new Blob(chunks).arrayBuffer());
  }));
  return whole[PROGRAM];
}

// The program comes out of its packing once, by Python, and is kept so.
async function program(python, packed) {
  const kept = await caches.match(UNPACKED);
  if (kept) return kept.arrayBuffer();
  python.FS.writeFile("/program.xz", packed);
  python.runPython(`
import lzma
with lzma.open("/program.xz") as packed, open("/program.zip", "wb") as unpacked:
    while some := packed.read(1 << 20):
        unpacked.write(some)
`);
  const content = python.FS.readFile("/program.zip");
  for (const name of ["/program.xz", "/program.zip"]) python.FS.unlink(name);
  const cache = await caches.open(`clue-solver ${BASE} ${BUILT.version}`);
  await cache.put(UNPACKED, new Response(content)).then(() => cache.delete(`${BASE}parts/${PROGRAM}`)).catch(() => {});
  return content.buffer;
}

async function begun() {
  const kept = beside ? [] : files();
  const packed = await fetched();
  if (!beside) postMessage({starting: true});
  const {loadPyodide} = await import("./parts/pyodide.mjs");
  const here = new URL("parts/", self.location).href;
  const python = await loadPyodide({
    indexURL: here, stdLibURL: `${here}python_stdlib.zip`, env: {HOME: "/kept", XDG_DATA_HOME: "/kept"},
  });
  python.unpackArchive(await program(python, packed), "zip", {extractDir: "/program"});
  python.runPython("import sys; sys.path.insert(0, '/program')");
  bytes = python.runPython("lambda content: content.to_bytes()");
  heap = () => python._module.HEAPU8.length;
  const module = python.pyimport(`clue_solver.faces.browser.${beside ? "beside" : "alone"}`);
  if (beside) { worked = module.run_job; return; }
  python.FS.mkdirTree(FOLDER);
  for (const [name, content] of await kept) python.FS.writeFile(`${FOLDER}/${name}`, content);
  const {origin, pathname} = new URL("game", self.location);
  const path = python.runPython("from pathlib import Path; Path")(FOLDER);
  alone = module.Alone(path, origin, pathname, (content) => postMessage({work: plain(content)}));
  alone.changes(); alone.mark_saved();
}

// What a person can be told of an error: of one of Python's, its own words.
const reason = (error) => String(error?.message ?? error).trim().split("\n").pop().replace(/^[\w.]+: /, "");
// A value of Python as the browser has it. Python keeps what is not destroyed, page after page.
function plain(value) {
  if (!value?.toJs) return value;
  const found = value.toJs();
  value.destroy();
  return found;
}
async function given(content, use) {
  const there = bytes(new Uint8Array(content ?? []));
  try { return await use(there); } finally { there.destroy(); }
}

async function stored() {
  const changes = plain(alone.changes());
  if (!changes.length) return;
  await keep(changes);
  alone.mark_saved();
}

const NOT_KEPT = "<!DOCTYPE html><html lang=\"en\"><title>Not kept</title><h1>Nothing can be kept here</h1>"
  + "<p>The browser keeps nothing more, so this entry would be lost with the page. Make room on the device, then try again.</p>";

async function answered({method, address, body, kind}, port) {
  let answer;
  const [status, headers, shown] = plain(await given(body, (content) => alone.ask.callKwargs(method, address, content, kind ?? "", {})));
  answer = {status, headers, body: shown};
  try { await stored(); } catch (error) {
    answer = {status: 507, headers: [["content-type", "text/html; charset=utf-8"]], body: new TextEncoder().encode(NOT_KEPT)};
    postMessage({trouble: `Nothing can be kept here: ${reason(error)}`});
  }
  port.postMessage(answer);
}

// The versions of the one page that is open: a newer stream takes the place of an older one.
async function streamed({method, address}, port) {
  const mine = ++streaming;
  port.postMessage({status: 200, headers: [["content-type", "text/event-stream"]], streams: true});
  const tell = (part) => { if (mine === streaming) port.postMessage({part: plain(part)}); };
  await alone.ask.callKwargs(method, address, {stream: tell});
  port.postMessage({done: true});
}

async function taken({name, content}) {
  try {
    const address = await given(content, (there) => alone.take(name, there));
    await stored();
    postMessage({lead: address});
  } catch (error) { postMessage({trouble: `${name} was not opened: ${reason(error)}`}); }
}

let turn = begun().then(
  () => postMessage({ready: true, heap: heap()}),
  (error) => { postMessage({failed: reason(error)}); return new Promise(() => {}); },
);
const inTurn = (work) => {
  turn = turn.then(work).catch((error) => postMessage({trouble: reason(error)})).then(() => postMessage({heap: heap()}));
  return turn;
};

onmessage = ({data, ports: [port]}) => {
  if (data.asked) {
    const events = data.asked.address.split("?")[0].endsWith("/events");
    inTurn(() => { if (events) streamed(data.asked, port); else return answered(data.asked, port); });
  } else if (data.take) inTurn(() => taken(data.take));
  else if (data.found) inTurn(() => given(data.found, (content) => alone.beside.receive(content)));
  else if (data.ended) inTurn(() => alone.beside.fail());
  else if (data.work) inTurn(async () => postMessage({found: plain(await given(data.work, worked))}));
};
