"use strict";
// The page around the game: has the worker, passes on what the service worker is asked, says how
// far loading is, takes dropped files, and saves or shares games.
(async () => {
  const BASE = new URL("./", location).pathname;
  const at = (id) => document.getElementById(id);
  const frame = document.querySelector("iframe");
  const MB = (bytes) => (bytes / 1e6).toFixed(1);
  const PACKED = Object.values(BUILT.parts).reduce((sum, part) => sum + part.packed, 0);
  let worker, beside, ready = false;

  function say(text, wrong = false) { at("said").textContent = text; at("said").className = wrong ? "wrong" : ""; }

  if (!window.isSecureContext || !navigator.serviceWorker) {
    const why = location.protocol === "https:" || window.isSecureContext ? "This browser lets no page work without a network here; a private window may be why."
      : "This page needs https: over plain http a browser keeps no game and works no page out by itself.";
    say(why, true);
    return;
  }
  if (!window.DecompressionStream || !navigator.locks) { say("This browser is too old for this page.", true); return; }

  navigator.serviceWorker.onmessage = ({data, ports: [port]}) => {
    if (!data.asked || !worker) return;
    if (data.asked.method !== "GET") navigator.storage?.persist?.();
    if (!ready) port.postMessage({waits: true});
    worker.postMessage({asked: data.asked}, [port]);
  };

  function told({data}) {
    if (data.heap) document.body.dataset.heap = data.heap;
    if (data.loaded && !ready) {
      at("loading").hidden = false;
      at("loading").value = data.loaded / PACKED;
      say(`Loading ${MB(data.loaded)} of ${MB(PACKED)} MB`);
    } else if (data.starting) say("Starting …");
    else if (data.ready) { ready = true; at("loading").hidden = true; say(""); beside ??= besides(); }
    else if (data.failed) say(`It could not start: ${data.failed}. Reload to try again.`, true);
    else if (data.trouble) say(data.trouble, true);
    else if (data.lead) { say(""); frame.src = data.lead; }
    else if (data.work) {
      beside ??= besides();
      beside.postMessage({work: data.work});
    }
  }

  function besides() {
    const second = new Worker("worker.js?beside", {type: "module"});
    second.onmessage = ({data}) => {
      if (data.heap) document.body.dataset.heapBeside = data.heap;
      if (data.found) worker.postMessage({found: data.found});
      else if (data.failed || data.trouble) { second.terminate(); worker.postMessage({ended: true}); }
    };
    second.onerror = () => worker.postMessage({ended: true});
    return second;
  }

  async function begin() {
    at("here").hidden = true;
    worker = new Worker("worker.js", {type: "module"});
    worker.onmessage = told;
    worker.onerror = (error) => say(`It has stopped: ${error.message ?? "reload the page"}`, true);
    const last = await (await caches.open(`clue-solver ${BASE} drawn`)).match(`${BASE}game/drawn`);
    frame.src = last?.headers.get("X-Address") ?? `${BASE}game/${BUILT.begin}`;
    frame.hidden = at("games").hidden = false;
    const given = await caches.open(`clue-solver ${BASE} shared`);
    for (const request of await given.keys()) {
      const name = decodeURIComponent(request.url.split("/").pop());
      take([new File([await (await given.match(request)).blob()], name)]);
      await given.delete(request);
    }
    window.launchQueue?.setConsumer(async ({files}) => take(await Promise.all(files.map((each) => each.getFile()))));
  }

  function end() {
    worker?.terminate(); beside?.terminate();
    worker = beside = undefined; ready = false;
    frame.hidden = at("games").hidden = true; frame.src = "about:blank";
    say("The games are open in another tab.");
    at("here").hidden = false;
  }

  // One tab has the games at a time; another one may take them over.
  const lock = (options) => navigator.locks.request(`clue-solver ${BASE}`, options, (held) => {
    if (!held) { end(); return undefined; }
    return begin().then(() => new Promise(() => {}));
  }).catch(end);

  async function send(link) {
    const name = link.download || "game.clue", answer = await fetch(link.href);
    if (!answer.ok) { frame.src = link.href; return; }
    const content = await answer.blob();
    const page = name.endsWith(".html"); // browsers share files of few kinds, a page among them
    const shared = page ? new File([content], name, {type: "text/html"}) : new File([content], `${name}.txt`, {type: "text/plain"});
    if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({files: [shared]})) {
      try { await navigator.share({files: [shared]}); return; } catch (error) { if (error.name === "AbortError") return; }
    }
    const save = Object.assign(document.createElement("a"), {href: URL.createObjectURL(content), download: name});
    save.click();
    setTimeout(() => URL.revokeObjectURL(save.href), 60_000);
  }

  async function take(files) {
    for (const file of files) worker?.postMessage({take: {name: file.name.replace(/\.(clue|toml)\.txt$/, ".$1"), content: await file.arrayBuffer()}});
  }

  function listen(page) {
    page.addEventListener("dragover", (event) => { if (event.dataTransfer.types.includes("Files")) event.preventDefault(); });
    page.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      take(event.dataTransfer.files);
    });
    page.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[download]");
      if (link) { event.preventDefault(); send(link); }
    });
    page.addEventListener("change", (event) => { if (event.target.id === "opened") take(event.target.files); });
  }
  listen(document);
  frame.addEventListener("load", () => { if (frame.contentDocument) listen(frame.contentDocument); });

  let prompt;
  window.addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); prompt = event; at("install").hidden = false; });
  at("install").onclick = () => { prompt?.prompt(); at("install").hidden = true; };
  at("here").onclick = () => lock({steal: true});

  try {
    const registered = await navigator.serviceWorker.register("service.js", {updateViaCache: "none"});
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) => {
        navigator.serviceWorker.addEventListener("controllerchange", resolve, {once: true});
        if (registered.active && !sessionStorage.getItem("again")) { sessionStorage.setItem("again", "1"); location.reload(); } // a reload by force left it out
      });
    }
    sessionStorage.removeItem("again");
    await lock({ifAvailable: true});
  } catch (error) { say(`It could not start: ${error.message}. Reload to try again.`, true); }
})();
