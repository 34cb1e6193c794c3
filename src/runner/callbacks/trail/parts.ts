/** What the logger loads with its first entry, as one module. */

export { idFinder, plain } from './privateText.js';
export { linesOf, nextEntry } from './trailEntry.js';
export { endFacts, foldEndFacts, foldStartFacts, startFacts, trialFacts } from './trailFacts.js';
export { TrailFile } from './trailFile.js';
