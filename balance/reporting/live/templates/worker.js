// Runs Python beside the page, so that the page never waits: gets the parts of Python and its modules, then texts to
// answer. Nothing is fetched: whoever asks for a part by its address is given what the page carries.
self.importScripts = undefined; // Pyodide asks for a worker that can import modules; this one can
const pause = () => new Promise(resolve => setTimeout(resolve)); // so that a newer message is heard
onmessage = async ({ data: { parts, home } }) => {
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
  python.unpackArchive(parts["balance.zip"], "zip", { extractDir: "/home/pyodide" });
  const answerTo = python.pyimport(home.module)[home.function];
  let asked; // the text of the newest message; none: what runs is to stop
  onmessage = async ({ data: { text } }) => {
    asked = text;
    if (text === undefined) return;
    try {
      let answer = answerTo(text);
      if (typeof answer !== "string") { // a generator: each value is told at once, the last is the answer
        const values = answer;
        for (let step = values.next(); !step.done && asked !== undefined; step = values.next()) {
          postMessage({ part: answer = step.value });
          await pause();
        }
        values.destroy();
      }
      postMessage({ answer });
    } catch (error) { postMessage({ failure: String(error) }); }
  };
  postMessage({ ready: true });
};
