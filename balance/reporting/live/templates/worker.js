// Runs Python beside the page, so that the page never waits: gets the parts of Python and its modules, then texts to
// answer. Nothing is fetched: whoever asks for a part by its address is given what the page carries.
self.importScripts = undefined; // Pyodide asks for a worker that can import modules; this one can
onmessage = async ({ data: { parts, modules, home } }) => {
  const address = name => URL.createObjectURL(new Blob([parts[name]], { type: "text/javascript" }));
  self.fetch = async resource => {
    const name = String(resource.url ?? resource).split("/").pop();
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/zip";
    return new Response(parts[name], { headers: { "Content-Type": type } });
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
    [import(address("pyodide.mjs")), import(address("pyodide.asm.mjs"))]);
  const lockFileContents = JSON.parse(new TextDecoder().decode(parts["pyodide-lock.json"]));
  lockFileContents.packages = {};
  const python = await loadPyodide({ indexURL: "https://nothing.invalid/", createPyodideModule, lockFileContents });
  python.unpackArchive(modules, "zip", { extractDir: "/home/pyodide" });
  const answer = python.pyimport(home.module)[home.function];
  onmessage = ({ data: { text } }) => {
    postMessage({ text, answer: answer(text) });
  };
  postMessage({ ready: true });
};
