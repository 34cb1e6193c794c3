/**
 * The writer of the directory ends before any of its steps on the disk, in the middle of a write, or as if the power failed: what
 * was not synced is gone then. See `killPoints.mjs`.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { must, trial } from './scene.mjs';

const node = ['--import', fileURLToPath(new URL('killPoints.mjs', import.meta.url))];
const HOW = ['before', 'half', 'power'];

let counted;
/** Steps of an undisturbed run, and how many of them write. */
const steps = async (scene) => {
  const file = scene.path('steps');
  const { code, text } = await scene
    .start({ node, env: { STEPS: file, KILL_IN: scene.path('counted') }, place: scene.path('counted') })
    .ended();
  must(code === 0, text);
  return JSON.parse(await readFile(file, 'utf8'));
};

export default {
  name: 'writer',
  what: 'the end of the writer before each of its steps on the disk, in a write, and without power',
  times: 250,
  available: async () => true,
  once: (seed) =>
    trial(seed, async (scene) => {
      counted ??= await steps(scene);
      for (let kills = 1 + scene.below(2); kills > 0; kills--) {
        const KILL_HOW = HOW[scene.below(HOW.length)];
        const KILL_AT = 1 + scene.below(KILL_HOW === 'half' ? counted.writes : counted.steps);
        const env = { KILL_AT, KILL_HOW, KILL_IN: scene.place };
        const run = await scene.again({ node, env });
        const { code, text } = await run.ended();
        // A run that goes on has fewer steps.
        must(code === null || code === 0, `${JSON.stringify(env)}: ${text}`);
        await scene.kept(text);
      }
      await scene.finish();
    }),
};
