"use strict";
// Keeps the page current, says when it is cut off, and keeps what is being typed.
(() => {
  const state = () => document.getElementById("state");
  const PATIENCE = {answer: 10_000, event: 25_000}; // ms; the server gives a sign of life every 10 s
  let source, waiting = false, wanted = false, events = "", newest = "", sending = 0, again = 0, silent = 0, ended = false, answered = "";

  function say(text) {
    const line = document.getElementById("offline");
    if (line && line.textContent !== text) line.textContent = text;
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
          if (now.name === "at" && typing(now.form)) return false; // it was begun before what came since
          const chosen = (each) => each.matches("[type=radio]") ? each.value : each.querySelector(":scope>[type=radio]")?.value;
          const stays = now.closest(".grid") || chosen(now) !== undefined && chosen(now) === chosen(then)
            || now.matches("form") && now.cloneNode().isEqualNode(then.cloneNode());
          if (stays || !now.matches("a, button, form, input, label, select, svg")) return true;
          whole.push([now, then]);
          return false;
        },
        beforeNodeRemoved: (node) => !node.matches?.("[data-stays]") || location.href !== answered, // what a form came to
        beforeAttributeUpdated: (name, _, kind) => name !== "open" || kind !== "remove",
        afterNodeAdded: (node) => { if (node.nodeType === Node.ELEMENT_NODE) htmx.process(node); },
      },
    });
    for (const [now, then] of whole) { now.replaceWith(then); htmx.process(then); }
  }

  function typing(form) {
    const line = form && form.querySelector("#line");
    return line && line.value !== line.defaultValue;
  }

  // The board stays unfolded, or folded, on this phone when an entry brings a new page.
  function unfold() {
    const board = document.getElementById("board"), kept = sessionStorage.getItem(`board ${location.pathname}`);
    if (board && kept !== null) board.open = Boolean(kept);
  }

  // A phone that has both the log and somebody's notes goes from one to the other by a tap.
  function both() {
    const link = document.getElementById("other");
    if (!link) return;
    const {table, kind} = link.dataset;
    try {
      localStorage.setItem(`${kind} ${table}`, state().dataset.events.replace("/events", ""));
      const there = localStorage.getItem(`${kind === "log" ? "notes" : "log"} ${table}`);
      if (there) { link.href = there; link.hidden = false; }
    } catch {} // a private window keeps nothing
  }

  // A person who is asked something is called, who may look elsewhere.
  let called = false;
  function call() {
    const calls = state()?.dataset.calls !== undefined;
    document.title = document.title.replace(/^(● )?/, calls ? "● " : "");
    if (calls && !called && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
    called = calls;
  }
  function awake() { if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {}); }

  function settle() { unfold(); both(); call(); }

  function show(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const {id, dataset} = document.activeElement || {};
    place(page.body);
    settle();
    if (document.activeElement !== document.body) return;
    const again = id ? document.getElementById(id) : dataset?.line && [...document.querySelectorAll("#board a")].find((each) => each.dataset.line === dataset.line);
    if (again) again.focus({preventScroll: true});
  }

  async function refresh() {
    if (ended) return;
    if (waiting || sending || again) { wanted = true; return; }
    waiting = true; wanted = false;
    const asked = location.href;
    try {
      const answer = await fetch(asked, {cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(PATIENCE.answer)});
      if (answer.status === 403) {
        ended = true;
        source.close();
        document.querySelector("main")?.replaceWith(new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main"));
        say("");
      } else if (!answer.ok) setTimeout(refresh, 1000);
      else {
        const text = await answer.text();
        say("");
        if (location.href === asked && !sending && !again) show(text); else wanted = true;
      }
    } catch { say("Not connected; trying again …"); setTimeout(refresh, 1000); }
    waiting = false;
    if (wanted && !sending && !again && !ended) refresh();
  }

  function listen() {
    if (ended) return;
    if (source) source.close();
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
      if (source.readyState === EventSource.CLOSED) setTimeout(() => { refresh(); listen(); }, 2000);
    };
  }

  // A network that was changed leaves connections behind that never say that they are cut.
  function heard() {
    clearTimeout(silent);
    silent = setTimeout(() => { refresh(); listen(); }, PATIENCE.event);
  }

  // The place of the board that a tap means. A square is smaller than a finger, so the nearest one is
  // meant, and it is taken once it is seen to be right. A key, or a tap amid a room, is sure.
  const FINGER = 2, BESIDE = 1; // how far off the middle of a square may be, in squares: on the way, and in a room
  function middle(place) {
    const {left, top, width, height} = place.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  }
  function touched(event) {
    const place = event.target.closest("#board a[data-line]"), board = event.target.closest("#board svg");
    if (!board || event.detail === 0 || !place && event.target.closest("a")) return [place, true];
    const side = 10 * board.getBoundingClientRect().width / board.viewBox.baseVal.width;
    let least = side * (place?.matches(".room") ? BESIDE : FINGER), near = null;
    for (const square of board.querySelectorAll(".square")) {
      const [x, y] = middle(square), far = Math.hypot(event.clientX - x, event.clientY - y);
      if (far < least) { least = far; near = square; }
    }
    return near ? [near, false] : [place, true];
  }

  // With arrows one goes from place to place; the board is one stop for Tab.
  const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
  function stepped(event) {
    const here = event.target.closest?.("#board svg a"), way = WAYS[event.key];
    if (!here || !way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const [x, y] = middle(here);
    let best = null, least = Infinity;
    for (const place of here.closest("svg").querySelectorAll("a")) {
      const [i, j] = middle(place), ahead = (i - x) * way[0] + (j - y) * way[1], aside = Math.abs((i - x) * way[1] + (j - y) * way[0]);
      const far = ahead + 3 * aside;
      if (ahead > 1 && ahead >= aside / 2 && far < least) { best = place; least = far; }
    }
    best?.focus();
  }
  function entered(event) {
    const here = event.target.closest?.("#board svg a");
    for (const place of here?.closest("svg").querySelectorAll("a") || []) place.setAttribute("tabindex", place === here ? "0" : "-1");
  }

  // A tap on a card shows at once; the address is what has been tapped, the server's page follows.
  function tapped(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const cell = event.target.closest(".grid a");
    if (cell) {
      event.preventDefault();
      history.pushState(null, "", cell.href);
      refresh().then(() => document.getElementById("cell")?.scrollIntoView({block: "nearest"}));
      return;
    }
    const [place, sure] = touched(event); // without this a second tap, on the page it leads to, logs it
    if (place) {
      event.preventDefault(); event.stopPropagation();
      const form = document.getElementById("moving"), button = form.querySelector("button");
      const again = form.elements.line.value === place.dataset.line;
      form.elements.line.value = place.dataset.line;
      if (sure || again) { form.requestSubmit(); return; }
      document.querySelector("#board a.on")?.classList.remove("on");
      place.classList.add("on");
      button.textContent = place.getAttribute("aria-label").split(",")[0];
      button.hidden = false;
      button.scrollIntoView({block: "nearest"});
      return;
    }
  }

  // A half-made suggestion stands in the address, so that a reload and other panes keep it.
  function half(form) {
    const said = new FormData(form), address = (link) => {
      const url = new URL(link);
      for (const name of [...url.searchParams.keys()]) if (/^(by|at|pick.*|card-.*|what|x|kind|edit|was)$/.test(name)) url.searchParams.delete(name);
      for (const [name, value] of said) url.searchParams.append(name, value);
      return url.href;
    };
    history.replaceState(history.state, "", address(location.href));
    for (const link of document.querySelectorAll("nav a, #sheet a")) link.href = address(link.href);
  }
  function chosen({target}) {
    const form = target.form;
    if (target.type !== "radio" || !form?.dataset.most) return;
    half(form);
    const [by, cards] = ["[name=by]", "[name^=pick]"].map((name) => form.querySelectorAll(`${name}:checked`).length);
    if (by && cards >= Number(form.dataset.most)) form.requestSubmit();
    else if (!by || target.name === "by") refresh(); // what else may be done, or goes with it, is other
  }

  function kept() { return `line ${location.pathname}`; }

  document.addEventListener("click", tapped, true);
  document.addEventListener("keydown", stepped);
  document.addEventListener("focusin", entered);
  document.addEventListener("input", (event) => {
    if (event.target.id !== "line") return;
    sessionStorage.setItem(kept(), event.target.value);
    sessionStorage.setItem(`at ${kept()}`, event.target.form.elements.at.value);
  });
  document.addEventListener("change", chosen);
  document.addEventListener("change", ({target}) => { // another edition has other fields
    if (target.dataset.change !== undefined) target.form.querySelector("button[name=change]").click();
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.id === "board") sessionStorage.setItem(`board ${location.pathname}`, event.target.open ? "1" : "");
  }, true);
  document.addEventListener("htmx:afterSwap", () => { settle(); answered = location.href; window.scrollTo(0, 0); });
  document.addEventListener("htmx:pushedIntoHistory", () => { answered = location.href; });
  document.addEventListener("submit", () => sessionStorage.removeItem(kept()));
  document.addEventListener("htmx:beforeRequest", ({detail}) => {
    clearTimeout(again); again = 0; sending += 1;
    detail.xhr.addEventListener("loadend", () => { // whatever has become of it, and of what was tapped
      sending -= 1;
      if (wanted && newest !== state()?.dataset.version) refresh();
    });
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (state() && state().dataset.events !== events) listen();
  });
  // Whether it arrived cannot be known: it is sent once more, and what arrives twice is done once.
  function lost({detail}) {
    say("Not connected; trying again …");
    const key = detail.requestConfig.triggeringEvent?.submitter;
    again = setTimeout(() => {
      again = 0;
      if (key?.isConnected) key.click(); else refresh();
    }, 1000);
  }
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:timeout", lost);
  window.addEventListener("popstate", (event) => { if (!event.state) refresh(); });
  document.addEventListener("visibilitychange", () => {
    awake();
    if (!document.hidden) { refresh(); if (source.readyState !== EventSource.OPEN) listen(); }
  });
  document.addEventListener("DOMContentLoaded", () => {
    settle();
    awake();
    const line = document.getElementById("line"), typed = sessionStorage.getItem(kept());
    if (line && typed && !line.value) {
      line.value = typed;
      line.form.elements.at.value = sessionStorage.getItem(`at ${kept()}`) || line.form.elements.at.value;
    }
    listen();
  });
})();
