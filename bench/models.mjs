/**
 * Preparation and models, each beside the same work of scikit-learn on the same numbers, in turns, in one run. Both sides
 * run in one thread, time their own work (not the start of the process) and must give the same scores.
 *
 * Python is taken from the variable CVKIT_PYTHON, else `python3` on the path; without scikit-learn >= 1.9 there our times
 * stand alone. Usage: npm run bench:models, or npm run bench:models encoder for some of the parts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encoder } from './models/encoder.mjs';
import { forest } from './models/forest.mjs';
import { logistic } from './models/logistic.mjs';
import { openPeer } from './models/peer.mjs';

/** Each measures one kind of model and prints its table. `peer` is null without scikit-learn. */
const PARTS = { logistic, encoder, forest };

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) throw new Error(`There is no part '${unknown}'. Parts: ${Object.keys(PARTS).join(', ')}.`);

const folder = mkdtempSync(join(tmpdir(), 'cvkit-models-'));
const peer = await openPeer(folder);
try {
  console.log(`Node ${process.version}, ${peer ? peer.version : 'without scikit-learn: our times alone'}`);
  for (const [name, part] of Object.entries(PARTS)) {
    if (asked.length === 0 || asked.includes(name)) await part(peer, folder);
  }
} finally {
  peer?.close();
  rmSync(folder, { recursive: true });
}
