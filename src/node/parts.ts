/** What the runner takes of Node, by `#node`. */
export { openRunDirectory } from './directory/openRunDirectory.js';
export { threads } from './threads.js';
