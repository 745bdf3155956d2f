// Runs a text in the runtime of a written folder: node asked.mjs FOLDER asked.py
import {mkdtempSync, readFileSync, writeFileSync, copyFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";
import {gunzipSync} from "node:zlib";

const [folder, asked] = process.argv.slice(2), place = mkdtempSync(join(tmpdir(), "runtime-"));
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"]) {
  writeFileSync(join(place, name), gunzipSync(readFileSync(join(folder, "parts", `${name}.packed`))));
}
copyFileSync(join(folder, "parts", "pyodide-lock.json"), join(place, "pyodide-lock.json"));
try {
  const {loadPyodide} = await import(pathToFileURL(join(place, "pyodide.mjs")).href);
  const python = await loadPyodide({indexURL: `${place}/`, stdLibURL: join(place, "python_stdlib.zip")});
  python.FS.writeFile("/program.xz", new Uint8Array(readFileSync(join(folder, "parts/program.zip.xz.packed"))));
  console.log(await python.runPythonAsync(readFileSync(asked, "utf8")));
} catch (error) {
  console.error(String(error.message).slice(-2000));
  process.exit(1);
}
