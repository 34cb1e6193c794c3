/** What a Web Worker of a page runs. Listens at once: what the page has sent meanwhile would be lost after an `await`. */
import { foldWorker } from '../runner/foldWorker.js';

foldWorker({
  postMessage: (message) => globalThis.postMessage(message),
  on(event, listener) {
    // Only the page ends its worker.
    if (event === 'message') globalThis.addEventListener('message', ({ data }) => listener(data));
  },
  close: () => globalThis.close(),
});
