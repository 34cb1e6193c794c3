/** `cvkit/node`: what needs Node. */

export { threads } from './threads.js';
export type { ThreadsOptions } from './threadsOptions.js';
