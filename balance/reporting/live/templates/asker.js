// Asks the Python that the page carries, in two workers: while one answers, the other stands by, so that nobody waits
// for Python to start again. The newest question of the foreground is the only one that is answered; those of the
// background wait in a row for a time when nothing else is asked. An answer is what Python's JSON says; of a generator
// each value comes to `onPart`, the last one to `onAnswer` as well. `{ stopped: true }` answers what was stopped, with
// `isLate` after `limit` milliseconds without a word, `{ failure }` where Python broke.
const startAsker = ({ home, onReady, onFail, patience = 1000, limit = 20_000 }) => {
  let workers = [], parts, next = null, waiting = [];
  const begin = () => {
    const address = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
    const own = { worker: new Worker(address), job: null, isReady: false };
    workers.push(own);
    own.worker.onmessage = ({ data }) => data.ready ? ready(own) : hear(own, data);
    own.worker.onerror = event => { workers = workers.filter(it => it !== own); if (!workers.some(it => it.isReady)) onFail(event.message); };
    own.worker.postMessage({ parts, home });
  };
  const ready = own => {
    own.isReady = true;
    if (workers.length === 1) { setTimeout(begin, patience); onReady(); } // the second takes no time from the first answer
    work();
  };
  const hear = (own, { part, answer, failure }) => {
    const { job } = own;
    if (!job) return; // a last word of a worker that was ended
    if (part !== undefined && !job.isDropped) { watch(own, limit); job.onPart(JSON.parse(part)); }
    if (part !== undefined) return;
    if (failure !== undefined) replace(own);
    finish(own, () => failure === undefined ? JSON.parse(answer) : { failure });
  };
  const finish = (own, answer) => {
    const { job } = own;
    clearTimeout(job.timer);
    own.job = null;
    if (!job.isDropped) job.onAnswer(answer());
    work();
  };
  const replace = own => {
    own.worker.terminate();
    workers = workers.filter(it => it !== own);
    begin();
  };
  const watch = (own, time) => {
    clearTimeout(own.job.timer);
    own.job.timer = setTimeout(() => { replace(own); finish(own, () => ({ stopped: true, isLate: true })); }, time);
  };
  const send = (own, job) => {
    own.job = job;
    own.worker.postMessage({ text: job.text });
    watch(own, limit);
  };
  const drop = isBackground => {
    for (const own of workers.filter(({ job }) => job && !job.isDropped && job.isBackground === isBackground)) {
      own.job.isDropped = true;
      own.worker.postMessage({}); // a generator stops by itself, anything else is ended
      watch(own, patience);
    }
  };
  const work = () => {
    const idle = workers.filter(own => own.isReady && !own.job);
    if (next && idle.length) { send(idle[0], next); next = null; }
    else if (!next && waiting.length && idle.length === workers.length && idle.length) send(idle[0], waiting.shift());
  };
  const unpack = async () => {
    const names = [...document.querySelectorAll("script[data-part]")].map(part => part.id);
    const contents = await Promise.all(names.map(unpacked));
    parts = Object.fromEntries(names.map((name, place) => [name, contents[place]]));
    begin();
  };
  addEventListener("DOMContentLoaded", unpack); // the parts stand below the script
  return {
    ask(text, { onAnswer, onPart = () => {}, isBackground = false }) {
      const job = { text, onAnswer, onPart, isBackground, isDropped: false };
      if (isBackground) waiting.push(job);
      else { drop(false); next = job; }
      work();
    },
    stop() {
      const jobs = [next, ...workers.map(own => own.job)].filter(job => job && !job.isDropped && !job.isBackground);
      drop(false);
      next = null;
      for (const job of jobs) job.onAnswer({ stopped: true });
    },
    dropBackground() {
      waiting = [];
      drop(true);
    },
  };
};
