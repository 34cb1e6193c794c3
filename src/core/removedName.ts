import { CVKitError } from './errors.js';

/** What stands under a name that was taken away: a call throws an error that names the new one. */
export const removedName =
  (name: string, instead: string) =>
  (..._args: unknown[]): never => {
    throw new CVKitError(`\`${name}\` was taken away. Use \`${instead}\`.`, { code: 'removed_name' });
  };
