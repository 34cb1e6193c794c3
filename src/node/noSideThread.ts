/** What `#sideThread` is where there is no Node: one thread does everything. */
import type * as sideThread from './sideThread.js';

export const beginWork: typeof sideThread.beginWork | undefined = undefined;
