const worker = new Worker("asked.js", {type: "module"});
worker.onmessage = ({data}) => { document.getElementById("told").textContent = data; };
worker.onerror = (error) => { document.getElementById("told").textContent = `error: ${error.message}`; };
worker.postMessage("begin");
