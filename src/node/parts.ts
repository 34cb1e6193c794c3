/** What the runner takes of Node, by `#node`. */
export { onInterrupt } from './directory/onInterrupt.js';
export { openFolderOfRuns, openRunDirectory } from './directory/openRunDirectory.js';
export { writeResult } from './directory/writeResult.js';
export { threads } from './threads.js';
