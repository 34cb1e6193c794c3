import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EarlyStopping, type Executor, StratifiedKFold, UniversalCVRunner } from '../../src/index.js';
import { describeRun } from '../../src/node/machines/description.js';
import { answeredOutcome, TaskFolder, taskMessages, workOn } from '../../src/node/machines/taskFolder.js';
import { tempFolder } from '../helpers/tempFolder.js';

const { folder, write } = tempFolder();
const model = new URL('./models/centroid.mjs', import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));
const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row), (row % 7) / 7]);
const y = X.map((_, row) => Number(row % 2 === 0 ? row % 5 === 0 : row % 3 !== 0));

/** Every task goes through files, as on another machine. */
function byFiles(directory: string, worker: { roots: string[] } = { roots: [root] }): Executor {
  return {
    name: 'byFiles',
    concurrency: 1,
    elsewhere: 'machines',
    async *run(tasks, link) {
      const tasksIn = new TaskFolder(directory, 'folds');
      const kept = link.forMachines().directory;
      await tasksIn.begin(await describeRun(link, root, kept?.place));
      const messages = Array.from(tasks, taskMessages(link, 'run'));
      for (const [at, message] of messages.entries()) await tasksIn.add(at, message);
      await workOn(tasksIn, [...messages.keys()], { ...worker, directory: kept?.place });
      for (const [at, message] of messages.entries()) {
        const answer = await tasksIn.answer(at, message);
        if (answer) yield answeredOutcome(answer, message, link.services);
      }
    },
    close: async () => undefined,
  };
}

const runner = (executor?: Executor) =>
  new UniversalCVRunner({
    cvSplitter: new StratifiedKFold({ nSplits: 4, shuffle: true }),
    randomState: 7,
    verbose: 0,
    ...(executor ? { executor } : {}),
  });

/** A module that gives the rows, in the folder of the test. */
const dataIn = (more = '') => {
  const text = `export const load = () => ({ X: ${JSON.stringify(X)}, y: ${JSON.stringify(y)}${more} });`;
  return { module: write('data.mjs', text), export: 'load' };
};

const here = () => runner().run({ model, data: [X, y] });
const roots = [root, folder];
let count = 0;
const newPlace = () => join(folder, `run-${count++}`);

