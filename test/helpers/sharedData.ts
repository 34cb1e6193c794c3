/** The folder of real data sets beside the repository, or where CVKIT_SHARED_DATA says. Tests are skipped where there is none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = process.env.CVKIT_SHARED_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

/** Undefined where the file is not there. */
export function sharedFile(name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}
