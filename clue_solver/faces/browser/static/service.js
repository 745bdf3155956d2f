"use strict";
// Answers all that this page asks for: its own files from the cache, the game's addresses by the
// worker of the open page, with the page that was drawn last until that one is there.
importScripts("built.js");

const BASE = new URL("./", self.location).pathname;
const GAME = `${BASE}game/`;
const OWN = `clue-solver ${BASE} `, FILES = OWN + BUILT.version, DRAWN = `${OWN}drawn`, SHARED = `${OWN}shared`;
const LATER = 4 * 60_000; // ms after which nobody is expected to answer any more
const KINDS = {html: "text/html; charset=utf-8", js: "text/javascript", mjs: "text/javascript", css: "text/css", svg: "image/svg+xml",
  png: "image/png", wasm: "application/wasm", json: "application/json", webmanifest: "application/manifest+json", zip: "application/zip", txt: "text/plain; charset=utf-8"};
const HEADERS = {
  "Content-Security-Policy": BUILT.policy, "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
};

// A file of the folder, as it is kept; those that are packed come out of their packing once.
async function file(name) {
  const cache = await caches.open(FILES);
  const kept = await cache.match(BASE + name);
  if (kept) return kept;
  const part = name.startsWith("parts/") ? BUILT.parts[name.slice(6)] : undefined;
  const answer = await fetch(BASE + (part ? `${name}.packed` : name), {cache: "no-cache"});
  if (!answer.ok) return answer;
  const body = part && part.bytes !== part.packed ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body;
  const headers = {...HEADERS, "Content-Type": KINDS[name.split(".").pop()] ?? "application/octet-stream"};
  const [shown, stored] = body.tee();
  const keeping = cache.put(BASE + name, new Response(stored, {headers}));
  keeping.catch(() => {}); // there may be no room: then it is fetched again
  return new Response(shown, {headers});
}

addEventListener("install", (event) => event.waitUntil((async () => {
  const before = (await caches.keys()).some((name) => name.startsWith(OWN) && ![FILES, DRAWN, SHARED].includes(name));
  const names = [...BUILT.files, ...(before ? Object.keys(BUILT.parts).map((name) => `parts/${name}`) : [])];
  for (const name of names) await (await file(name)).arrayBuffer();
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(OWN) && ![FILES, DRAWN, SHARED].includes(name)) await caches.delete(name);
  }
  await clients.claim();
})()));

// The page that was drawn last, if it is the one that is asked for; else the set-up of a new game.
async function drawn(address) {
  const kept = await (await caches.open(DRAWN)).match(`${GAME}drawn`);
  if (kept?.headers.get("X-Address") === address) return kept;
  if (address !== GAME + BUILT.begin) return null;
  const page = await (await file("drawn.html")).text();
  return new Response(page.replaceAll(BUILT.placeholder, GAME.slice(0, -1)), {headers: {...HEADERS, "Content-Type": KINDS.html, "Content-Security-Policy": BUILT.framed}});
}

async function draw(address, {status, body, headers}) {
  const cache = await caches.open(DRAWN);
  if (status !== 200) await cache.delete(`${GAME}drawn`); // it leads nowhere any more
  else await cache.put(`${GAME}drawn`, new Response(body, {headers: [...headers, ["X-Address", address]]}));
}

async function asked(event, url) {
  const {request} = event, address = url.pathname + url.search;
  const shells = (await clients.matchAll({type: "window"})).filter((each) => !new URL(each.url).pathname.startsWith(GAME));
  if (!shells.length) return Response.redirect(new URL(BASE, self.location), 302);
  const body = request.method === "GET" ? null : await request.arrayBuffer();
  const said = {method: request.method, address, body, kind: request.headers.get("Content-Type")};
  const heard = inbox();
  for (const shell of shells) shell.postMessage({asked: said}, [heard.way()]);
  let answer = await heard.next();
  if (answer.waits) {
    const page = request.mode === "navigate" && !body && await drawn(address);
    if (page) return page;
    answer = await heard.next();
  }
  const headers = new Headers(answer.headers);
  if (answer.streams) return new Response(stream(heard), {headers});
  if (headers.has("Location")) headers.set("Location", new URL(headers.get("Location"), self.location).href);
  const page = request.method === "GET" && headers.get("Content-Type")?.startsWith("text/html") && !headers.has("Content-Disposition");
  if (page && !address.startsWith(`${GAME}games`)) event.waitUntil(draw(address, answer));
  return new Response(answer.body.length ? answer.body : null, {status: answer.status, headers});
}

// A file that the system shares to the page: it is kept until the page that opens next takes it.
async function shared(request) {
  const cache = await caches.open(SHARED);
  for (const file of (await request.formData()).getAll("game")) await cache.put(`${BASE}share/${encodeURIComponent(file.name)}`, new Response(file));
  return Response.redirect(new URL(BASE, self.location), 303);
}

// What is answered, in order, by whichever shell has the worker.
function inbox() {
  const come = [], waiting = [];
  const take = ({data}) => { const first = waiting.shift(); if (first) first(data); else come.push(data); };
  return {
    way() { const {port1, port2} = new MessageChannel(); port1.onmessage = take; return port2; },
    next: () => new Promise((resolve, reject) => {
      if (come.length) resolve(come.shift());
      else { waiting.push(resolve); setTimeout(() => reject(new Error("nobody answers")), LATER); }
    }),
  };
}

function stream(heard) {
  return new ReadableStream({
    async pull(controller) {
      const {part, done} = await heard.next();
      if (done) controller.close(); else controller.enqueue(part);
    },
  });
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin || !url.pathname.startsWith(BASE)) return;
  const files = url.pathname.startsWith(GAME) && url.pathname.indexOf("/static/");
  if (files > 0) event.respondWith(file(url.pathname.slice(files + 1)));
  else if (url.pathname === `${BASE}share`) event.respondWith(shared(event.request));
  else if (url.pathname.startsWith(GAME)) event.respondWith(asked(event, url));
  else event.respondWith(file(url.pathname.slice(BASE.length) || "index.html"));
});
