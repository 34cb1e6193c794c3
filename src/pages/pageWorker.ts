/** What a Web Worker of a page runs. Listens at once: what the page has sent meanwhile would be lost after an `await`. */
import { foldWorker } from '../runner/foldWorker.js';
import { listReader } from './longLists.js';

const read = listReader();
foldWorker({
  postMessage: (message) => globalThis.postMessage(message),
  on(event, listener) {
    // Only the page ends its worker.
    if (event !== 'message') return;
    globalThis.addEventListener(event, ({ data }) => {
      const message = read(data);
      if (message) listener(message);
    });
  },
  close: () => globalThis.close(),
});