describe('folds on other machines', () => {
  it('have the bits of those here, with data by their module', async () => {
    const place = newPlace();
    const there = await runner(byFiles(place, { roots })).run({ model, data: dataIn() });
    expect(there.scores).toEqual((await here()).scores);
    expect(there.outOfFold).toEqual((await here()).outOfFold);
    // Rows and labels are in no file.
    const texts = readdirSync(place, { recursive: true, withFileTypes: true });
    const content = texts.filter((each) => each.isFile()).map((each) => readFileSync(join(each.parentPath, each.name)));
    const bytes = Buffer.from(Float64Array.of(X[5][1]).buffer);
    for (const each of content) {
      expect(each.includes(bytes)).toBe(false);
      expect(each.includes(String(X[5][1]))).toBe(false);
    }
  });

  it('read outcomes by time as the run does: the times, the cause, the patients', async () => {
    const text = `export const load = () => ({ X: ${JSON.stringify(X)},
      y: ${JSON.stringify(X.map(([a], row) => ({ time: 2 + a + (row % 5) / 10, event: row % 3 })))},
      groups: ${JSON.stringify(X.map((_, row) => `p${row}`))} });`;
    const data = { module: write('outcomes.mjs', text), export: 'load' };
    const source = `export default () => ({
      fit() { return this; },
      predictRisk: (X) => X.map(([a]) => a),
      predictSurvival: (X, times) => X.map(([a]) => times.map((t) => 1 / (1 + t * Math.exp(a)))),
    });`;
    const risks = write('risks.mjs', source);
    const call = { model: risks, data, times: [1.5, 2.2], causeOfInterest: 2, aggregate: 'mean' } as const;
    const there = await runner(byFiles(newPlace(), { roots })).run(call);
    expect(there.outOfFold).toEqual((await runner().run(call)).outOfFold);
    expect(there.metadata).toMatchObject({ times: [1.5, 2.2], causeOfInterest: 2 });
  });

  it('are refused before they are trained where something is bound to this machine', async () => {
    const executor = byFiles(newPlace());
    await expect(runner(executor).run({ model, data: [X, y] })).rejects.toMatchObject({ code: 'bound_to_thread' });
    await expect(runner(executor).run({ model, data: [X, y], copyData: true })).rejects.toMatchObject({
      code: 'bound_to_thread',
    });
    class Impatient extends EarlyStopping {
      override forFold() {
        return { onEpochEnd: () => 'stop' as const };
      }
    }
    const trained = { model: new URL('./models/network.mjs', import.meta.url), epochs: 2, validation: 0.3 };
    for (const callback of [{ onEpochEnd: () => undefined }, new Impatient()]) {
      const run = runner(executor).run({ ...trained, data: dataIn(), callbacks: [callback] });
      await expect(run).rejects.toMatchObject({ code: 'bound_to_thread' });
    }
  });

  it('fail with one sentence on a worker that has not what the run has', async () => {
    const failing = async (roots: string[], change: () => void) => {
      const data = dataIn();
      const executor = byFiles(newPlace(), { roots });
      const error = await runner({
        ...executor,
        async *run(tasks, link) {
          const drawn = [...tasks];
          await link.describe();
          const description = await describeRun(link, root);
          change();
          const tasksIn = new TaskFolder(newPlace(), 'folds');
          await tasksIn.begin(description);
          await tasksIn.add(0, { task: drawn[0], key: 'key', place: undefined });
          const failed = await workOn(tasksIn, [0], { roots });
          yield answeredOutcome(failed[0], { task: drawn[0], key: 'key' }, link.services);
        },
      })
        .run({ model, data })
        .catch((thrown) => thrown);
      return String(error.cause?.message);
    };
    expect(await failing(roots, () => write('data.mjs', 'export const load = () => 0;'))).toContain('another version');
    expect(await failing([root], () => undefined)).toContain('be below a --root of the worker');
  });

  it('fail where the module gives other data there', async () => {
    let calls = 0;
    const text = `let calls = 0; export const load = () => ({ X: ${JSON.stringify(X)}.map((row) => [row[0] + Number(process.env.CVKIT_TEST_SHIFT ?? 0), ...row.slice(1)]), y: ${JSON.stringify(y)} });`;
    const data = { module: write('shifting.mjs', text), export: 'load' };
    const executor = byFiles(newPlace(), { roots });
    const shifted: Executor = {
      ...executor,
      async *run(tasks, link) {
        process.env.CVKIT_TEST_SHIFT = String(++calls);
        yield* executor.run(tasks, link);
      },
    };
    const error = await runner(shifted)
      .run({ model, data })
      .catch((thrown) => thrown);
    delete process.env.CVKIT_TEST_SHIFT;
    expect(error.cause).toMatchObject({ code: 'other_data' });
    expect(error.cause.message).toContain('`X`');
  });

  it('are given again their callbacks of training, in a search also for the models with defaults', async () => {
    const epochs = { model: new URL('./models/network.mjs', import.meta.url), epochs: 6, validation: 0.3 };
    const callbacks = () => [new EarlyStopping({ monitor: 'val_loss', patience: 0 })];
    const options = { ...epochs, batchSize: 8 };
    const there = await runner(byFiles(newPlace(), { roots })).run({
      ...options,
      data: dataIn(),
      callbacks: callbacks(),
    });
    const inline = await runner().run({ ...options, data: [X, y], callbacks: callbacks() });
    expect(there.scores).toEqual(inline.scores);
    expect(there.histories).toEqual(inline.histories);

    const network = `import network from ${JSON.stringify(epochs.model.href)}; export default (_, ctx) => network(ctx);`;
    const { model: _, ...training } = options;
    const modelFn = write('searched.mjs', network);
    const search = (executor?: Executor, data: unknown = [X, y]) =>
      runner(executor).runWithHyperparameterTuning({
        ...{ ...training, modelFn, data, callbacks: callbacks(), scoring: 'log_loss' },
        ...{ paramGrid: { units: [1] }, innerCv: 2 },
      } as never);
    const found = await search(byFiles(newPlace(), { roots }), dataIn());
    expect(found.defaults?.results?.histories).toEqual((await search()).defaults?.results?.histories);
  });
});
