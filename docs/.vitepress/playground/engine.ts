/** The worker of the page: holds the table, so that the page stays responsive however long the work takes. */
import type { Reading } from './reading.js';
import { type Statements, Study, type Training } from './study.js';

/** What the page calls, by name. */
export interface Engine {
  open(file: File, reading?: Reading): ReturnType<Study['open']>;
  assess(statements: Statements): ReturnType<Study['assess']>;
  train(training: Training): ReturnType<Study['train']>;
}

export interface Call {
  readonly id: number;
  readonly name: keyof Engine;
  readonly args: readonly unknown[];
}

const study = new Study();

async function answer({ id, name, args }: Call): Promise<unknown> {
  if (name === 'open') return study.open(...(args as [File, Reading]));
  if (name === 'assess') return study.assess(...(args as [Statements]));
  const [training] = args as [Training];
  // With the WebAssembly of tfjs, which a network alone needs.
  if (training.model === 'network') await (await import('./backends.js')).prepareBackends(training.backend);
  return study.train(training, (progress) => postMessage({ id, progress }));
}

addEventListener('message', async ({ data }: MessageEvent<Call>) => {
  try {
    postMessage({ id: data.id, value: await answer(data) });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    postMessage({ id: data.id, error: { name, message } });
  }
});
