/** One thread beside this one, for work that needs no function of the caller. */
import type { Piscina } from 'piscina';
import { threadPool } from './threadPool.js';

/** The modules of which it runs the default export: files of the checkers, beside this one in the package. */
const WORK = { searchAside: new URL('./searchAside.js', import.meta.url).href };

/** How long the thread waits for more work, in ms; it keeps no process alive. */
const IDLE = 5000;

let pool: Piscina | undefined;
let works = 0;
/** A thread that cannot start would not start the next time. */
let broken: Error | undefined;

/**
 * Hands work to the thread and comes back when it has it. `ended` never rejects: it gives undefined where the thread failed,
 * and then the work is to be done here, where its error belongs. What is in `moved` leaves this thread.
 *
 * @throws where no thread can be had, or it is at work: waiting would take longer than working here
 */
export async function beginWork<R>(
  work: keyof typeof WORK,
  message: unknown,
  moved: ArrayBuffer[],
): Promise<{ readonly ended: Promise<R | undefined> }> {
  if (broken) throw broken;
  if (works > 0) throw new Error('The thread is at work.');
  works++;
  try {
    pool ??= threadPool({ minThreads: 0, maxThreads: 1, idleTimeout: IDLE });
    const filename = WORK[work];
    // A thread that starts takes its first message only while this one is idle.
    await started(pool, filename);
    const all = Promise.allSettled<R>([pool.run(message, { filename, transferList: moved })]);
    const ended = all.then(([end]) => {
      works--;
      return end.status === 'fulfilled' ? end.value : undefined;
    });
    return { ended };
  } catch (error) {
    works--;
    throw error;
  }
}

/** Wakes the thread. One that ends while it starts leaves its work in the queue of the pool. */
async function started(of: Piscina, filename: string): Promise<void> {
  const awake = of.run(null, { filename });
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  of.once('error', fail);
  try {
    await Promise.race([awake, failed]);
  } catch (error) {
    broken = error as Error;
    await Promise.allSettled([awake, of.destroy()]);
    throw error;
  } finally {
    of.off('error', fail);
  }
}
