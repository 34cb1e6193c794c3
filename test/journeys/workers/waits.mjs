/** Models that are done at once, in workers that tell on a channel that they live. */
if (globalThis.document === undefined) {
  const beats = new BroadcastChannel('beats');
  setInterval(() => beats.postMessage('lives'), 2);
}

export default () => ({
  fit: () => new Promise((done) => setTimeout(done, 20)),
  predict: (rows) => rows.map((row) => Number((row.a ?? row[0]) > 1)),
});
