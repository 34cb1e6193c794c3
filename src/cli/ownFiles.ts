import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What comes with the package besides its code. */
export const ownFolder = (...names: string[]): string =>
  join(dirname(createRequire(import.meta.url).resolve('cvkit/package.json')), ...names);
