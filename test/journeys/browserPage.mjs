/** Runs at once and inside each other, as a page starts them; browser.test.ts calls this in Chromium and in Node. */
import { KFold, UniversalCVRunner } from 'cvkit';

// Fractions, not sines: engines may differ in the last digit of those.
const X = Array.from({ length: 24 }, (_, row) => [((row * 7) % 24) / 8, (row % 5) / 4]);
const y = X.map(([a, b]) => a + b);
const tick = () => new Promise((done) => setTimeout(done, 1));

/** Draws while it is made, trained and asked, with pauses in which another run could go on. */
async function drawing() {
  await tick();
  const weight = Math.random();
  let noise = 0;
  return {
    async fit() {
      await tick();
      noise = Math.random();
    },
    async predict(rows) {
      await tick();
      return rows.map(([a]) => weight * a + noise + Math.random());
    },
  };
}

const run = (randomState, options = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0, randomState }).run({
    model: drawing,
    data: [X, y],
    ...options,
  });

/** What the runs gave, as JSON. */
export async function outcome() {
  const host = Math.random;
  const alone = [await run(1), await run(2)];
  const begun = [];
  const watched = (seed) => run(seed, { callbacks: { onFoldStart: () => void begun.push(seed) } });
  const both = await Promise.all([watched(1), watched(2)]);
  const inside = [];
  const nested = async (ctx) => {
    inside.push((await run(2, { parent: ctx })).predictions);
    return drawing();
  };
  const outer = await run(3, { model: nested });
  const predictions = (runs) => runs.map((each) => each.predictions);
  const lost = async () => {
    await run(2);
    return drawing();
  };
  const [withoutParent] = await Promise.allSettled([run(1, { model: lost })]);
  return {
    alone: predictions(alone),
    both: predictions(both),
    inside,
    outer: outer.metadata.foldsRun,
    begun,
    restored: Math.random === host,
    withoutParent: withoutParent.status === 'rejected' ? String(withoutParent.reason) : 'done',
  };
}
