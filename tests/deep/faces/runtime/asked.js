// Runs what is asked in the runtime of a written folder, in a worker: the text of asked.py.
import "./built.js";
onmessage = async () => {
  const {loadPyodide} = await import("./parts/pyodide.mjs");
  const here = new URL("parts/", self.location).href;
  const python = await loadPyodide({indexURL: here, stdLibURL: `${here}python_stdlib.zip`});
  python.FS.writeFile("/program.xz", new Uint8Array(await (await fetch("parts/program.zip.xz")).arrayBuffer()));
  postMessage(await python.runPythonAsync(await (await fetch("asked.py")).text()));
};
