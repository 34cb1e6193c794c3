/** Calls of the worker, as promises. */
import type { Call, Engine } from './engine.js';
import engineUrl from './engine.ts?worker&url';
import type { Progress } from './study.js';

interface Waiting {
  readonly done: (value: never) => void;
  readonly fail: (error: Error) => void;
  readonly onProgress: (progress: Progress) => void;
}

interface Answer {
  readonly id: number;
  readonly value?: never;
  readonly progress?: Progress;
  readonly error?: { readonly name: string; readonly message: string };
}

const waiting = new Map<number, Waiting>();
let worker: Worker | undefined;
let calls = 0;

/** Of a blob, so that it inherits the policy of this page: a worker of an address has the policy of its own headers, mostly none. */
function started(): Worker {
  const address = new URL(engineUrl, document.baseURI).href;
  const blob = new Blob([`import ${JSON.stringify(address)};`], { type: 'text/javascript' });
  const place = URL.createObjectURL(blob);
  const begun = new Worker(place, { type: 'module', name: 'cvkit' });
  begun.addEventListener('message', ({ data }: MessageEvent<Answer>) => take(data));
  begun.addEventListener('error', (event) => {
    event.preventDefault();
    end(new Error(`The worker of this page ended: ${event.message ?? 'it could not be loaded'}. Reload the page.`));
  });
  return begun;
}

function take({ id, value, progress, error }: Answer): void {
  const call = waiting.get(id);
  if (!call) return;
  if (progress) {
    call.onProgress(progress);
    return;
  }
  waiting.delete(id);
  if (error) call.fail(Object.assign(new Error(error.message), { name: error.name }));
  else call.done(value as never);
}

function end(error: Error): void {
  worker?.terminate();
  worker = undefined;
  for (const { fail } of waiting.values()) fail(error);
  waiting.clear();
}

export function call<Name extends keyof Engine>(
  name: Name,
  args: Parameters<Engine[Name]>,
  onProgress: (progress: Progress) => void = () => undefined,
): ReturnType<Engine[Name]> {
  worker ??= started();
  const id = calls++;
  return new Promise((done, fail) => {
    waiting.set(id, { done, fail, onProgress });
    worker?.postMessage({ id, name, args } satisfies Call);
  }) as ReturnType<Engine[Name]>;
}

/** Thrown to who waits for a call that was stopped. */
export class Stopped extends Error {}

/** Ends the worker with all that it does; the next call starts another, which has no table yet. */
export const stop = (): void => end(new Stopped('Stopped.'));
