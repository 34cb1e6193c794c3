/** Two runs at once: in Node side by side, where work cannot be told apart one after the other. */
import { RandomForestClassifier } from 'ml-random-forest';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs } from '../helpers/nearestMean.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { Climber, memoryOf, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { throwing, thrown } from '../helpers/thrown.js';

const { X, y } = blobs(40);
const tick = () => new Promise((done) => setTimeout(done, 1));
const real = Math.random;
afterEach(() => expect(Math.random).toBe(real));

/** Draws while it is made, trained and asked, with pauses in which the other run goes on. */
const drawing = async () => {
  await tick();
  const weight = Math.random();
  return {
    noise: 0,
    async fit() {
      await tick();
      this.noise = Math.random();
      await tick();
      this.noise += Math.random();
    },
    async predict(rows: number[][]) {
      const drawn = rows.map(() => 0);
      for (let at = 0; at < rows.length; at++) {
        if (at % 4 === 0) await tick();
        drawn[at] = weight + this.noise + Math.random();
      }
      return drawn;
    },
  };
};
const forest = () => new RandomForestClassifier({ nEstimators: 10, noOOB: true });

async function runnerOf() {
  const { UniversalCVRunner } = await import('../../src/runner/universalCVRunner.js');
  return (options: Partial<RunOptions>, seed = 1, more = {}) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0, randomState: seed, ...more }).run({
      model: drawing,
      data: [X, y],
      task: 'regression',
      ...options,
    });
}

describe.each(['node', 'default'])('two runs at once, #io for %s', (platform) => {
  beforeEach(() => {
    vi.resetModules();
    if (platform === 'default') vi.doMock('#io', () => import('../../src/core/io.default.js'));
  });
  afterEach(() => {
    vi.doUnmock('#io');
    vi.resetModules();
  });

  it('give what they give one after the other, also where models wait', async () => {
    const run = await runnerOf();
    const alone = [await run({}, 1), await run({}, 2)];
    const both = await Promise.all([run({}, 1), run({}, 2)]);
    expect(both.map(({ predictions }) => predictions)).toEqual(alone.map(({ predictions }) => predictions));
    const forests = { model: forest, task: undefined };
    const [one, other] = await Promise.all([run(forests, 1), run({}, 2)]);
    expect(one.predictions).toEqual((await run(forests, 1)).predictions);
    expect(other.predictions).toEqual(alone[1].predictions);
  });

  it('go on inside each other, with `parent`', async () => {
    const run = await runnerOf();
    const inner = await run({}, 5);
    let seen: unknown;
    const nested = async (ctx: FoldContext) => {
      const results = await run({ parent: ctx }, 5);
      if (ctx.index === 0) seen = results.predictions;
      return drawing();
    };
    const outer = await run({ model: nested });
    expect(seen).toEqual(inner.predictions);
    expect(outer.metadata.foldsRun).toBe(3);
  });

  it('begin when the one before has failed', async () => {
    const run = await runnerOf();
    const [first, second] = await Promise.allSettled([run({ model: throwing('no') }), run({})]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('are told what `parent` must be', async () => {
    const run = await runnerOf();
    const onFoldStart = vi.fn();
    await run({ callbacks: [{ onFoldStart }] });
    expect(await thrown(() => run({ parent: onFoldStart.mock.calls[0][0] }))).toBe(
      'InvalidOptionError (invalid_option): The `parent` option must be the context of a fold whose run is under way. Got one whose run has ended.',
    );
    expect(await thrown(() => run({ parent: {} as FoldContext }))).toMatch(/Got something else\.$/);
  });
});

describe('a run inside another one', () => {
  afterEach(() => {
    vi.doUnmock('#io');
    vi.resetModules();
  });

  it('is known without `parent` in Node, also after an await', async () => {
    const run = await runnerOf();
    const nested = async () => {
      await tick();
      await run({}, 5);
      return drawing();
    };
    expect((await run({ model: nested })).metadata.foldsRun).toBe(3);
  });

  it('is refused where it would wait for ever', async () => {
    vi.resetModules();
    vi.doMock('#io', () => import('../../src/core/io.default.js'));
    const run = await runnerOf();
    const sentence = /A run that is begun inside another one must be given the `parent` option\./;
    const nested = async () => {
      await run({});
      return drawing();
    };
    expect(await thrown(() => run({ model: nested }))).toMatch(sentence);
    expect(await thrown(() => run({ callbacks: [{ onFoldEnd: async () => void (await run({})) }] }))).toMatch(sentence);
    const model = () => ({ fit: () => run({}), predict: () => [] });
    expect(await thrown(() => run({ model }))).toMatch(sentence);
  });
});

describe('what a fold leaves behind', () => {
  const capabilities = { trains: true, epochs: false, probabilities: false, saves: false };
  it('is not blamed on a run that had company', async () => {
    const run = await runnerOf();
    let held = 0;
    const memory = memoryOf(() => held);
    // The model of one run holds ten tensors while it is trained; the other run has none.
    const fit = async () => {
      held += 10;
      await new Promise((done) => setTimeout(done, 20));
      held -= 10;
      return { epochs: [] };
    };
    const light = async () => {
      await tick();
      return { epochs: [] };
    };
    const both = [fit, light].map((fit, at) =>
      run({ model: () => new Climber() }, at + 1, {
        adapter: scriptedAdapter({}, { memory, fit, capabilities }).adapter,
      }),
    );
    const warnings = (await Promise.all(both)).flatMap(({ metadata }) => metadata.warnings);
    expect(warnings.filter((text) => text.includes('tensor'))).toEqual([]);
  });

  oneByOne('is still said of a run that was alone, or that had runs inside it', async () => {
    const run = await runnerOf();
    let held = 0;
    const fit = async () => {
      held += 3;
      return { epochs: [] };
    };
    const { adapter } = scriptedAdapter({}, { memory: memoryOf(() => held), fit, capabilities });
    const nested = async () => {
      await run({}, 5);
      return new Climber();
    };
    const results = await run({ model: nested }, 1, { adapter });
    expect(results.metadata.warnings.join()).toMatch(/fold-0 left 3 tensors/);
  });
});
