/** Models whose `fit` never leaves its worker free; it tells on a channel that it goes on. */
const beats = new BroadcastChannel('beats');

export default () => ({
  fit() {
    for (let last = 0; ; ) {
      if (performance.now() - last < 5) continue;
      last = performance.now();
      beats.postMessage('fit');
    }
  },
  predict: (rows) => rows.map(() => 0),
});
