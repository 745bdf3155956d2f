"use strict";
// Keeps the page current, says when it is cut off, and keeps what is being typed.
(() => {
  const state = () => document.getElementById("state");
  let source, waiting = false, wanted = false, events = "", sending = 0, ended = false;

  function say(text) {
    const line = document.getElementById("offline");
    if (line && line.textContent !== text) line.textContent = text;
  }

  // Only what differs is put in place, so that nothing moves under a finger.
  function place(page) {
    for (const part of page.querySelectorAll("main > [id], #state")) {
      const there = document.getElementById(part.id);
      if (there && there.outerHTML === part.outerHTML) continue;
      if (!there) {
        document.body.replaceChildren(...page.body.childNodes);
        if (window.htmx) htmx.process(document.body);
        return;
      }
      const typed = new Map();
      for (const field of there.querySelectorAll("input[id]:not([type=hidden])")) {
        if (field.value !== field.defaultValue) typed.set(field.id, field.value);
      }
      const focus = there.contains(document.activeElement) ? document.activeElement : null;
      const range = focus && focus.selectionStart !== undefined ? [focus.selectionStart, focus.selectionEnd] : null;
      const checked = [...there.querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value);
      there.replaceWith(part);
      if (window.htmx) htmx.process(part);
      for (const [id, value] of typed) {
        const field = document.getElementById(id);
        if (field) field.value = value;
      }
      for (const box of part.querySelectorAll("input[type=checkbox]")) {
        if (checked.includes(box.value)) box.checked = true;
      }
      const again = focus && focus.id && document.getElementById(focus.id);
      if (again) { again.focus({preventScroll: true}); if (range && again.setSelectionRange) again.setSelectionRange(...range); }
    }
    const main = page.querySelector("main"), now = document.querySelector("main");
    if (main && now) now.className = main.className;
    const nav = page.querySelector("nav"), old = document.querySelector("nav");
    if (nav && old && nav.outerHTML !== old.outerHTML) { old.replaceWith(nav); if (window.htmx) htmx.process(nav); }
  }

  async function refresh() {
    if (ended) return;
    if (waiting || sending) { wanted = true; return; }
    waiting = true; wanted = false;
    const asked = location.href;
    try {
      const answer = await fetch(asked, {cache: "no-store", credentials: "omit"});
      if (answer.status === 403) {
        ended = true;
        source.close();
        document.querySelector("main")?.remove();
        say("This link has ended.");
      }
      else if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        say("");
        if (location.href === asked && !sending) place(page); else wanted = true;
      }
    } catch { say("Not connected; trying again …"); setTimeout(refresh, 1000); }
    waiting = false;
    if (wanted && !sending) refresh();
  }

  function listen() {
    if (ended) return;
    if (source) source.close();
    events = state().dataset.events;
    source = new EventSource(events);
    source.onopen = () => say("");
    source.onmessage = (event) => { if (event.data !== state().dataset.version) refresh(); };
    source.onerror = () => {
      if (ended) return;
      say("Not connected; trying again …");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => { refresh(); listen(); }, 2000);
    };
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
    const key = event.target.closest("a[data-card], a[data-by]");
    if (!key) return;
    event.preventDefault(); event.stopPropagation();
    const group = key.parentElement, was = key.classList.contains("on");
    const picks = Boolean(key.dataset.card);
    for (const other of group.querySelectorAll("a.on")) { other.classList.remove("on"); other.removeAttribute("aria-current"); }
    if (!picks || !was) { key.classList.add("on"); key.setAttribute("aria-current", "true"); }
    const cards = [...document.querySelectorAll(".columns a.on[data-card]")].map((on) => on.dataset.card);
    const said = (address) => {
      address.searchParams.delete("x");
      if (picks) { address.searchParams.delete("pick"); for (const card of cards) address.searchParams.append("pick", card); }
      else address.searchParams.set("by", key.dataset.by);
      return address.href;
    };
    history.replaceState(history.state, "", said(new URL(location.href)));
    for (const link of document.querySelectorAll("nav a, #sheet .grid a, .askers a")) {
      if (picks || !link.dataset.by) link.href = said(new URL(link.href));
    }
    if (!picks || cards.length >= Number(document.getElementById("thumbs").dataset.most)) refresh();
  }

  function kept() { return `line ${location.pathname}`; }

  document.addEventListener("click", tapped, true);
  document.addEventListener("input", (event) => {
    if (event.target.id === "line") sessionStorage.setItem(kept(), event.target.value);
  });
  document.addEventListener("submit", () => sessionStorage.removeItem(kept()));
  document.addEventListener("htmx:beforeRequest", () => { sending += 1; });
  document.addEventListener("htmx:afterRequest", () => { sending = Math.max(0, sending - 1); });
  document.addEventListener("htmx:afterSettle", () => {
    if (wanted) refresh();
    if (state() && state().dataset.events !== events) listen();
  });
  document.addEventListener("htmx:sendError", () => say("Not connected; nothing was logged. Tap again."));
  window.addEventListener("popstate", (event) => { if (!event.state) refresh(); });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) { refresh(); if (source.readyState !== EventSource.OPEN) listen(); }
  });
  document.addEventListener("DOMContentLoaded", () => {
    const line = document.getElementById("line"), typed = sessionStorage.getItem(kept());
    if (line && typed && !line.value) line.value = typed;
    listen();
  });
})();
