import { readTable } from 'cvkit/node';

/**
 * The table of `cvkit run` as a module, so that run directories, threads and other machines read it, too.
 *
 * @param {any} options `{ path }` and the options of readTable
 */
export const table = ({ path, ...options }) => readTable(path, options);
