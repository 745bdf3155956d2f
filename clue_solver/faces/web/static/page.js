"use strict";
// Sends what is tapped, keeps the page current, says when it is cut off, and keeps what is typed.
(() => {
  const PATIENCE = {answer: 20_000, event: 25_000}, AGAIN = 1000; // ms; the server gives a sign of life every 10 s
  const state = () => document.getElementById("state");
  const base = () => events.replace("/events", "");
  let source, events = "", newest = "", silent = 0; // the stream of versions
  let waiting = false, wanted = false, sending = false, ended = false, called = false;
  let answered = "", anew = false; // the address at which the answer to a form stands; whether all is exchanged

  function say(text) {
    const line = document.getElementById("offline");
    if (line && line.textContent !== text) line.textContent = text;
  }

  // What is sent is sent until it is answered: what arrives twice is done once.
  async function fetched(address, said) {
    for (;;) {
      const options = {cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(PATIENCE.answer)};
      try {
        const answer = await fetch(address, said ? {...options, method: "POST", body: said} : options);
        const text = await answer.text();
        say("");
        return [answer, new DOMParser().parseFromString(text, "text/html")];
      } catch {
        say("Not connected; trying again …");
        await new Promise((done) => setTimeout(done, AGAIN));
      }
    }
  }

  // Only what differs is put in place, so that nothing moves under a finger and no typing is lost.
  // What can be tapped is exchanged whole: a tap never means what it did not say when it began. The
  // cells of the sheet stay, and so do the cards and names that only mark what is tapped.
  function place(page) {
    const whole = [];
    Idiomorph.morph(document.body, [...page.childNodes], {
      morphStyle: "innerHTML",
      callbacks: {
        beforeNodeMorphed(now, then) {
          if (now.isEqualNode(then) || now.id === "offline") return false;
          if (now.nodeType !== Node.ELEMENT_NODE) return true;
          if (now.matches("input[id], textarea") && now.value !== now.defaultValue) return false;
          const line = now.name === "at" && now.form?.querySelector("#line"); // other forms have keys of that name
          if (line && line.value !== line.defaultValue) return false; // it was begun before what came since
          const chosen = (each) => each.matches("[type=radio]") ? each.value : each.querySelector(":scope>[type=radio]")?.value;
          const stays = now.closest(".grid") || chosen(now) !== undefined && chosen(now) === chosen(then)
            || now.matches("form") && now.cloneNode().isEqualNode(then.cloneNode());
          if (stays || !now.matches("a, button, form, input, label, select, svg")) return true;
          whole.push([now, then]);
          return false;
        },
        beforeNodeRemoved: (node) => !node.matches?.("[data-stays]") || location.href !== answered, // what a form came to
        beforeAttributeUpdated: (name, _, kind) => name !== "open" || kind !== "remove",
      },
    });
    for (const [now, then] of whole) now.replaceWith(then);
  }

  // Show a page: in place of the last one, or what differs from it.
  function show(page) {
    const {id, dataset} = document.activeElement || {};
    if (anew) document.body.replaceChildren(...page.body.childNodes); else place(page.body);
    anew = false;
    document.title = page.title;
    settle();
    if (document.activeElement !== document.body) return;
    const again = id ? document.getElementById(id) : dataset?.line && [...document.querySelectorAll("#board a")].find((each) => each.dataset.line === dataset.line);
    again?.focus({preventScroll: true});
  }

  // The board and the rules stay unfolded, or folded, on this phone, as does a game that has begun; a
  // board beside the question is always unfolded. A phone that has both the log and somebody's
  // notes goes from one to the other by a tap. Who is asked something is called, and may look elsewhere.
  function settle() {
    for (const fold of document.querySelectorAll("[data-kept]")) {
      const kept = sessionStorage.getItem(`${fold.id} ${location.pathname}`);
      if (fold.matches(".wide-board>*") && matchMedia("(min-width:1240px)").matches) fold.open = true;
      else if (kept !== null) fold.open = Boolean(kept);
    }
    count();
    if (state() && state().dataset.events !== events) listen();
    const link = document.getElementById("other");
    try {
      if (link) localStorage.setItem(`${link.dataset.kind} ${link.dataset.table}`, base());
      const there = link && localStorage.getItem(`${link.dataset.kind === "notes" ? "log" : "notes"} ${link.dataset.table}`);
      if (there) { link.href = there; link.hidden = false; }
    } catch {} // a private window keeps nothing
    const calls = state()?.dataset.calls !== undefined;
    document.title = document.title.replace(/^(● )?/, calls ? "● " : "");
    if (calls && !called && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    called = calls;
  }
  function seen() { // the panel about a cell stands beneath it
    const panel = document.getElementById("cell"), cell = panel && [...document.querySelectorAll(".grid :is(.asked,.inside.up,.inside.down)")].at(-1);
    if (!cell) return;
    cell.style.scrollMarginBottom = `${panel.offsetHeight + 16}px`;
    cell.scrollIntoView({block: "nearest"});
  }
  function count() { // a hand is ready once as many cards are ticked as it has
    for (const key of document.querySelectorAll("[data-sizes]")) key.classList.toggle("main", key.dataset.sizes.split(" or ").includes(`${key.form.querySelectorAll(":checked").length}`));
  }
  function awake() { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); }

  async function send(form, key) {
    if (sending) return;
    sending = true;
    const said = new URLSearchParams(new FormData(form));
    if (key?.name) said.append(key.name, key.value);
    sessionStorage.removeItem(kept());
    const [answer, page] = await fetched(form.action, said);
    sending = false;
    if (!answer.ok) { await refresh(); say(page.title || "Something went wrong"); return; }
    answered = new URL(answer.headers.get("Content-Location") ?? location.href, location.href).href;
    if (answered !== location.href) history.pushState(null, "", answered);
    anew = true;
    show(page);
    window.scrollTo(0, 0);
    if (wanted && newest !== state()?.dataset.version) refresh();
  }

  async function refresh() {
    if (ended) return;
    if (waiting || sending) { wanted = true; return; }
    waiting = true; wanted = false;
    const asked = location.href, [answer, page] = await fetched(asked);
    waiting = false;
    if (answer.status === 403) {
      ended = true;
      source?.close();
      document.querySelector("main")?.replaceWith(page.querySelector("main"));
    } else if (!answer.ok) setTimeout(refresh, AGAIN);
    else if (location.href === asked && !sending) show(page); else wanted = true;
    if (wanted && !sending) await refresh();
  }

  function listen() {
    if (ended) return;
    source?.close();
    events = state().dataset.events;
    source = new EventSource(events);
    heard();
    source.onopen = () => say("");
    source.onmessage = (event) => {
      heard();
      newest = event.lastEventId;
      if (newest !== state().dataset.version) refresh();
    };
    source.onerror = () => {
      if (ended) return;
      say("Not connected; trying again …");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => { refresh(); listen(); }, 2 * AGAIN);
    };
  }

  // A network that was changed leaves connections behind that never say that they are cut.
  function heard() {
    clearTimeout(silent);
    silent = setTimeout(() => { refresh(); listen(); }, PATIENCE.event);
  }

  // The place of the board that a tap means. A square is smaller than a finger, so the nearest one is
  // meant. A key, or a tap amid a room, means what it is on.
  const FINGER = 2, BESIDE = 1; // how far off the middle of a square may be, in squares: on the way, and in a room
  function touched(event) {
    const link = event.target.closest("a[href]"), place = link?.closest("#board"), board = event.target.closest("#board svg");
    if (!board || event.detail === 0) return link;
    const side = 10 * board.getBoundingClientRect().width / board.viewBox.baseVal.width;
    let least = side * (place && link.matches(".room") ? BESIDE : FINGER), near = link;
    for (const square of board.querySelectorAll(".square")) {
      const {left, top, width, height} = square.getBoundingClientRect();
      const far = Math.hypot(event.clientX - left - width / 2, event.clientY - top - height / 2);
      if (far < least) { least = far; near = square; }
    }
    return near;
  }

  // Links of this page show at once where they lead; others, and files, are the browser's. What is
  // unfolded comes into view.
  function tapped(event) {
    const folded = event.target.closest("summary")?.parentElement;
    if (folded) requestAnimationFrame(() => folded.open && folded.scrollIntoView({block: "nearest"}));
    const more = document.getElementById("more");
    if (more?.open && !more.contains(event.target)) more.open = false;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = touched(event), to = link && new URL(link.getAttribute("href"), location.href);
    if (!link || link.download || to.origin !== location.origin || !to.pathname.startsWith(base())) return;
    event.preventDefault();
    const cell = link.closest(".grid");
    history.pushState(null, "", to.href);
    answered = ""; anew = !cell;
    refresh().then(() => { if (cell) seen(); else window.scrollTo(0, 0); });
  }

  // A half-made suggestion stands in the address, so that a reload and other panes keep it.
  function chosen({target}) {
    const form = target.form;
    count();
    if (target.dataset.change !== undefined) form.querySelector("button[name=change]").click(); // another edition has other fields
    const named = form?.querySelector("[data-names]"); // the button of an accusation says what it sends
    if (named) named.textContent = `${named.dataset.names} ${[...form.querySelectorAll(":checked")].map((each) => each.value).join(", ")}`;
    if (target.type !== "radio" || !form?.dataset.most) return;
    const half = (link) => {
      const url = new URL(link);
      for (const name of [...url.searchParams.keys()]) if (/^(by|at|pick.*|card-.*|what|x|kind|edit|was)$/.test(name)) url.searchParams.delete(name);
      for (const [name, value] of new FormData(form)) if (name !== "once") url.searchParams.append(name, value);
      return url.href;
    };
    history.replaceState(history.state, "", half(location.href));
    for (const link of document.querySelectorAll("nav a, #sheet a")) link.href = half(link.href);
    const [by, cards] = ["[name=by]", "[name^=pick]"].map((name) => form.querySelectorAll(`${name}:checked`).length);
    if (by && cards >= Number(form.dataset.most)) form.requestSubmit();
    else if (!by || target.name === "by") refresh(); // what else may be done, or goes with it, is other
  }

  const kept = () => `line ${location.pathname}`;

  document.addEventListener("click", tapped, true);
  document.addEventListener("change", chosen);
  document.addEventListener("submit", (event) => { event.preventDefault(); send(event.target, event.submitter); });
  document.addEventListener("input", ({target}) => {
    for (const each of target.form?.querySelectorAll("#setup .wrong") ?? []) each.remove(); // it is about what was typed before
    if (target.id !== "line") return;
    sessionStorage.setItem(kept(), target.value);
    sessionStorage.setItem(`at ${kept()}`, target.form.elements.at.value);
  });
  document.addEventListener("toggle", ({target}) => {
    if (target.dataset.kept !== undefined) sessionStorage.setItem(`${target.id} ${location.pathname}`, target.open ? "1" : "");
  }, true);
  window.addEventListener("popstate", refresh);
  document.addEventListener("visibilitychange", () => {
    awake();
    if (document.hidden) return;
    refresh();
    if (source.readyState !== EventSource.OPEN) listen();
  });
  document.addEventListener("DOMContentLoaded", () => {
    settle();
    seen();
    awake();
    const line = document.getElementById("line"), typed = sessionStorage.getItem(kept());
    if (!line || !typed || line.value) return;
    line.value = typed;
    line.closest("details").open = true;
    line.form.elements.at.value = sessionStorage.getItem(`at ${kept()}`) || line.form.elements.at.value;
  });
})();
