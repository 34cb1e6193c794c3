/** Two processes on one directory, also on that of a run that was killed: one is refused, and writes and trains nothing. */
import { writeFile } from 'node:fs/promises';
import { must, sleep, trial } from './scene.mjs';

export default {
  name: 'together',
  what: 'two processes on one directory',
  times: 20,
  available: async () => true,
  once: (seed) =>
    trial(seed, async (scene) => {
      if (scene.below(2) === 1) {
        const dead = scene.start({ env: { PAUSE: 20 } });
        await scene.fitted(1 + scene.below(8), dead);
        dead.kill();
        await scene.kept((await dead.ended()).text);
      }
      const before = await scene.fits();
      // No fold ends before one of them has ended, so that they meet.
      const GATE = scene.path('gate');
      const runs = [];
      for (let at = 0; at < 2; at++) {
        runs.push(await scene.again({ env: { GATE } }));
        await sleep(scene.below(60));
      }
      await Promise.race(runs.map((run) => run.ended()));
      await writeFile(GATE, '');
      const ends = await Promise.all(runs.map((run) => run.ended()));
      must(
        String(ends.map(({ code }) => code).sort()) === '0,1',
        `one must be refused: ${ends.map(({ text }) => text)}`,
      );
      const refused = ends.findIndex(({ code }) => code === 1);
      must(ends[refused].text.startsWith('run_directory_in_use'), ends[refused].text);
      const fits = (await scene.fits()).slice(before.length);
      must(
        fits.every(({ pid }) => pid === runs[1 - refused].pid),
        'both trained',
      );
      const writers = new Set((await scene.log()).map(({ pid }) => pid));
      must(!writers.has(runs[refused].pid), 'both wrote');
      await scene.isWhole();
    }),
};
