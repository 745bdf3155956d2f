"use strict";
// The way to a table's lines at a relay: they are sealed before they leave, and opened as they come.
// Each is bound to its number and to all lines before it (`chain`), so that none can be left out,
// moved, replaced or repeated unnoticed. The relay gets the table's name, never the key: both are
// made of the secret in the table's link.
(() => {
  const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", {fatal: true});
  const STEP = 128, NONCE = 12; // bytes: lines are filled up with spaces, so that their length tells little
  const PATIENCE = {answer: 10_000, wait: 40_000}; // ms

  const text = (bytes) => { let all = ""; for (const byte of bytes) all += String.fromCharCode(byte); return btoa(all); };
  const bytes = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const plain = (base64) => base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const known = (number, chain) => encoder.encode(`${number} ${chain}`);

  async function chained(chain, line) {
    const digest = await crypto.subtle.digest("SHA-256", encoder.encode(`${chain}\n${line}`));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  class Channel {
    static async open(relay, secret) {
      const base = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
      const derived = (use, bits) => crypto.subtle.deriveBits(
        {name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(`clue-solver ${use}`)}, base, bits);
      const key = await crypto.subtle.importKey("raw", await derived("key", 256), "AES-GCM", false, ["encrypt", "decrypt"]);
      const table = plain(text(new Uint8Array(await derived("table", 128))));
      return new Channel(`${relay.replace(/\/$/, "")}/${table}`, key);
    }

    constructor(address, key) { this.address = address; this.key = key; }

    async seal(number, chain, line) {
      const told = encoder.encode(line), filled = new Uint8Array(Math.ceil(told.length / STEP) * STEP).fill(32);
      filled.set(told);
      const iv = crypto.getRandomValues(new Uint8Array(NONCE));
      const sealed = await crypto.subtle.encrypt({name: "AES-GCM", iv, additionalData: known(number, chain)}, this.key, filled);
      const record = new Uint8Array(NONCE + sealed.byteLength);
      record.set(iv); record.set(new Uint8Array(sealed), NONCE);
      return record;
    }

    // Opens the lines behind one; rejects if any was not sealed by a phone of the table, for that place.
    async open(after, chain, records) {
      const lines = [];
      for (const record of records) {
        const sealed = bytes(record), iv = sealed.subarray(0, NONCE);
        const additionalData = known(after + lines.length + 1, chain);
        const filled = await crypto.subtle.decrypt({name: "AES-GCM", iv, additionalData}, this.key, sealed.subarray(NONCE));
        lines.push(decoder.decode(filled).trimEnd());
        chain = await chained(chain, lines.at(-1));
      }
      return lines;
    }

    async send(after, chain, line) {
      return this.ask(`?after=${after}`, {method: "POST", body: await this.seal(after + 1, chain, line)});
    }

    hear(after, wait) { return this.ask(`?after=${after}${wait ? "&wait" : ""}`, {}, wait); }

    async ask(query, how, wait = false) {
      const signal = AbortSignal.timeout(wait ? PATIENCE.wait : PATIENCE.answer);
      const answer = await fetch(this.address + query, {...how, signal, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer"});
      if (!answer.ok && answer.status !== 409) throw new Error(`the relay answers ${answer.status}`);
      return answer.text();
    }
  }

  globalThis.Channel = Channel;
})();
