/** One thread beside this one, for work that needs no function of the caller. */
import type { Piscina } from 'piscina';
import { threadPool } from './threadPool.js';

/** The modules of which it runs the default export. */
const WORK = { searchAside: new URL('./searchAside.js', import.meta.url).href };

/** How long the thread waits for more work, in ms; it keeps no process alive. */
const IDLE = 5000;

let pool: Piscina | undefined;

/**
 * Hands work to the thread and comes back when it has it. `ended` never rejects: it gives undefined where the thread failed,
 * and then the work is to be done here, where its error belongs. What is in `moved` leaves this thread.
 *
 * @throws where no thread can be had
 */
export async function beginWork<R>(
  work: keyof typeof WORK,
  message: unknown,
  moved: ArrayBuffer[],
): Promise<{ readonly ended: Promise<R | undefined> }> {
  pool ??= threadPool({ minThreads: 0, maxThreads: 1, idleTimeout: IDLE });
  const filename = WORK[work];
  // A thread that starts takes its first message only while this one is idle.
  await pool.run(null, { filename });
  const all = Promise.allSettled<R>([pool.run(message, { filename, transferList: moved })]);
  return { ended: all.then(([end]) => (end.status === 'fulfilled' ? end.value : undefined)) };
}
