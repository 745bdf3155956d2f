"use strict";
// Python, in a thread of its own: answers what the service worker passes on, one after the other,
// and keeps what that has changed before the answer is told. With `?beside` it works out what the
// first one gives it.
import "./built.js";
import {files, keep} from "./store.js";

const beside = new URL(self.location).searchParams.has("beside");
const FOLDER = "/kept/clue-solver/games";
let alone, worked, streaming = 0;

async function fetched() {
  const sizes = BUILT.parts, whole = {};
  let packed = 0;
  await Promise.all(Object.entries(sizes).map(async ([name, size]) => {
    const answer = await fetch(`parts/${name}`);
    if (!answer.ok) throw new Error(`${name} cannot be loaded`);
    const chunks = [], reader = answer.body.getReader();
    for (let part; !(part = await reader.read()).done;) {
      chunks.push(part.value);
      packed += part.value.length * size.packed / size.bytes;
      if (!beside) postMessage({loaded: packed});
    }
    whole[name] = new Blob(chunks);
  }));
  return whole;
}

async function begun() {
  const kept = beside ? [] : files();
  const parts = await fetched();
  if (!beside) postMessage({starting: true});
  const {loadPyodide} = await import("./parts/pyodide.mjs");
  const here = new URL("parts/", self.location).href;
  const python = await loadPyodide({
    indexURL: here, stdLibURL: `${here}python_stdlib.zip`, env: {HOME: "/kept", XDG_DATA_HOME: "/kept"},
  });
  python.unpackArchive(await parts["program.zip"].arrayBuffer(), "zip", {extractDir: "/program"});
  python.runPython("import sys; sys.path.insert(0, '/program')");
  const module = python.pyimport("clue_solver.faces.browser.alone");
  if (beside) { worked = module.worked; return; }
  python.FS.mkdirTree(FOLDER);
  for (const [name, content] of await kept) python.FS.writeFile(`${FOLDER}/${name}`, content);
  const {origin, pathname} = new URL("game", self.location);
  const path = python.runPython("from pathlib import Path; Path")(FOLDER);
  alone = module.Alone(path, origin, pathname, (content) => postMessage({work: plain(content)}));
  alone.changes(); alone.kept();
  self.heap = () => python._module.HEAPU8.length;
}

const plain = (value) => value?.toJs ? value.toJs() : value;

async function stored() {
  const changes = plain(alone.changes());
  if (!changes.length) return;
  await keep(changes);
  alone.kept();
}

const NOT_KEPT = "<!DOCTYPE html><html lang=\"en\"><title>Not kept</title><h1>Nothing can be kept here</h1>"
  + "<p>The browser keeps nothing more, so this entry would be lost with the page. Make room on the device, then try again.</p>";

async function answered({method, address, body, kind}, port) {
  let answer;
  const content = body ? new Uint8Array(body) : new Uint8Array();
  const [status, headers, bytes] = plain(await alone.ask.callKwargs(method, address, content, kind ?? "", {}));
  answer = {status, headers, body: bytes};
  try { await stored(); } catch (error) {
    answer = {status: 507, headers: [["content-type", "text/html; charset=utf-8"]], body: new TextEncoder().encode(NOT_KEPT)};
    postMessage({trouble: `Nothing can be kept here: ${error?.message ?? error}`});
  }
  port.postMessage(answer);
}

// The versions of the one page that is open: a newer stream takes the place of an older one.
async function streamed({method, address}, port) {
  const mine = ++streaming;
  port.postMessage({status: 200, headers: [["content-type", "text/event-stream"]], streams: true});
  const tell = (part) => { if (mine === streaming) port.postMessage({part: plain(part)}); };
  await alone.ask.callKwargs(method, address, {told: tell});
  port.postMessage({done: true});
}

async function taken({name, content}) {
  try {
    const address = alone.take(name, new Uint8Array(content));
    await stored();
    postMessage({lead: address});
  } catch (error) { postMessage({trouble: `${name} was not opened: ${String(error.message).trim().split("\n").pop().replace(/^[\w.]+: /, "")}`}); }
}

let turn = begun();
turn.then(
  () => postMessage({ready: true, heap: self.heap?.()}),
  (error) => postMessage({failed: String(error?.message ?? error).trim().split("\n").pop()}),
);
const inTurn = (work) => { turn = turn.then(work).catch((error) => postMessage({trouble: String(error?.message ?? error).slice(-300)})); };

onmessage = ({data, ports: [port]}) => {
  if (data.asked) {
    const events = data.asked.address.split("?")[0].endsWith("/events");
    inTurn(() => { if (events) streamed(data.asked, port); else return answered(data.asked, port); });
  } else if (data.take) inTurn(() => taken(data.take));
  else if (data.found) inTurn(() => alone.beside.found(data.found));
  else if (data.ended) inTurn(() => alone.beside.ended());
  else if (data.work) inTurn(() => postMessage({found: plain(worked(data.work))}));
};
