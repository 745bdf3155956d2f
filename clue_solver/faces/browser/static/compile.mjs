// Compiles modules with the runtime's own Python: node compile.mjs RUNTIME COMPILING FROM TO
import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [runtime, compiling, from, to] = process.argv.slice(2);
try {
  const {loadPyodide} = await import(pathToFileURL(`${runtime}/pyodide.mjs`).href);
  const python = await loadPyodide({indexURL: `${runtime}/`});
  python.runPython(readFileSync(compiling, "utf8"));
  python.FS.writeFile("/from.zip", new Uint8Array(readFileSync(from)));
  python.runPython("from pathlib import Path; Path('/to.zip').write_bytes(compiled(Path('/from.zip').read_bytes()))");
  writeFileSync(to, python.FS.readFile("/to.zip"));
} catch (error) {
  console.error(String(error.message).slice(-400));
  process.exit(1);
}
