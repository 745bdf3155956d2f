"use strict";
// Keeps the page current, says when it is cut off, and keeps what is being typed.
(() => {
  const state = () => document.getElementById("state");
  let source, waiting = false, wanted = false, events = "";

  function say(text) {
    const line = document.getElementById("offline");
    if (line && line.textContent !== text) line.textContent = text;
  }

  // Only what differs is put in place, so that nothing moves under a finger.
  function place(page) {
    for (const part of page.querySelectorAll("main > [id], #state")) {
      const there = document.getElementById(part.id);
      if (there && there.outerHTML === part.outerHTML) continue;
      if (!there) { document.body.replaceChildren(...page.body.childNodes); break; }
      const typed = new Map();
      for (const field of there.querySelectorAll("input[id]:not([type=hidden])")) {
        if (field.value !== field.defaultValue) typed.set(field.id, field.value);
      }
      const focus = there.contains(document.activeElement) ? document.activeElement : null;
      const range = focus && focus.selectionStart !== undefined ? [focus.selectionStart, focus.selectionEnd] : null;
      const checked = [...there.querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value);
      there.replaceWith(part);
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
    const nav = page.querySelector("nav"), old = document.querySelector("nav");
    if (nav && old && nav.outerHTML !== old.outerHTML) old.replaceWith(nav);
    if (window.htmx) htmx.process(document.body);
  }

  async function refresh() {
    if (waiting) { wanted = true; return; }
    waiting = true; wanted = false;
    const asked = location.href;
    try {
      const answer = await fetch(asked, {cache: "no-store", credentials: "omit"});
      if (answer.status === 403) { say("This link has ended."); }
      else if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (location.href === asked) place(page); else wanted = true;
      }
    } catch { say("Not connected; trying again …"); }
    waiting = false;
    if (wanted) refresh();
  }

  function listen() {
    if (source) source.close();
    events = state().dataset.events;
    source = new EventSource(events);
    source.onopen = () => say("");
    source.onmessage = (event) => { if (event.data !== state().dataset.version) refresh(); };
    source.onerror = () => {
      say("Not connected; trying again …");
      if (source.readyState === EventSource.CLOSED) setTimeout(() => { refresh(); listen(); }, 2000);
    };
  }

  function kept() { return `line ${location.pathname}`; }

  document.addEventListener("input", (event) => {
    if (event.target.id === "line") sessionStorage.setItem(kept(), event.target.value);
  });
  document.addEventListener("submit", () => sessionStorage.removeItem(kept()));
  document.addEventListener("htmx:afterSettle", () => {
    if (state() && state().dataset.events !== events) listen();
  });
  document.addEventListener("htmx:sendError", () => say("Not connected; nothing was logged. Tap again."));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) { refresh(); if (source.readyState !== EventSource.OPEN) listen(); }
  });
  document.addEventListener("DOMContentLoaded", () => {
    const line = document.getElementById("line"), typed = sessionStorage.getItem(kept());
    if (line && typed && !line.value) line.value = typed;
    listen();
  });
})();
