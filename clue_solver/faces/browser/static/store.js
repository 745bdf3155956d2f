"use strict";
// The files of the games, in the browser's own database: name and bytes. What is to be kept goes
// in together or not at all, and is on the disk when `keep` is done.
const opened = new Promise((resolve, reject) => {
  const asked = indexedDB.open("clue-solver", 1);
  asked.onupgradeneeded = () => { for (const name of ["files", "owner"]) asked.result.createObjectStore(name); };
  asked.onsuccess = () => resolve(asked.result);
  asked.onerror = () => reject(asked.error);
});

const done = (transaction) => new Promise((resolve, reject) => {
  transaction.oncomplete = resolve;
  transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("another tab has the games"));
});

// Whoever has read the files last is the one that may write them: another tab, once it took over.
const owner = crypto.randomUUID();

export async function files() {
  const transaction = (await opened).transaction(["files", "owner"], "readwrite");
  transaction.objectStore("owner").put(owner, "owner");
  const store = transaction.objectStore("files");
  const names = store.getAllKeys(), contents = store.getAll();
  await done(transaction);
  return names.result.map((name, at) => [name, contents.result[at]]);
}

export async function keep(changes) {
  const transaction = (await opened).transaction(["files", "owner"], "readwrite", {durability: "strict"});
  const store = transaction.objectStore("files"), known = transaction.objectStore("owner").get("owner");
  known.onsuccess = () => {
    if (known.result !== owner) { transaction.abort(); return; }
    for (const [name, content] of changes) {
      if (content) store.put(content, name); else store.delete(name);
    }
  };
  await done(transaction);
}
