import { render } from 'preact';
import { App } from './app.js';

render(<App />, document.getElementById('app') as HTMLElement);

// Keeps the files of the page, so that it works without a network.
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('./offline.js').catch((error: unknown) => {
    console.warn('This page will not work without a network:', error);
  });
}
