/** What the runner takes of Node, by `#node`. */
export { onInterrupt } from './directory/onInterrupt.js';
export { openRunDirectory } from './directory/openRunDirectory.js';
export { openFolderOfRuns } from './directory/runFolder.js';
export { writeResult } from './directory/writeResult.js';
export { writeFolds } from './machines/writeFolds.js';
export { threads } from './threads.js';
