import { Piscina } from 'piscina';
import { messageOf } from '../core/errors.js';

/** Threads of this process; one that ends while it has no work is replaced with a warning, since nothing is lost. */
export function threadPool(options: ConstructorParameters<typeof Piscina>[0]): Piscina {
  const pool = new Piscina(options);
  pool.on('error', (error) => {
    process.emitWarning(`A thread of cvkit that had no work has ended: ${messageOf(error)}`, { code: 'CVKIT_THREAD' });
  });
  return pool;
}
